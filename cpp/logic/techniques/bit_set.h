// A set of cells or units as a bit mask of fixed length, for searches that combine many of them.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "logic/techniques/bits.h"

namespace sudokulab::techniques {

template <std::size_t num_words>
class BitSet {
public:
    static constexpr int capacity = static_cast<int>(64 * num_words);

    bool has(int member) const { return words_[word(member)] >> (member & 63) & 1; }
    void add(int member) { words_[word(member)] |= std::uint64_t{1} << (member & 63); }
    void remove(int member) { words_[word(member)] &= ~(std::uint64_t{1} << (member & 63)); }

    bool is_empty() const {
        std::uint64_t all = 0;
        for (const std::uint64_t part : words_) all |= part;
        return all == 0;
    }
    int size() const {
        int sum = 0;
        for (const std::uint64_t part : words_) sum += num_bits(part);
        return sum;
    }
    // The lowest member of a set that is not empty.
    int first() const {
        assert(!is_empty());
        std::size_t k = 0;
        while (words_[k] == 0) ++k;
        return static_cast<int>(64 * k) + lowest_bit(words_[k]);
    }
    bool is_within(const BitSet& other) const { return (*this - other).is_empty(); }
    bool meets(const BitSet& other) const { return !(*this & other).is_empty(); }

    // Calls visit(member) for each member in ascending order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t k = 0; k < num_words; ++k) {
            for (std::uint64_t left = words_[k]; left != 0; left &= left - 1) {
                visit(static_cast<int>(64 * k) + lowest_bit(left));
            }
        }
    }

    BitSet& operator|=(const BitSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] |= other.words_[k];
        return *this;
    }
    BitSet& operator&=(const BitSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] &= other.words_[k];
        return *this;
    }
    BitSet& operator-=(const BitSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] &= ~other.words_[k];
        return *this;
    }
    friend BitSet operator|(BitSet left, const BitSet& right) { return left |= right; }
    friend BitSet operator&(BitSet left, const BitSet& right) { return left &= right; }
    friend BitSet operator-(BitSet left, const BitSet& right) { return left -= right; }
    friend bool operator==(const BitSet&, const BitSet&) = default;

private:
    static std::size_t word(int member) {
        assert(0 <= member && member < capacity);
        return static_cast<std::size_t>(member) >> 6;
    }

    std::array<std::uint64_t, num_words> words_{};
};

}  // namespace sudokulab::techniques
