// Subsets of a fixed size.
#pragma once

#include <cstdint>

namespace sudokulab::techniques {

// Calls visit(mask) for every choice of `size` bits out of the lowest `count` (size < 64), in increasing order of the
// mask, until visit returns false. False if it was stopped.
template <class Visit>
bool for_each_combination(int count, int size, Visit visit) {
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

}  // namespace sudokulab::techniques
