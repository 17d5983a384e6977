// Simulated annealing on box permutations (Lewis 2007).
//
// A random swap inside a box is accepted if the cost does not rise, else with probability exp(-delta / t). The first
// temperature is the variance of the cost over some random moves from the initial state. Each temperature lasts (open
// cells)² moves, the next is lower by a constant factor, and after several temperatures in a row without improvement it
// is reset to the first.
//
// The paper leaves open how the two cells are drawn (here: any open cell that can move, then another of its box),
// whether the sampling moves are undone (here: no, the state is random before and after), and what counts as an
// improvement (by default, a temperature improves if it reaches a lower cost than it started with).
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class Annealing : public SwapSearch {
public:
    // What the lowest cost at a temperature is compared with: the cost that it started with, or the lowest one so far.
    enum class Improvement { of_start, of_best };

    struct Parameters {
        double cooling;             // alpha
        int sampling_moves;         // for the variance
        double moves_factor;        // moves per temperature, as a multiple of (open cells)²
        std::int64_t reheat_after;  // temperatures without improvement
        Improvement improvement;
    };

    Annealing(const Parameters& parameters, Filter filter) : SwapSearch(std::move(filter)), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "temperatures", "reheats"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
