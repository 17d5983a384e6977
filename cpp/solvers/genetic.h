// A genetic algorithm on box permutations, after Mantere & Koljonen (2007).
//
// An individual is a box permutation; its fitness, to be minimised, the digits missing from its rows and columns. The
// fittest survive as they are; the others are children of two parents, cut only at box borders and then mutated by
// swaps inside boxes.
//
// This follows what Soto et al. (2013) and the literature report of the algorithm: a small population with elitism,
// crossover at box borders, swap mutation. Chosen here: parents win tournaments of two; each box of a child comes from
// either parent with equal chance; each box then mutates with a given probability by one swap.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class Genetic : public SwapSearch {
public:
    struct Parameters {
        int population;
        int elite;                   // individuals that survive unchanged
        double crossover;            // probability that a child has two parents
        double mutation;             // probability of a swap in each box
        std::int64_t restart_after;  // generations without a better individual; 0: never
    };

    Genetic(const Parameters& parameters, Filter filter) : SwapSearch(filter), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "restarts"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
