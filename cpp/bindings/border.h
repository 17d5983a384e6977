// Shared by all bindings: converts types, releases the GIL around every search, and handles Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <string>
#include <type_traits>
#include <vector>

#include "grid/geometry.h"
#include "logic/rules.h"
#include "logic/techniques/step.h"
#include "search/control.h"
#include "search/solver.h"
#include "search/threads.h"
#include "solvers/parts/filter.h"

namespace sudokulab {

namespace nb = nanobind;
using namespace nb::literals;

// Whether this thread runs Python's signal handlers.
bool is_main_thread();

// Lets other threads stop the searches of the thread that has entered it, as Ctrl-C does on the main thread.
class Cancellation {
public:
    void enter();
    void exit();
    void cancel() { is_cancelled_ = true; }
    bool is_cancelled() const { return is_cancelled_; }

private:
    const Cancellation* outer_ = nullptr;
    std::atomic<bool> is_cancelled_ = false;
};

// Whether to stop the searches of this thread: they have been cancelled, or one of Python's signal handlers, which this
// runs, raised (KeyboardInterrupt). Threads other than the main one have no handlers to run and do not take the GIL:
// the interpreter may be shutting down.
bool is_interrupted();

// Releases the GIL during its lifetime. A thread that returns while the interpreter shuts down keeps sleeping.
class ReleasedGil {
public:
    ReleasedGil() : state_(PyEval_SaveThread()) {}
    ~ReleasedGil();
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;

private:
    PyThreadState* state_;
};

// Raises KeyboardInterrupt if the searches of this thread have been cancelled, or what a signal handler has raised.
void raise_interruption();

// Calls `search` without the GIL, unless or until it is interrupted.
template <class Search>
auto without_gil(Search search) {
    raise_interruption();
    auto result = [&] {
        const ReleasedGil released;
        return search();
    }();
    raise_interruption();
    return result;
}

// Calls work(puzzle, control) for each puzzle, in parallel and without the GIL; returns the answers in order. All have
// the same seed, so that an answer does not depend on the other puzzles.
template <class Work>
auto answer_each(const std::vector<Puzzle>& puzzles, const Budget& budget, int num_threads, Work work,
                 std::uint64_t seed = 0) {
    return without_gil([&] {
        std::vector<std::invoke_result_t<Work, const Puzzle&, Control&>> answers(puzzles.size());
        run_parallel(puzzles.size(), num_threads, is_interrupted, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, seed, 0, stop);
            answers[i] = work(puzzles[i], control);
        });
        return answers;
    });
}

// Whether a box has a size from 1 to `max_size`.
bool is_shape(BoxShape box);

// Throws std::invalid_argument if the givens do not fit.
Puzzle make_puzzle(int box_rows, int box_cols, const nb::bytes& givens);

// Both throw std::invalid_argument for an unknown name.
std::vector<techniques::Technique> techniques_named(const std::vector<std::string>& names);
// none, cp, ac3, rules, or techniques separated by commas.
Filter filter_named(const std::string& name);

// Throws std::invalid_argument for an invalid rule number.
std::vector<Rule> rules_of(const std::vector<int>& numbers);

inline nb::bytes to_bytes(const Grid& grid) { return nb::bytes(grid.data(), grid.size()); }

// One file each, to be called in this order.
void bind_frames(nb::module_& m);     // viewers of searches
void bind_results(nb::module_& m);    // Python's puzzles and results
void bind_running(nb::module_& m);    // puzzles, budgets, cancellation, the solver interface, counting, minimal puzzles
void bind_solvers(nb::module_& m);    // one constructor per solver
void bind_canonical(nb::module_& m);  // canonical forms and equivalence
void bind_logic(nb::module_& m);      // rules, ratings, trials
void bind_techniques(nb::module_& m);    // human techniques and their rating
void bind_bulk(nb::module_& m);          // 9×9 puzzles in bulk
void bind_scoring(nb::module_& m);       // scores of predicted grids
void bind_generation(nb::module_& m);    // random grids, puzzles to a specification
void bind_peer_library(nb::module_& m);  // third-party solvers
void bind_mechanics(nb::module_& m);     // parts of solvers that Python uses or tests separately

}  // namespace sudokulab
