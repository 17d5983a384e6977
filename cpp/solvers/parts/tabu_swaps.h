// Swaps under a tabu list: which ones are forbidden, and the best of those that are not.
#pragma once

#include <cstdint>
#include <limits>

#include "search/rng.h"
#include "solvers/parts/box_permutation.h"
#include "solvers/parts/tabu_list.h"

namespace sudokulab {

// Whether a swap would give a cell back a digit that it was made to give up lately.
inline bool is_tabu(const TabuList& tabu, const BoxPermutation& state, int first, int second) {
    return tabu.contains(TabuList::feature(first, state.digit(second))) ||
           tabu.contains(TabuList::feature(second, state.digit(first)));
}

// Remembers what a swap, about to be made, takes from its two cells.
inline void make_tabu(TabuList& tabu, const BoxPermutation& state, int first, int second) {
    tabu.add(TabuList::feature(first, state.digit(first)));
    tabu.add(TabuList::feature(second, state.digit(second)));
}

// The best swap offered; equals replace each other with a chance that makes all of them equally likely.
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
