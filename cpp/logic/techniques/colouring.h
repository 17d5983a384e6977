// Colouring: the strong links of a digit, in two alternating colours.
//
// In a connected set of strong links (units with two positions for the digit), the cells of one colour are all true and
// those of the other all false. A candidate sees a colour if it sees a cell of it.
//
// Simple colouring, one connected set:
// - Kind 1 (trap): candidates that see both colours are removed.
// - Kind 2 (wrap): two cells of the same colour see each other, so all cells of this colour are removed.
//
// Multi-colouring, two connected sets:
// - Kind 1: a colour of one set sees a colour of the other, so one of the two opposite colours is true, and candidates
//   that see both of these are removed. The four combinations of colours make up one instance.
// - Kind 2: a colour sees both colours of the other set, so all its cells are removed.
//
// `Step::variant` is the kind. An instance removes at least one candidate. The links of a step are its strong links.
//
// Source: HoDoKu (B. Hobiger).
//
// Order: digits; connected sets by their lowest cell; for one set or pair of sets kind 2, then kind 1. Kind 2 looks at
// each pair of sets in both orders.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Each of these returns false if the visitor stopped it.
bool find_simple_colouring(const TechniqueBoard& board, const Visitor& visit);
bool find_multi_colouring(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
