// Converts Python's arguments to types of the core, and checks them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "bindings/bind.h"
#include "grid/geometry.h"
#include "logic/rules.h"
#include "logic/techniques/step.h"
#include "search/solver.h"
#include "solvers/parts/filter.h"

namespace sudokulab {

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

}  // namespace sudokulab
