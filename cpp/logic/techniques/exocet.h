// Junior exocet: two base cells whose digits reappear in two target cells.
//
// Described for rows; columns work the same way. The two base cells lie in one row and one box and have three or four
// digits together, the base digits. Each of the other two boxes of the band has a target cell, outside the base row,
// which has a base digit. The companion of a target is the third cell of its column in its box, below or above the base
// row too; it can hold no base digit. Three columns are cross-lines: those of the targets, and the one of the base box
// without a base cell. Their cells outside the band are the S cells. For every base digit, two lines (rows or
// cross-lines) must cover all S cells that hold it or have it as a candidate.
//
// Let d be the digit of a base cell. It cannot be elsewhere in the base row and the base box, nor in a companion. So in
// each cross-line, d is in an S cell or, for two of the lines, in the target. If neither target were d, three S cells
// in three different rows and columns would hold d, which two lines cannot cover (by König's theorem, the condition on
// the cover is equivalent). So each of the two digits in the base is in a target, and the targets hold exactly these
// two:
//
// - A target loses all digits that are not base digits.
// - A digit of one target is in an S cell of each of the other two cross-lines. A target loses a digit if these lines
//   have no S cells for it in different rows.
// - Let d be the digit of a target. In the box of the other target, d is neither in the base row, nor in the row of the
//   first target, nor in the second target (which holds the other digit) or its companion. Two cells remain, the
//   mirror of the target: those in the third row, outside the cross-line. A target loses digits that its mirror cannot
//   hold. If only one cell of the mirror can hold a digit of the target, this cell loses all other digits.
// - The bases and the targets hold the same two digits. Each of these cells loses digits that are in no such choice.
//
// Every rule follows from the conditions alone; uniqueness is not assumed. The argument needs exactly three boxes in a
// band and three rows in a box, so nothing is found on boards without 3×3 boxes.
//
// Source: the JExocet compendium by David P Bird (New Sudoku Players' Forum), without the rules for known base digits.
// Order: rows before columns, the base line, the base box, the base cells, the first target, the second target.
#pragma once

#include "logic/techniques/board.h"
#include "logic/techniques/step.h"

namespace sudokulab::techniques {

// False if the visitor stopped it.
bool find_junior_exocets(const OpenBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
