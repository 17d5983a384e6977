// Modified steepest-ascent hill climbing on box permutations (Jones, Roach & Perkins 2007).
//
// f = w1·f1 + w2·f2 is maximised: f1 counts the distinct digits of every row and column, f2 the clashes between a given
// and another cell of its row or column. An iteration explores a state: all its successors, one swap away, enter a
// priority queue of unexplored states, and the best state of the queue is explored next. While the climb goes up this
// is the best successor. When the ten best states of the queue share one score and none of them has a successor with a
// better score, the climb has reached a plateau: the queue is cleared and the climb restarts from another initial
// state. By default a successor that was already explored counts: the states around an explored peak do not form one.
//
// The paper also describes two earlier variants: steepest ascent without a queue, which stops at the first state
// without a better successor, and best-first search with the queue but without restarts.
//
// An initial state is built box by box: each open cell takes the next missing digit that clashes with no given, or the
// next one if all do. Then each digit that clashes with a given is swapped, in random order, with another of its box if
// neither of the two clashes afterwards.
//
// Our choices where the paper is silent: the missing digits are taken in ascending order at the first start and in
// random order at a restart, because otherwise all starts would be alike; no state enters the queue twice; an empty
// queue ends in a restart too. The queue is bounded: when it is full, its worst half is dropped. The order of equal
// scores in the queue, and which successors count, are parameters.
#pragma once

#include "solvers/parts/swap_search.h"

namespace sudokulab {

class HillClimbing : public SwapSearch {
public:
    enum class Variant { random_restart, best_first, steepest_ascent };
    // Which of several states with the same score is explored first.
    enum class Ties { newest, oldest, random };
    // Which successors with a better score keep a state from being part of a plateau.
    enum class Successors { all, unexplored };

    struct Parameters {
        double w1;
        double w2;
        bool greedy;     // false: the initial state is random
        bool post_swap;  // swap away clashes with givens in the initial state
        Variant variant;
        Ties ties;
        Successors successors;
        int cutoff;  // best states of the queue that make a plateau
        int queue_limit;
    };

    HillClimbing(const Parameters& parameters, Filter filter)
        : SwapSearch(std::move(filter)), parameters_(parameters) {}

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
