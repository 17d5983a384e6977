// Modified steepest-ascent hill climbing on box permutations (Jones, Roach & Perkins 2007).
//
// f = w1·f1 + w2·f2 is maximised: f1 counts the distinct digits of every row and column, f2 the clashes between a given
// and another cell of its row or column. The best of all swaps is made while it improves the current state. Plateaus
// are detected with a queue of the best states seen but not explored: when the ten best have been explored in turn and
// none has led to a better score, the queue is cleared and the climb restarts from another initial state.
//
// An initial state is built box by box: each open cell takes the next missing digit that clashes with no given, or the
// next one if all do. Then each digit that clashes with a given is swapped, in random order, with another of its box if
// neither of the two clashes afterwards.
//
// Our choices where the paper is silent: the missing digits are taken in ascending order at the first start and in
// random order at a restart, because otherwise all starts would be alike; ties between best swaps are broken at random;
// a state that was explored since the last improvement does not enter the queue again; the ten states count whether or
// not their scores are equal, so that a peak without a plateau ends in a restart too.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class HillClimbing : public SwapSearch {
public:
    struct Parameters {
        double w1;
        double w2;
        bool greedy;     // false: the initial state is random
        bool post_swap;  // swap away clashes with givens in the initial state
        int plateau;     // states explored without success before a restart
    };

    HillClimbing(const Parameters& parameters, Filter filter) : SwapSearch(filter), parameters_(parameters) {}

protected:
    Found search(BoxPermutation state, Control& control) const override;
    Stats zero_stats() const override { return zeros({"iterations", "restarts", "initial_f1", "initial_clashes"}); }

private:
    Parameters parameters_;
};

// For each digit in each open cell, the number of clashes with fixed cells: the table behind f2.
class FixedClashes {
public:
    explicit FixedClashes(const BoxPermutation& state);

    int of(int cell, int digit) const { return counts_[static_cast<std::size_t>(cell * size_ + digit)]; }
    int total(const BoxPermutation& state) const;

private:
    int size_;
    std::vector<int> counts_;
};

// The initial placement, box by box, and the swaps after it.
void place_greedily(BoxPermutation& state, const FixedClashes& clashes, bool is_shuffled, Rng& rng);
void swap_away_clashes(BoxPermutation& state, const FixedClashes& clashes, Rng& rng);

}  // namespace sudokulab
