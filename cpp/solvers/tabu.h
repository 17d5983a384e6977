// Tabu search on box permutations: algorithm 1 of Soto et al. (2013), the ancestor of their hybrid.
//
// Of the neighbours that bring back no feature on the tabu list (a cell holding a digit that it was made to give up)
// the best is taken if it is no worse than the present state; what the move gave up goes onto the list, and the list
// forgets in order of entry.
//
// The paper prints the algorithm for no puzzle in particular. Chosen here: a state is a box permutation and its cost
// the digits missing from rows and columns; a neighbour is a swap inside a box; the candidate list holds a random
// sample of the neighbours, or all of them; after so many iterations in a row that do not lower the cost the search
// begins anew from a random state, without which it would stay in its first local minimum for good, since by line 11 it
// never climbs.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class Tabu : public SwapSearch {
public:
    struct Parameters {
        int tabu_size;
        int candidates;              // 0: the whole neighbourhood
        std::int64_t restart_after;  // iterations without a lower cost
    };

    Tabu(const Parameters& parameters, Filter filter) : SwapSearch(filter), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "restarts"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
