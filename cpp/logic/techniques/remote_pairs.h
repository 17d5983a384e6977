// Remote pair: a chain of cells with the same two candidates.
//
// Neighbouring cells of the chain see each other, so the two digits alternate along it. Two cells at an odd distance
// hold both digits, and candidates of the two digits that see both cells are removed. At distance one that is a naked
// pair, so that a chain has at least four cells, and an even number.
//
// An instance is a shortest chain between two cells, and removes what any two of its cells at an odd distance of three
// or more remove. At least one candidate sees both ends. If there are several shortest chains, the one with the lowest
// cells counts. `Step::length` is the number of links, within the cells and between them: 7 for four cells.
//
// Source: HoDoKu (B. Hobiger).
//
// Order: the first end, then the second, by cell.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// False if the visitor stopped it.
bool find_remote_pairs(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
