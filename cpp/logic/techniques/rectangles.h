// Uniqueness tests: rectangles in two boxes that must not be filled with two digits.
//
// Four open cells in two rows, two columns and two boxes cannot hold only the digits a and b, alternating, because
// exchanging them would give a second solution. One cell must have just these two candidates. A candidate of the other
// cells may have been removed before, as long as no placed digit excludes it: a rectangle with all eight candidates is
// of variant 1, one with missing candidates of variant 2. A pair cell has no candidates but a and b; the others are
// extra cells.
//
// - Test 1: three pair cells. The extra cell loses a and b.
// - Test 2: all extra cells, two in one line, have the same single extra digit. Cells that see both lose it.
// - Test 3: two extra cells share a unit, where their extra digits act as one cell in a naked subset. The cells of the
//   subset have neither a nor b. A subset in one line and one box acts in both if it removes a candidate from the line.
// - Test 4: two extra cells in one line; no other cell that sees both has a. Both lose b (or the reverse).
// - Test 5: as test 2, but the extra cells are diagonal, or there are three.
// - Test 6: two diagonal extra cells; the two rows and columns have a only in the rectangle. The extra cells lose a.
// - Hidden rectangle: one pair cell, or two diagonal ones; the row and column of the cell opposite to one of them have
//   a only in the rectangle. This cell loses b.
//
// Avoidable rectangles are rectangles of placed digits that are not givens:
//
// - Type 1: three placed cells. The fourth has two candidates and loses the one that would complete the rectangle.
// - Type 2: two placed cells in one box; the others have one rectangle digit each and the same single extra digit.
//   Cells that see both lose it.
//
// Source: HoDoKu (uniqueness tests 1–6, hidden rectangle, avoidable rectangle). Order: the first pair cell or placed
// cell of the rectangle, its neighbour in the box, the opposite side, then the test.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// False if the visitor or the control stopped it.
bool find_rectangles(const TechniqueBoard& board, Control& control, const Visitor& visit);
// False if the visitor stopped it.
bool find_avoidable_rectangles(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
