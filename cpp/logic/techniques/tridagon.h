// Tridagon: twelve cells that three digits cannot fill.
//
// Take four boxes in two bands and two stacks, three rows of each band and three columns of each stack (in 3×3 boxes,
// all of them), and in each box three open cells, one in each of these rows and columns. Each cell has at least two of
// three digits; its other candidates are guardians.
//
// The three digits cannot fill the cells if an odd number of the boxes is odd, where a box is odd if its columns, read
// row by row, are an odd permutation. Suppose they did. In each box, the digits read row by row are a permutation. Two
// boxes of a band differ in every row, so one is the other after a derangement of three digits, which is a 3-cycle and
// even: both have the same parity by rows. In the same way, two boxes of a stack have the same parity by columns. The
// two parities of a box differ if and only if the box is odd. Going around the four boxes, the parity changes once for
// every odd box and returns to its start, so the number of odd boxes is even.
//
// So a guardian is true:
//
// - One guardian: it is placed.
// - Several in one cell: the cell loses the three digits.
// - The same digit in several cells: other cells that see all of them lose it.
//
// With guardians of several digits in several cells, no candidate conflicts with all of them, so nothing follows
// directly. Missing digits (degenerate forms) do not matter, since the argument only limits what the cells can hold.
//
// Source: the tridagon rule by Denis Berthier, known before as trivalue oddagon or Thor's hammer (New Sudoku Players'
// Forum, puzzles by mith). Order: the digits, the bands, the stacks, the cells of the boxes.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// False if the visitor stopped it.
bool find_tridagons(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
