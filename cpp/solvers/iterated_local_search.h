// Iterated local search with constraint programming, after Musliu & Winter (2017).
//
// The local search is min-conflicts with a tabu list on box permutations: an open cell in conflict is drawn, and its
// best swap inside the box is made among those that are not tabu or lead to a new best. After a number of steps without
// a new best, the best state of the climb is accepted if it is better than the last accepted one, else with some
// probability. The last accepted state is then perturbed: some cells are emptied, those in conflict first, and refilled
// by a search with forward checking that takes the cell with the smallest domain first. Cells that it cannot fill are
// filled at random inside their box.
//
// This follows the summary in Lloyd & Amos (2019), who compare with it. Our choices: the fraction of cells to empty,
// the node limit of the refill, which keeps the deepest assignment it reached, and the sizes below.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class IteratedLocalSearch : public SwapSearch {
public:
    struct Parameters {
        int tabu_size;
        std::int64_t local_iterations;  // steps without a new best before a perturbation
        double perturbation;            // fraction of the open cells that is emptied
        std::int64_t refill_nodes;      // assignments tried to refill them
        double acceptance;              // probability of continuing from a state that is no better
    };

    IteratedLocalSearch(const Parameters& parameters, Filter filter) : SwapSearch(filter), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "perturbations"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
