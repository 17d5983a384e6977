// Turbot fish: two strong links of one digit, joined by a weak link.
//
// A strong link is a unit with two positions for the digit. If an end of one link sees an end of another, not both can
// be true, so one of the two free ends is true, and candidates that see both free ends are removed. The four cells are
// different. An instance removes at least one candidate. Three forms have their own names:
//
// - Skyscraper: two parallel lines whose joined ends lie in the same crossing line, and whose free ends do not (that
//   would be an X-wing).
// - Two-string kite: a row and a column, joined in a box that contains neither free end.
// - Dual two-string kite: two kites with the same two cells in the box and different eliminations.
//
// Source: N. Mitchell ("turbot fish"), in the forms of HoDoKu (B. Hobiger). The turbot fish include the skyscrapers and
// kites.
//
// Order: digits; the units of the first link, then of the second, each as rows, columns, boxes; turbot fish by
// their free ends and then the joined ones. Dual kites: the first kite, then the second.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Each of these returns false if the visitor stopped it.
bool find_skyscrapers(const TechniqueBoard& board, const Visitor& visit);
bool find_two_string_kites(const TechniqueBoard& board, const Visitor& visit);
bool find_dual_two_string_kites(const TechniqueBoard& board, const Visitor& visit);
bool find_turbot_fish(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
