// Bivalue universal grave (BUG): a board on which every cell has two candidates, and every digit zero or two positions
// in every unit, has no solution or several.
//
// If a board would be such a grave without some extra candidates, one of these must be true in a puzzle with one
// solution. An extra candidate is one whose digit has another number of positions than zero or two in some unit, in a
// cell with three candidates or more.
//
// - Type 1: one cell has extra candidates, so it loses all others.
// - Type 2: all extra candidates are the same digit, so cells that see all of them lose it.
// - Type 3: the cells with extra candidates share a unit, where these digits act as one cell in a naked subset
//   (`Step::length` is the size of the subset).
// - Type 4: two cells with extra candidates share a unit and one other digit, which one of them must hold, so they lose
//   their remaining candidates.
//
// Order (Sudoku Explainer): types 1, 2, 4, 3; subsets by box, row, column, then by size.
//
// Sudoku Explainer 1.2.1 overlooks graves of type 2 with a cell that shares every unit with another extra cell.
// lksudoku corrected this for Sukaku Explainer, which also looks for subsets by size first.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// False if the visitor or the control stopped it.
bool find_graves(const TechniqueBoard& board, Coverage coverage, Control& control, const Visitor& visit);

// BUG+1 (HoDoKu): the grave of type 1 in which all cells but one have two candidates, and this one has three.
bool find_bug_plus_1(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
