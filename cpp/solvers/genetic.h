// The genetic algorithm of Mantere & Koljonen (2007) on box permutations, as two public summaries describe it.
//
// Per row and column, the fitness (to be minimised) counts the missing and the surplus digits: twice the cost of a box
// permutation. The population is ranked by fitness. The child at rank i has two parents drawn from the ranks above it
// and takes each box from either of them; then it may mutate. The fittest individuals survive, but whenever the best
// one stays the best, its fitness gets worse. The population is drawn anew at regular intervals.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

// How a child mutates: in one box, and by swaps if by nothing else.
struct Mutation {
    double three_swap;   // probability that three digits change places
    double insertion;    // probability that a digit moves, and those in between make room
    bool ends_at_given;  // a sequence of swaps; otherwise its cells are drawn from the open ones
    int max_swaps;
    int max_repeats;  // of a moved digit in the row and column of its new cell; 0: no limit
};

class Genetic : public SwapSearch {
public:
    struct Parameters {
        int population;
        int elite;         // individuals that survive unchanged
        double crossover;  // probability that a child has two parents
        double mutation;   // probability that a child mutates
        Mutation mutate;
        int aging;  // added to the fitness of the best individual for each generation it stays the best
        std::int64_t restart_after;  // generations of a population; 0: no limit
    };

    Genetic(const Parameters& parameters, Filter filter) : SwapSearch(std::move(filter)), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "restarts"}); }

private:
    Parameters parameters_;
};

// Takes each box from either parent.
void cross(BoxPermutation& child, const BoxPermutation& first, const BoxPermutation& second, Rng& rng);

// Mutates one box. What repeats a digit too often is undone.
void mutate(BoxPermutation& child, const Mutation& mutation, Rng& rng);

}  // namespace sudokulab
