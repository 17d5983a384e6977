// Subsets of a fixed size.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "logic/techniques/bits.h"

namespace sudokulab::techniques {

// Calls visit(mask) for every choice of `size` bits out of the lowest `count` (size < 64), in increasing order of the
// mask, until visit returns false. False if it was stopped.
template <class Visit>
bool for_each_combination(int count, int size, Visit visit) {
    assert(0 <= size && size < 64 && count <= 64);
    if (size > count) return true;
    if (size == 0) return visit(std::uint64_t{0});
    std::uint64_t mask = (std::uint64_t{1} << size) - 1;
    const std::uint64_t last = mask << (count - size);
    while (true) {
        if (!visit(mask)) return false;
        if (mask == last) return true;
        const std::uint64_t lowest = mask & -mask;
        const std::uint64_t ripple = mask + lowest;
        mask = ripple | ((mask ^ ripple) / lowest >> 2);
    }
}

// Calls visit(mask, joined) for every choice of `size` sets whose union `joined` has at most `max_members` members, in
// increasing order of the mask of chosen sets, until visit returns false. False if it was stopped.
template <class Visit>
bool for_each_small_union(std::span<const std::uint64_t> sets, int size, int max_members, const Visit& visit,
                          std::uint64_t chosen = 0, std::uint64_t joined = 0) {
    assert(size >= 0 && sets.size() <= 64);
    if (size == 0) return visit(chosen, joined);
    for (std::size_t last = static_cast<std::size_t>(size - 1); last < sets.size(); ++last) {
        const std::uint64_t all = joined | sets[last];
        if (num_bits(all) > max_members) continue;
        const std::uint64_t mask = chosen | bit(static_cast<int>(last));
        if (!for_each_small_union(sets.first(last), size - 1, max_members, visit, mask, all)) return false;
    }
    return true;
}

}  // namespace sudokulab::techniques
