// The solver interface: a puzzle and a control in, a result out.
//
// A solver is an immutable set of parameters. Everything that changes during a run lives on that run's stack, so one
// solver can serve many threads at once.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grid/geometry.h"
#include "search/control.h"

namespace sudokulab {

struct Puzzle {
    BoxShape box;
    Grid givens;
};

// Whether a given occurs twice in a unit.
bool has_clash(const Puzzle& puzzle);

enum class Status { solved, unsatisfiable, unknown };

// Counters in the units of the papers, in display order.
using Stats = std::vector<std::pair<std::string, std::variant<std::int64_t, double>>>;

struct Result {
    Status status = Status::unknown;
    Grid grid;                   // the solution; of an unsolved run, the best state if the solver has a cost
    std::optional<double> cost;  // of that grid
    Stats stats;
    Trace trace;
    double seconds = 0;
    std::string error;  // why there is no answer, if the run failed
};

class Solver {
public:
    Solver() = default;
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    virtual ~Solver() = default;

    virtual Result solve(const Puzzle& puzzle, Control& control) const = 0;

    // The same, in full view: a viewer sees at least the puzzle and the result.
    Result solve_in_view(const Puzzle& puzzle, Control& control) const;

    // Solves each puzzle with its own seed on `num_threads` threads; results are in the order of the puzzles. A run
    // that throws becomes a result with an error and does not affect the others. `interrupted` is polled from the
    // calling thread only; once it returns true, running searches stop and the remaining results stay unknown.
    virtual std::vector<Result> solve_many(std::span<const Puzzle> puzzles, std::span<const std::uint64_t> seeds,
                                           const Budget& budget, int num_threads, const Interrupted& interrupted) const;
};

// A resumable search through all solutions of one puzzle.
class Search {
public:
    Search() = default;
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    virtual ~Search() = default;

    // Solved: `grid` holds the next solution. Unsatisfiable: there are no more. Unknown: out of budget.
    virtual Status next(Control& control) = 0;
    virtual Grid grid() const = 0;
    virtual Stats stats() const = 0;
    virtual TraceRow trace_row() const = 0;  // the current state, in the columns set by `next`
    virtual Frame frame() const = 0;         // the current state, with the values of `trace_row`
};

// Runs a search to its first solution.
Result run_search(Search& search, Control& control);

// Calls a function that returns a result; an exception becomes a result with an error.
template <class Run>
Result run_guarded(Run run) {
    try {
        return run();
    } catch (const std::bad_alloc&) {
        throw;  // not the fault of this run, and the next one would fail too
    } catch (const std::exception& exception) {
        Result result;
        result.error = exception.what();
        return result;
    }
}

struct Count {
    std::int64_t number = 0;
    bool is_exact = true;  // false if the budget ran out first; reaching the limit is exact
};

// Counts the remaining solutions of a search, up to the limit. Stores the first one in `first` unless it is null.
Count count_solutions(Search& search, std::int64_t limit, Control& control, Grid* first = nullptr);

// A solver that searches exhaustively: it can prove that there is no solution, count and enumerate.
class CompleteSolver : public Solver {
public:
    virtual std::unique_ptr<Search> search(const Puzzle& puzzle) const = 0;
    // Searches on several threads, if the solver can make use of them.
    virtual std::unique_ptr<Search> search_in_parallel(const Puzzle& puzzle, int num_threads) const;
    virtual Count count(const Puzzle& puzzle, std::int64_t limit, Control& control) const;

    Result solve(const Puzzle& puzzle, Control& control) const final;
};

}  // namespace sudokulab
