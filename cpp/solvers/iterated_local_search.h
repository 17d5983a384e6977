// Iterated local search with constraint programming: algorithms 1 and 2 of Musliu & Winter (2017).
//
// The local search is min-conflicts with a tabu list of swaps. An open cell in conflict is drawn, and its best swap
// inside the box that is not tabu is made if it lowers the cost, else with some probability. A tabu swap is made if it
// leads to a new best state. After a number of steps without a new best, the best state of this local search is
// perturbed: all open cells in conflict and a share of the others are emptied, a search with forward checking refills
// what it can, and the rest is filled at random inside the boxes. The share shrinks after every perturbation.
//
// Our choices: the limit on the nodes of the refill, which keeps the fullest assignment, and its order.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class IteratedLocalSearch : public SwapSearch {
public:
    struct Parameters {
        int tabu_size;                  // swaps
        std::int64_t local_iterations;  // steps without a new best before a perturbation
        double acceptance;              // probability of a swap that does not lower the cost
        double reset_factor;            // share of the open cells without conflict that the first perturbation empties
        double reset_decay;             // factor between the shares of successive perturbations
        std::int64_t refill_nodes;      // assignments tried to refill them
    };

    IteratedLocalSearch(const Parameters& parameters, Filter filter)
        : SwapSearch(std::move(filter)), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "perturbations"}); }

private:
    Parameters parameters_;
};

// Empties all open cells in conflict and a share of the others, and refills them.
void perturb(BoxPermutation& state, double share, std::int64_t num_nodes, Control& control);

}  // namespace sudokulab
