// Which of several instances of a technique HoDoKu takes, and in which order it removes candidates.
//
// Our finders visit instances in an order of their own. Among those that the default settings of HoDoKu admit, the one
// with the lowest rank is the one that HoDoKu finds first.
#pragma once

#include <map>
#include <vector>

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::hodoku {

using Rank = std::vector<int>;

// Whether the default settings of HoDoKu admit the instance.
bool is_admitted(const techniques::TechniqueBoard& board, const techniques::Step& step);

// Sorts the eliminations as HoDoKu does, which determines the order of the singles that arise: those of subsets by line
// before box, those of rectangles by cell, and those of chains with two digits from the end of the chain.
void sort_eliminations(const techniques::TechniqueBoard& board, techniques::Step& step);

// The rank in the order of HoDoKu's search for the pattern.
Rank rank_of_pattern(const techniques::TechniqueBoard& board, const techniques::Step& step);

// The rank of a chain: the most eliminations first, then the lowest sum of their cells, where later ones weigh more.
// Otherwise as found: nice loops before other chains, those that assume a candidate true before those that assume one
// false, then by the start.
Rank rank_by_outcome(const techniques::Step& step);

// The numbers of the almost locked sets of a board, by their cells.
using SetNumbers = std::map<std::vector<int>, int>;
SetNumbers number_sets(const techniques::TechniqueBoard& board, Control& control);
// The rank of an ALS-XY-wing, by the pairs of sets that make up the wing.
Rank rank_of_wing(const techniques::Step& step, const SetNumbers& numbers);

}  // namespace sudokulab::hodoku
