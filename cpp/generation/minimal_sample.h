// Random minimal puzzles with a known bias: the controlled-bias generator (Berthier 2009).
//
// Take a uniformly random full grid and remove its digits in a uniformly random order. The digits left when n of them
// are left are a uniformly random set of n cells, so a puzzle with n givens and this solution comes up with probability
// 1 / C(cells, n). If its solution is unique, so are those of all puzzles before it. If it is minimal, all puzzles
// after it have several solutions. So an order passes through at most one minimal puzzle: the last one with a unique
// solution, if that is minimal. Each minimal puzzle is the outcome with probability 1 / (grids · C(cells, n)), which
// depends only on its number of givens. Most orders have no minimal puzzle and are discarded.
//
// On 9×9 grids about one order in 250,000 has one, so several orders share a grid. Every order counts: the mean over
// all of them has no bias, and only puzzles of the same grid are not independent. A seed that stops at its first puzzle
// skips further ones of the same grid; with 128 orders per grid, that is a few in 10,000.
#pragma once

#include <span>
#include <vector>

#include "search/solver.h"

namespace sudokulab {

// The work of one seed: so many grids, and so many orders for each.
struct SamplingPlan {
    int num_grids;
    int num_orders;
};
SamplingPlan sampling_plan(BoxShape box);

struct MinimalPuzzle {
    Grid givens;
    Grid solution;
    int grid;  // its number among the grids of the seed
};

// The minimal puzzles of each seed, or only its first one. Those of seeds unfinished when `control` stops are missing.
// 9×9 grids are searched side by side.
std::vector<std::vector<MinimalPuzzle>> sample_each(BoxShape box, std::span<const std::uint64_t> seeds, bool only_first,
                                                    Control& control);

// The minimal puzzle of a full 9×9 grid whose digits are removed in this order; empty if there is none.
Grid minimal_in_order(const Grid& solution, std::span<const std::uint8_t> order, Control& control);

}  // namespace sudokulab
