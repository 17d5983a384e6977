// Iterated local search with constraint programming, after Musliu & Winter (2017).
//
// Local search is min-conflicts with a tabu list on box permutations: an open cell in conflict is drawn, and of its
// swaps inside the box the best that is not tabu is made, or any that leads to a new best. When that has not helped for
// a while, the best state of the climb is accepted if it is better than the one accepted last, else with some
// probability. The state accepted last is then perturbed: some cells are emptied, the ones in conflict first, and
// filled again by a search with forward checking that takes the cell with the smallest domain first. What that cannot
// fill is filled at random inside its box.
//
// This follows the summary in Lloyd & Amos (2019), who compare with it. Chosen here: the share of cells to be emptied,
// the limit on the nodes of the refilling, which keeps the deepest assignment it met, and the sizes below.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class IteratedLocalSearch : public SwapSearch {
public:
    struct Parameters {
        int tabu_size;
        std::int64_t local_iterations;  // steps without a new best before a perturbation
        double perturbation;            // share of the open cells that is emptied
        std::int64_t refill_nodes;      // assignments tried to fill them again
        double acceptance;              // probability of going on from a state that is no better
    };

    IteratedLocalSearch(const Parameters& parameters, Filter filter) : SwapSearch(filter), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "perturbations"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
