// Tabu search on box permutations: algorithm 1 of Soto et al. (2013), the ancestor of their hybrid.
//
// Of the neighbours that do not bring back a feature on the tabu list (a digit that a cell has recently lost), the best
// is taken. The features lost by the move enter the list, which is first in, first out.
//
// The paper prints the algorithm for no particular problem. Our choices: a state is a box permutation, and its cost is
// the number of digits missing from rows and columns; a neighbour is a swap inside a box; the candidate list holds all
// neighbours, or a random sample. Line 11 accepts the best candidate only if it costs no more, so the search could not
// leave its first local minimum, although the list is there to leave poor regions (section 3.1). By default, we take
// the candidate even if it costs more, and a tabu one if it costs less than all states before (aspiration). Restarts
// from a random state are our addition and off by default.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class Tabu : public SwapSearch {
public:
    struct Parameters {
        int tabu_size;
        int candidates;              // 0: the whole neighbourhood
        bool accept_worse;           // false: line 11 as printed, without aspiration
        std::int64_t restart_after;  // iterations without a new lowest cost; 0: never
    };

    Tabu(const Parameters& parameters, Filter filter) : SwapSearch(std::move(filter)), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "restarts"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
