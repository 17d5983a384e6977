// Roulette-wheel selection: an index with probability proportional to its weight.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

#include "search/rng.h"

namespace sudokulab {

// The weights must not be negative, nor all zero.
template <class Weight>
std::size_t spin_roulette(std::span<const Weight> weights, Rng& rng) {
    Weight total = 0;
    for (const Weight weight : weights) total += weight;
    assert(!weights.empty() && total > 0);
    const auto target = static_cast<Weight>(rng.uniform()) * total;
    Weight sum = 0;
    std::size_t last = 0;  // rounding may leave the target beyond the sum: use the last positive weight
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] > 0) last = i;
        sum += weights[i];
        if (target < sum) return i;
    }
    return last;
}

}  // namespace sudokulab
