// Basic fish: as many base lines as cover lines for one digit.
//
// In n parallel lines (the base), the digit is confined to n crossing lines (the cover), so the rest of the cover loses
// it: X-wing (2), swordfish (3), jellyfish (4), squirmbag (5), whale (6), leviathan (7). Every base line must have at
// least two positions. An instance removes at least one candidate.
//
// Sudoku Explainer also requires that the digit is missing from at least 2n lines; in other cases, the remaining lines
// form a smaller fish.
//
// Order (Sudoku Explainer): columns as base, then rows; sets of base lines in increasing order of their bit mask, then
// digits.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// Fish of size two to seven; false if the visitor or the control stopped it.
bool find_fish(const TechniqueBoard& board, int size, Coverage coverage, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
