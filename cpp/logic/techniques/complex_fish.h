// Complex fish: any n units against any other n units, for one digit, with fins.
//
// The base and the cover are n units each, with no unit in both. Each base unit contains the digit once, and each cover
// unit at most once. If all candidates of the base lie in exactly one base unit and in at least one cover unit, every
// cover unit takes the digit of one base unit. Then two kinds of candidates are false: those of the cover outside the
// base, and those in two cover units, even if they belong to the base.
//
// Base candidates that break this rule are fins: those outside the cover, and those in two base units (endo fins). The
// digit is either in a fin or the fish is intact, so that only candidates that see all fins are removed. At most five
// fins are allowed, including two endo fins.
//
// - Basic: rows against columns, or the reverse. Without fins it belongs to fish.h. With fins it is called sashimi if
//   some base unit has only one other candidate, otherwise finned.
// - Franken: rows or columns against the other lines, with boxes on either side or both.
// - Mutant: everything else.
// - Siamese (variant 1): two finned fish with the same base, each of which removes a candidate that the other does not
//   remove. A finned and a sashimi one are called finned.
//
// Every base unit has at least two candidates, every cover unit has a candidate in the base, and an instance removes at
// least one candidate.
//
// Source: HoDoKu (B. Hobiger), which follows "The Ultimate Fish Guide".
//
// Order: digits; bases with rows, then with columns (basic and franken); sets of base units, compared by their lowest
// unit first; then the covers, in the order of a depth-first search over the uncovered candidates. The siamese fish of
// a base come after its other fish.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

enum class FishShape : std::uint8_t { basic, franken, mutant };

// Fish of size two to seven, with or without fins; basic ones only with fins. False if the visitor or the control
// stopped it.
bool find_complex_fish(const TechniqueBoard& board, int size, FishShape shape, bool has_fins, Control& control,
                       const Visitor& visit);

}  // namespace sudokulab::techniques
