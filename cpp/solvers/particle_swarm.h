// Geometric particle swarm optimisation on box permutations, after Moraglio & Togelius (2007).
//
// In every iteration, a particle moves to a convex combination of its position, the best position of the swarm and its
// own best position, and then mutates. The combination is a product of geometric crossovers, one per box (they: one per
// row). A position is worth its cost, the number of digits missing from rows and columns.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class ParticleSwarm : public SwapSearch {
public:
    struct Parameters {
        int particles;
        double social;               // weight of the best position of the swarm
        double cognitive;            // weight of the particle's own best position
        double mutation;             // probability of a swap in each box
        std::int64_t restart_after;  // iterations without a new best position; 0: never
    };

    ParticleSwarm(const Parameters& parameters, Filter filter)
        : SwapSearch(std::move(filter)), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "restarts"}); }

private:
    Parameters parameters_;
};

}  // namespace sudokulab
