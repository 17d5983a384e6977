// Random full grids.
//
// Up to size 16 they approach uniformity. A random descent fills the cell with the fewest candidates with one of them,
// all equally likely, and propagates; at a contradiction it begins anew. It meets a grid with the probability 1/W, W
// being the product of the numbers of candidates it had to choose from (so that the mean of W, with 0 for a
// contradiction, is the number of all grids: Knuth 1975). A chain of descents that moves from a grid of weight W to the
// next one of weight V with the probability min(1, V/W) (the independence sampler of Metropolis and Hastings) has the
// uniform distribution for its limit, and is the closer to it after a few steps the less the weights differ.
//
// Beyond that, descents end in contradictions. There a grid is built band by band without ever going back: in each box
// a random assignment of the digits to the columns that still lack them, then a random distribution of the columns'
// digits to the rows. Both are matchings in regular bipartite graphs and always exist (König). Every grid can come
// about, but not all equally often.
//
// A random symmetry (digits, bands, stacks, rows, columns, transposition of square boxes) ends both.
#pragma once

#include <optional>

#include "search/solver.h"

namespace sudokulab {

inline constexpr int largest_descent = 16;  // the size up to which descents are used
inline constexpr int num_mixing_steps = 8;  // descents in a chain

// Nothing if the control says stop.
std::optional<Grid> random_grid(BoxShape box, Control& control);

struct Descent {
    Grid grid;
    double log_weight = 0;
};
// One random descent; nothing if it ended in a contradiction.
std::optional<Descent> random_descent(BoxShape box, Rng& rng);

}  // namespace sudokulab
