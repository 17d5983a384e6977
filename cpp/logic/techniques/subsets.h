// Subsets: as many cells as digits, in one unit.
//
// Naked subset: n cells of a unit hold only n digits together, so the other cells of the unit lose these digits. Hidden
// subset: n digits fit only n cells of a unit together, so these cells lose all other digits. Each cell (naked) or
// digit (hidden) of the subset must have at least two candidates. An instance removes at least one candidate.
//
// A naked subset in the intersection of a box and a line clears both units. If it does remove candidates from both, it
// is called locked (as in HoDoKu), up to three cells.
//
// Sudoku Explainer treats the two units as two instances and knows no locked subsets. It also requires at least 2n
// (naked) or 2n + 1 (hidden) open cells in the unit; a larger subset than the rest of the unit is better seen as its
// complement.
//
// A direct hidden subset is one whose eliminations leave a single position for another digit of the unit; it also
// places that digit (the lowest, if there are several). It needs only n + 1 open cells.
//
// Order (Sudoku Explainer): boxes, columns, rows; within a unit, subsets of positions or digits in increasing order of
// their bit mask.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Subsets of two to four (locked ones: up to three); each of these returns false if the visitor stopped it. Naked ones
// include the locked ones.
bool find_naked_subsets(const TechniqueBoard& board, int size, Coverage coverage, const Visitor& visit);
bool find_locked_subsets(const TechniqueBoard& board, int size, const Visitor& visit);
bool find_hidden_subsets(const TechniqueBoard& board, int size, Coverage coverage, const Visitor& visit);
bool find_direct_hidden_subsets(const TechniqueBoard& board, int size, const Visitor& visit);

}  // namespace sudokulab::techniques
