// Shared by all bindings: converts types, releases the GIL around every search, and handles Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "grid/geometry.h"
#include "logic/rules.h"
#include "logic/techniques/step.h"
#include "search/control.h"
#include "search/solver.h"
#include "solvers/parts/filter.h"

namespace sudokulab {

namespace nb = nanobind;
using namespace nb::literals;

// Whether this thread runs Python's signal handlers.
bool is_main_thread();

// Runs Python's signal handlers; true if one of them raised (KeyboardInterrupt). Threads other than the main one have
// none to run and do not take the GIL: the interpreter may be shutting down.
bool signal_raised();

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

// Calls `search` without the GIL, then raises any exception from a signal handler.
template <class Search>
auto without_gil(Search search) {
    auto result = [&] {
        const ReleasedGil released;
        return search();
    }();
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return result;
}

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
void bind_frames(nb::module_& m);        // viewers of searches
void bind_running(nb::module_& m);       // puzzles, budgets, the solver interface, counting, minimal puzzles
void bind_solvers(nb::module_& m);       // one constructor per solver
void bind_canonical(nb::module_& m);     // canonical forms
void bind_logic(nb::module_& m);         // rules, ratings, trials
void bind_techniques(nb::module_& m);    // human techniques and their rating
void bind_bulk(nb::module_& m);          // 9×9 puzzles in bulk
void bind_generation(nb::module_& m);    // random grids, puzzles to a specification
void bind_peer_library(nb::module_& m);  // third-party solvers
void bind_mechanics(nb::module_& m);     // parts of solvers that Python uses or tests separately

}  // namespace sudokulab
