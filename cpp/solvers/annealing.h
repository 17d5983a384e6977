// Simulated annealing on box permutations (Lewis 2007).
//
// A random swap inside a box is accepted if the cost does not rise, else with probability exp(-delta / t). The first
// temperature is the variance of the cost over some random moves from the initial state; each temperature lasts (open
// cells)² moves, the next is a constant factor lower, and after some temperatures in a row without improvement it is
// set back to the first.
//
// The paper leaves open how the two cells are drawn (here: any open cell that can move, then another of its box),
// whether the sampling moves are taken back (here: not, the state is random before and after), and what an improvement
// is (here: a temperature improves if it meets a lower cost than it began with).
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class Annealing : public SwapSearch {
public:
    struct Parameters {
        double cooling;             // alpha
        int sampling_moves;         // for the variance
        double moves_factor;        // times (open cells)², moves at each temperature
        std::int64_t reheat_after;  // temperatures without improvement
    };

    Annealing(const Parameters& parameters, Filter filter) : SwapSearch(filter), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "temperatures", "reheats"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
