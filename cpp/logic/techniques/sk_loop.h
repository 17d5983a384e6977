// SK loop: eight pairs of cells around four placed cells, linked into a ring that has as many digits as cells.
//
// Four placed cells, the corners of a rectangle, lie in four boxes. Around each corner, its box has the other cells of
// the corner's row and those of its column: in 3×3 boxes, a pair each. The eight pairs form a ring: the two pairs of a
// row, of a column and of a box are neighbours, and this unit links them. A pair has at least one open cell.
//
// Assign digits to the eight links so that every candidate of a pair is assigned to one of its two links. If as many
// digits are assigned in total as the pairs have open cells, every link holds each of its digits exactly once: a cell
// takes a digit of one of its links, and a unit has a digit at most once, so all assigned digits are used up. Therefore
//
// - the other cells of a link's unit lose the digits of the link;
// - a pair loses a digit that is assigned to both its links, because it would be used up twice.
//
// For each digit, the assignments with the fewest links are found; the fewest of all digits must sum up to the number
// of open cells. Every such assignment is a proof, so the step has the eliminations of all of them. Every link must
// join a digit of both its pairs in one of them; otherwise the ring falls apart into simpler patterns.
//
// Source: the loop that Steve Kurzhals found in the Easter Monster. Boxes need three rows and three columns at least;
// in larger ones the "pairs" have more cells, and the argument is the same. Order: the rows, then the columns of the
// corners.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// False if the visitor stopped it.
bool find_sk_loops(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
