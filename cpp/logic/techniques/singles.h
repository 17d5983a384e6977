// Singles: the last digit of a unit, of a position, or of a cell.
//
// A full house is the last open cell of a unit, a last digit the last missing occurrence of a digit. A hidden single is
// the only position left for a digit in a unit; a naked single is the only digit left in a cell. Every unit in which a
// digit has one position left is an instance, so a digit that is single in its row and in its box counts twice.
//
// Order: hidden singles in boxes, columns, rows, digits ascending within a unit (all full houses first); naked singles
// by cell. This is the order of Sudoku Explainer (N. Juillerat, 2006).
#pragma once

#include <optional>

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Each of these returns false if the visitor stopped it.
bool find_full_houses(const TechniqueBoard& board, const Visitor& visit);
bool find_last_digits(const TechniqueBoard& board, const Visitor& visit);
// Including full houses and last digits.
bool find_hidden_singles(const TechniqueBoard& board, const Visitor& visit);
bool find_naked_singles(const TechniqueBoard& board, const Visitor& visit);

// The first full house, hidden or naked single; most steps of a path are singles.
std::optional<Step> first_single(const TechniqueBoard& board, Technique technique);

}  // namespace sudokulab::techniques
