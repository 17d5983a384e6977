// Sets of digits or positions as the bits of a word.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace sudokulab::techniques {

// Calls visit(position) for each bit of a mask, the lowest first.
template <class Visit>
void for_each_bit(std::uint64_t mask, Visit visit) {
    for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

// The number of bits. Without a machine instruction for it, which old processors lack, faster than std::popcount.
inline int num_bits(std::uint64_t mask) {
    mask -= mask >> 1 & 0x5555555555555555;
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return static_cast<int>(mask * 0x0101010101010101 >> 56);
}

// std::has_single_bit counts all bits.
inline bool has_one_bit(std::uint64_t mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

inline int lowest_bit(std::uint64_t mask) {
    assert(mask != 0);
    return std::countr_zero(mask);
}
inline std::uint64_t bit(int position) {
    assert(0 <= position && position < 64);
    return std::uint64_t{1} << position;
}

}  // namespace sudokulab::techniques
