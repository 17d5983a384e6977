// Which of many 9×9 puzzles have exactly one solution, side by side.
#pragma once

#include <span>
#include <vector>

#include "search/solver.h"

namespace sudokulab {

inline bool has_bulk(BoxShape box) { return box.rows == 3 && box.cols == 3; }

// All must be 9×9. If it is stopped, those that are not done count as not unique.
std::vector<bool> are_unique(std::span<const Grid> puzzles, Control& control);

}  // namespace sudokulab
