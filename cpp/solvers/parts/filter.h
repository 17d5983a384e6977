// Filters that fix cells before a search, as in cp+annealing.
//
// `cp` is the deterministic procedure of Lewis (2007): naked singles, then hidden singles in rows, columns and boxes,
// starting over after each. The order does not affect the result, so the board's propagation does the work. `ac3` is
// arc consistency as in Soto et al. (2013); on disequalities it amounts to naked singles. `rules` applies the ten rules
// of San Segundo & Jiménez (2009) until nothing changes; `techniques` does the same with any list of techniques. None
// of them may assume that the solution is unique.
#pragma once

#include "logic/techniques/step.h"
#include "search/solver.h"
#include "solvers/parts/constraint_network.h"

namespace sudokulab {

struct Filter {
    enum class Kind { none, cp, ac3, rules, techniques };

    Kind kind = Kind::none;
    std::vector<techniques::Technique> techniques;  // of the last kind, in order
};

// The givens and all cells fixed by the filter; nothing on a contradiction or if stopped. A viewer of the control sees
// every elimination of AC3, and the result of the other filters.
std::optional<Grid> filtered_givens(const Puzzle& puzzle, const Filter& filter, Control& control);

// The statistic of a filtered search: the share of cells given or fixed, 0 on a contradiction.
Stats::value_type share_fixed(const std::optional<Grid>& fixed);

// AC3 on all arcs, in view. False if a domain is empty or if stopped.
bool run_ac3(const ConstraintNetwork& network, Domains& domains, Control& control);

// The domains of the puzzle's network: one value for a given, all for a blank.
Domains initial_domains(const Puzzle& puzzle);

// The digits of the cells whose domain has one value, 0 for the others.
Grid grid_of(const Domains& domains);

}  // namespace sudokulab
