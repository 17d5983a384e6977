// Aligned pair and triplet exclusion: combinations of two or three base cells that leave a common peer without digits.
//
// A combination of candidates of the base cells is excluded if two base cells that see each other would hold the same
// digit, or if some cell that sees all base cells would lose all its candidates. A candidate of a base cell that occurs
// in excluded combinations only is removed. Base cells do not see a naked single and see a cell with at most as many
// candidates as there are base cells (an excluder); the base has at least two common excluders. The third base cell is
// an excluder of one of the first two.
//
// Order (Sudoku Explainer): pairs of cells in increasing order of their bit mask; third cells by excluders of the first
// cell, then of the second.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// Bases of two or three cells; false if the visitor or the control stopped it.
bool find_aligned_exclusions(const TechniqueBoard& board, int size, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
