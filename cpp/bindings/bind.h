// The functions that define the module, one per file.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace sudokulab {

namespace nb = nanobind;
using namespace nb::literals;

// To be called in this order.
void bind_frames(nb::module_& m);     // viewers of searches
void bind_results(nb::module_& m);    // Python's puzzles and results
void bind_running(nb::module_& m);    // puzzles, budgets, cancellation, the solver interface, counting, minimal puzzles
void bind_solvers(nb::module_& m);    // one constructor per solver
void bind_canonical(nb::module_& m);  // canonical forms and equivalence
void bind_logic(nb::module_& m);      // rules, ratings, trials
void bind_filters(nb::module_& m);    // filters, constraint networks, initial states
void bind_techniques(nb::module_& m);  // human techniques and their rating
void bind_generation(nb::module_& m);  // random grids, puzzles to a specification
void bind_bulk(nb::module_& m);        // 9×9 puzzles in bulk
void bind_scoring(nb::module_& m);     // scores of predicted grids

// Only in builds with SUDOKULAB_INTERNALS.
void bind_solver_library(nb::module_& m);  // third-party solvers, for benchmarks
void bind_test_parts(nb::module_& m);      // parts of solvers, for tests and benchmarks

}  // namespace sudokulab
