// Iterated local search with constraint programming: Musliu & Winter (2017), as the authors' program does it.
//
// Singles fix what they can. The local search is min-conflicts with a tabu list of swaps: an open cell in conflict is
// drawn, and its best swap inside the box that is not tabu is made if it does not raise the cost, else with some
// probability. A tabu swap is made if it leads to a new best state. After a number of steps without a new best, the
// best state of this local search is perturbed: all open cells in conflict and a random share of all open cells are
// emptied. Backtracking with singles refills them if it can do so in time; otherwise they are filled at random inside
// the boxes. The share shrinks after every perturbation. The first one empties all open cells, so that the backtracking
// sees the puzzle itself.
//
// As in the program, a cell can be swapped with itself, every chosen swap becomes tabu whether it is made or not, and
// only for the drawn cell. The program limits the backtracking to five seconds; we limit its nodes, so that runs can be
// repeated.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class IteratedLocalSearch : public SwapSearch {
public:
    struct Parameters {
        double tabu_share;              // iterations in which a swap is tabu, as a share of the number of open cells
        std::int64_t local_iterations;  // steps without a new best before a perturbation
        double acceptance;              // probability of a swap that raises the cost
        double reset_factor;            // share of the open cells that the first perturbation empties
        double reset_decay;             // factor between the shares of successive perturbations
        std::int64_t refill_nodes;      // limit of the backtracking that refills them
    };

    IteratedLocalSearch(const Parameters& parameters, Filter filter)
        : SwapSearch(std::move(filter)), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "perturbations"}); }

private:
    Parameters parameters_;
};

// Empties all open cells in conflict and a share of all open cells, and refills them.
void perturb(BoxPermutation& state, double share, std::int64_t num_nodes, Control& control);

}  // namespace sudokulab
