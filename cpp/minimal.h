// Which givens a puzzle with one solution needs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver.h"

namespace sudokulab {

// The cells whose given could be left out, each taken for itself, without a second solution appearing. The puzzle must
// have exactly one solution. Nothing if the budget runs out.
std::optional<std::vector<int>> redundant_givens(const Problem& problem, Control& control);

// Leaves out givens as long as the solution stays the only one, in random order. Nothing if the budget runs out.
std::optional<Grid> minimize(const Problem& problem, Control& control);

}  // namespace sudokulab
