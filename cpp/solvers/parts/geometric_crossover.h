// The convex combination of permutations under the swap distance (Moraglio & Togelius 2007).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>

namespace sudokulab {

// Moves three arrangements of the same items towards each other until they are equal. Position by position, a swap
// inside each of the other two brings in the item of the parent that `choices` names (0, 1 or 2).
inline void combine(const std::array<std::span<std::uint8_t>, 3>& parents, std::span<const std::uint8_t> choices) {
    for (std::size_t position = 0; position < choices.size(); ++position) {
        assert(choices[position] < parents.size());
        const std::uint8_t item = parents[choices[position]][position];
        for (const auto& parent : parents) {
            const auto old = std::find(parent.begin() + static_cast<std::ptrdiff_t>(position), parent.end(), item);
            assert(old != parent.end());
            std::swap(parent[position], *old);
        }
    }
}

}  // namespace sudokulab
