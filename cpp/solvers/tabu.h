// Tabu search on box permutations: algorithm 1 of Soto et al. (2013), the ancestor of their hybrid.
//
// Of the neighbours that do not bring back a feature on the tabu list (a digit that a cell has recently lost), the best
// is taken if it is no worse than the current state. The features lost by the move enter the list, which is first in,
// first out.
//
// The paper prints the algorithm for no particular problem. Our choices: a state is a box permutation, and its cost is
// the number of digits missing from rows and columns; a neighbour is a swap inside a box; the candidate list holds a
// random sample of the neighbours, or all of them. By line 11 the search never accepts a higher cost, so it does not
// leave its first local minimum. Restarts from a random state, after a number of iterations in a row that do not lower
// the cost, are our addition and off by default.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class Tabu : public SwapSearch {
public:
    struct Parameters {
        int tabu_size;
        int candidates;              // 0: the whole neighbourhood
        std::int64_t restart_after;  // iterations without a lower cost; 0: never
    };

    Tabu(const Parameters& parameters, Filter filter) : SwapSearch(std::move(filter)), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "restarts"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
