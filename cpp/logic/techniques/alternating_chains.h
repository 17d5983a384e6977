// Alternating inference chains: from a false node over strong and weak links to a true one, so that one of the two is
// true; or around in a loop.
//
// - X-chain: one digit, both ends strong. Cells that see both ends lose the digit.
// - XY-chain: the same with all strong links inside cells with two candidates.
// - Alternating inference chain (AIC): the ends are true candidates of one digit, and at least two cells that see both
//   lose it; or two digits in cells that see each other, and each cell loses the digit of the other.
// - Discontinuous nice loop: the chain returns to its first cell, and a candidate there contradicts itself or is
//   proved.
// - Continuous nice loop: links alternate also in the first cell, where two digits meet. Every weak link is strong too:
//   cells that see both its ends lose the digit, and a cell with a weak link inside loses its other candidates. A
//   locked set in the loop removes its other digits from all cells that see them. The first cell has three candidates
//   or more: loops of cells with two candidates are left to XY-chains, which remove the same.
//
// Nice loops and AICs of candidates only are the plain techniques; grouped ones contain a group, and ones with almost
// locked sets contain such a set. No chain visits a cell twice, except for neighbouring links. X- and XY-chains have at
// least three links, and at most twenty. An almost locked set counts as two and a half links more, rounded down in
// total.
//
// Source: HoDoKu. Order: by length, then by the start of the chain. The search is breadth first from every candidate,
// and of chains with the same outcome, only the shortest is reported.
#pragma once

#include "logic/techniques/inference_graph.h"
#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Finds X-chains or XY-chains, or the nice loops and AICs of the scope. False if the visitor stopped it, or the
// control, before any report.
bool find_alternating_chains(const TechniqueBoard& board, ChainScope scope, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
