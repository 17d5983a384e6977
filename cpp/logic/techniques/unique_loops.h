// Unique rectangles and loops: two digits that must not fill a loop of cells.
//
// In a loop of cells that visits every row, column and box either not at all or once in each direction, the same two
// digits could be exchanged all around. A puzzle with one solution therefore has another candidate somewhere on the
// loop. The loop alternates between kinds of units, starts in a cell with just the two digits, and has at most two
// cells with further candidates, or any number if they all have the same single extra digit. A loop of four cells is a
// rectangle.
//
// - Type 1: one cell has extra candidates, so it loses the two digits.
// - Type 2: all extra candidates are the same digit, so cells that see all of them lose it.
// - Type 3: two cells share a unit and have several extra digits, which act as one cell in a naked or hidden subset of
//   that unit (`Step::length` is the number of digits of a naked subset, or of other cells of a hidden one, as counted
//   by Sudoku Explainer; the units hold the unit of the subset).
// - Type 4: two cells share a unit that has no other position for one of the two digits, so both lose the other digit.
//
// Order (Sudoku Explainer): start cell, then depth first over boxes, rows and columns; for one loop types 1, 2, 3, 4;
// subsets by size, then unit, naked before hidden. Each loop counts once.
//
// Sudoku Explainer 1.2.1 overlooks loops of type 2 with more than two extra cells if it has tried a cell with another
// extra digit before at the same place, and hidden subsets smaller than the number of extra digits. lksudoku corrected
// this for Sukaku Explainer.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// False if the visitor or the control stopped it.
bool find_unique_loops(const TechniqueBoard& board, Coverage coverage, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
