// Locked candidates: a digit confined to the intersection of a box and a line.
//
// Pointing: all positions of a digit in a box lie in one row or column, so the rest of the line loses the digit.
// Claiming: all positions in a line lie in one box, so the rest of the box loses it. An instance needs at least two
// positions and at least one elimination.
//
// A direct instance is one whose eliminations leave a single position for the digit in a third unit; it also places the
// digit there. There is one direct instance per such unit.
//
// Order (Sudoku Explainer 1.2.1): boxes and columns, boxes and rows, columns and boxes, rows and boxes; then the base
// unit, the other unit, the digit and the third unit.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Each of these returns false if the visitor stopped it.
bool find_locked_candidates(const TechniqueBoard& board, const Visitor& visit);
bool find_direct_locked_candidates(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
