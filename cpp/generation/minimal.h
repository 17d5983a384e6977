// Which givens a puzzle with one solution needs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/solver.h"

namespace sudokulab {

// Both need a puzzle with exactly one solution. Nothing if the budget runs out.

// The cells whose given can be removed, one at a time, without a second solution appearing.
std::optional<std::vector<int>> redundant_givens(const Puzzle& puzzle, Control& control);

// The givens that are left if one after the other is left out, in random order, while the solution stays the only one.
std::optional<Grid> minimize(const Puzzle& puzzle, Control& control);

}  // namespace sudokulab
