// A genetic algorithm on box permutations, after Mantere & Koljonen (2007).
//
// An individual is a box permutation. Its fitness, to be minimised, is the number of digits missing from its rows and
// columns. The fittest survive unchanged; the others are children of two parents, cut only at box boundaries and then
// mutated by swaps inside boxes.
//
// This follows the description of the algorithm in Soto et al. (2013) and the literature: a small population with
// elitism, crossover at box boundaries, swap mutation. Our choices: parents win tournaments of two; each box of a child
// comes from either parent with equal probability; each box then mutates with a given probability by one swap.
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
