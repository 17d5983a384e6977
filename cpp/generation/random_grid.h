// Random full grids.
//
// Up to size 16, they approach uniformity. A random descent repeatedly fills the cell with the fewest candidates with
// one of them, chosen uniformly, and propagates; after a contradiction it starts over. It reaches a grid with
// probability 1/W, where W is the product of the numbers of candidates it chose from. (The mean of W, with 0 for a
// contradiction, is thus the total number of grids: Knuth 1975.) A chain of descents that moves from a grid of weight W
// to the next one of weight V with probability min(1, V/W) (the independence sampler of Metropolis and Hastings)
// converges to the uniform distribution. The less the weights differ, the closer it is after a few steps.
//
// For larger sizes, descents end in contradictions. There a grid is built band by band without backtracking: in each
// box, a random assignment of the digits to the columns that still lack them, then a random distribution of each
// column's digits to the rows. Both are matchings in regular bipartite graphs and always exist (König). Every grid is
// possible, but not equally likely.
//
// Both methods end with a random symmetry (digits, bands, stacks, rows, columns, transposition of square boxes).
#pragma once

#include <optional>

#include "search/solver.h"

namespace sudokulab {

inline constexpr int largest_descent = 16;  // the size up to which descents are used
inline constexpr int num_mixing_steps = 8;  // descents in a chain

// Nothing if the control stops it.
std::optional<Grid> random_grid(BoxShape box, Control& control);

struct Descent {
    Grid grid;
    double log_weight = 0;
};
// One random descent; nothing if it ended in a contradiction.
std::optional<Descent> random_descent(BoxShape box, Rng& rng);

}  // namespace sudokulab
