// Uniformly distributed random full 9×9 grids, each of the 6,670,903,752,021,072,936,960 grids equally likely.
//
// Forget the order of the digits in each row of each box: a band becomes a 3×3 array of triples, in which every row and
// every box holds all digits. A grid is three such bands, and for each stack one of the ways to order its nine triples
// so that the columns hold all digits. The number of ways depends only on the partitions of the digits into triples in
// the stack's three boxes, and tables hold the ways of all 5 · 280 cases that differ by more than a relabelling of the
// digits. The first band has two cases up to relabelling; the second is drawn in proportion to an upper bound of the
// number of grids, the third uniformly, and the result is accepted with probability number / bound. Everything is
// counted in integers, so the distribution is exactly uniform.
#pragma once

#include <cstdint>

#include "search/control.h"
#include "search/rng.h"

namespace sudokulab {

// Writes 81 digits.
void write_uniform_grid(Rng& rng, std::uint8_t* grid);

// The number of 9×9 grids divided by 560 · 6⁶, as a check of the tables: counted from them, in a second or two. Stops
// early if told to.
std::uint64_t num_grid_classes(const Interrupted& stop);

}  // namespace sudokulab
