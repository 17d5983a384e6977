// Junior exocet: two base cells whose digits reappear in two target cells.
//
// Described for rows; columns work the same way. The two base cells lie in one row and one box and have three or four
// digits together, the base digits. Each of the other two boxes of the band has a target in one column, outside the
// base row. Either one of the two cells there has a base digit and the other one, its companion, can hold none; then
// the first is the target. Or both have base digits, and a locked digit that is no base digit: both can hold it, and no
// other cell of the column, or of the box, can. Then both cells are the target, which holds at most one base digit,
// too. Three columns are cross-lines: those of the targets, and the one of the base box without a base cell. Their
// cells outside the band are the S cells. For every base digit, two lines (rows or cross-lines) must cover all S cells
// that hold it or have it as a candidate.
//
// Let d be the digit of a base cell. It cannot be elsewhere in the base row and the base box, nor in a companion. So in
// each cross-line, d is in an S cell or, for two of the lines, in the target. If neither target had d, three S cells in
// three different rows and columns would hold d, which two lines cannot cover (by König's theorem, the condition on the
// cover is equivalent). So each of the two digits in the base is in a target, and each target has exactly one of them:
//
// - A target loses all digits that are neither base digits nor its locked digit.
// - A digit of one target is in an S cell of each of the other two cross-lines. A target loses a digit if these lines
//   have no S cells for it in different rows.
// - Let d be the digit of a target, in a cell outside the base row. In the box of the other target, d is neither in the
//   base row, nor in the row of this cell, nor in the second target (which holds the other digit) or its companion. Two
//   cells remain, the mirror: those in the third row, outside the cross-line. A target cell loses digits that its
//   mirror cannot hold. If a target has one cell, and only one cell of its mirror can hold one of its digits, this
//   mirror cell loses all other digits.
// - The bases and the targets hold the same two digits. Each of these cells loses digits that are in no such choice.
//
// Every rule follows from the conditions alone; uniqueness is not assumed. The argument needs exactly three boxes in a
// band and three rows in a box, so nothing is found on boards without 3×3 boxes.
//
// Source: the JExocet compendium by David P Bird (New Sudoku Players' Forum), without the rules for known base digits.
// Order: rows before columns, the base line, the base box, the base cells, the first target, the second target; targets
// of one cell come before those of two.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// False if the visitor stopped it.
bool find_junior_exocets(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
