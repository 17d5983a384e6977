// Empty rectangle: a box in which a digit is confined to one row and one column.
//
// The digit is in the row or in the column of the box. A strong link starts in this row outside the box and runs along
// a column (or the reverse). If its other end is true, the digit is missing from its row; if it is false, its first end
// is true, so that the digit of the box is in the column. Either way the cell where the column of the box meets the row
// of the other end loses the digit.
//
// Both the row and the column have a candidate of the box outside their crossing. With just two candidates in the box
// (variant 1), the pattern is a chain of two strong links as well. Neither the strong link nor the elimination lies in
// the box. A dual empty rectangle consists of two on the same box with different eliminations.
//
// Source: HoDoKu (B. Hobiger).
//
// Order: digits; boxes; rows and columns of the box; links along columns, then along rows, by their first end. Dual
// ones: the first, then the second.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Each of these returns false if the visitor stopped it.
bool find_empty_rectangles(const TechniqueBoard& board, const Visitor& visit);
bool find_dual_empty_rectangles(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
