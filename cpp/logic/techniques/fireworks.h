// Fireworks: digits that a row and a column can only leave their common box through one cell each.
//
// Take an open cell X, an open cell Y of its row and an open cell Z of its column, both outside its box. A digit is a
// firework of X, Y and Z if its candidates in the row are in the box or in Y, and those in the column in the box or in
// Z. It may be missing from any of the three cells. One of the three holds the digit: if neither Y nor Z does, row and
// column both have it in the box; since the box holds it only once, it is where they meet, in X.
//
// - Three fireworks of the same cells: three digits, each in at least one of three cells, so the cells lose all others.
// - Four fireworks: two of X, Y and Z, and two others of W, Z and Y, where W is the cell that completes the rectangle.
//   Four digits fill four cells. X keeps its own two digits, because the other two are in W, Y and Z; W keeps its own
//   two; Y and Z keep all four.
// - Two fireworks, and the candidates of W are just these two digits: whichever W holds, Y and Z do not, so X does. X
//   loses all other digits.
//
// With three or four, each digit is in one of its three cells, so cells that see all its candidates there lose it.
//
// Source: "Fireworks" by shye (New Sudoku Players' Forum), the triple, the quadruple and the double with a bivalue
// cell. Order: by number of digits: three, four, two; then X, Y, Z and the digits, with X before W.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// False if the visitor stopped it.
bool find_fireworks(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
