// The givens that a puzzle with a unique solution needs.
#pragma once

#include <optional>
#include <vector>

#include "search/solver.h"

namespace sudokulab {

// Both require a puzzle with exactly one solution, and return nothing if the budget runs out.

// The cells whose given can be removed, each by itself, without a second solution appearing.
std::optional<std::vector<int>> redundant_givens(const Puzzle& puzzle, Control& control);

// The givens that remain after removing givens one by one, in random order, as long as the solution stays unique.
std::optional<Grid> minimize(const Puzzle& puzzle, Control& control);

}  // namespace sudokulab
