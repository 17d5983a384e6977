// Swaps with a tabu list: which swaps are forbidden, and the best of the others.
#pragma once

#include <cstdint>
#include <limits>

#include "search/rng.h"
#include "solvers/parts/box_permutation.h"
#include "solvers/parts/tabu_list.h"

namespace sudokulab {

// Whether a swap would return a digit to a cell that has recently lost it.
inline bool is_tabu(const TabuList& tabu, const BoxPermutation& state, int first, int second) {
    return tabu.contains(TabuList::feature(first, state.digit(second))) ||
           tabu.contains(TabuList::feature(second, state.digit(first)));
}

// Marks the digits that the two cells are about to lose in a swap.
inline void make_tabu(TabuList& tabu, const BoxPermutation& state, int first, int second) {
    tabu.add(TabuList::feature(first, state.digit(first)));
    tabu.add(TabuList::feature(second, state.digit(second)));
}

// The best swap offered; ties are broken uniformly at random.
class BestSwap {
public:
    explicit BestSwap(Rng& rng) : rng_(rng) {}

    void offer(int first, int second, int delta) {
        if (delta > delta_) return;
        num_equal_ = delta < delta_ ? 1 : num_equal_ + 1;
        delta_ = delta;
        if (num_equal_ == 1 || rng_.below(num_equal_) == 0) {
            first_ = first;
            second_ = second;
        }
    }

    bool is_any() const { return num_equal_ > 0; }
    int first() const { return first_; }
    int second() const { return second_; }
    int delta() const { return delta_; }

private:
    Rng& rng_;
    int first_ = 0;
    int second_ = 0;
    int delta_ = std::numeric_limits<int>::max();
    std::uint32_t num_equal_ = 0;
};

}  // namespace sudokulab
