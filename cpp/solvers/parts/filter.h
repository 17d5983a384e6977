// What can be fixed before a search begins: the first half of every hybrid.
//
// `cp` is Lewis's (2007) deterministic procedure: naked singles, then hidden singles in rows, columns and boxes, back
// to the start after each. Its order does not change its end, so the board's propagation does the work. `ac3` is arc
// consistency as in Soto et al. (2013); on disequalities that amounts to naked singles.
#pragma once

#include "search/solver.h"
#include "solvers/parts/constraint_network.h"

namespace sudokulab {

enum class Filter { none, cp, ac3 };

// The givens and all that the filter fixes besides; nothing if it meets a contradiction or is stopped.
std::optional<Grid> filtered_givens(const Puzzle& puzzle, Filter filter, const std::function<bool()>& must_stop = {});

// The domains of the puzzle's network: one value for a given, all for a blank.
Domains initial_domains(const Puzzle& puzzle);

// The digits of the cells whose domain has one value, 0 for the others.
Grid grid_of(const Domains& domains);

// Whether a given stands twice in a unit.
bool has_clash(const Puzzle& puzzle);

}  // namespace sudokulab
