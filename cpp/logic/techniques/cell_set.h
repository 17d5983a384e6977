// A set of cells as a bit mask of fixed length, for the searches that combine many of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace sudokulab::techniques {

template <std::size_t num_words>
class CellSet {
public:
    static constexpr int capacity = static_cast<int>(64 * num_words);

    bool has(int cell) const { return words_[word(cell)] >> (cell & 63) & 1; }
    void add(int cell) { words_[word(cell)] |= std::uint64_t{1} << (cell & 63); }
    void remove(int cell) { words_[word(cell)] &= ~(std::uint64_t{1} << (cell & 63)); }

    bool is_empty() const {
        std::uint64_t all = 0;
        for (const std::uint64_t part : words_) all |= part;
        return all == 0;
    }
    int count() const {
        int sum = 0;
        for (const std::uint64_t part : words_) sum += std::popcount(part);
        return sum;
    }
    // The lowest cell of a set that is not empty.
    int first() const {
        std::size_t k = 0;
        while (words_[k] == 0) ++k;
        return static_cast<int>(64 * k) + std::countr_zero(words_[k]);
    }
    bool contains(const CellSet& other) const { return (other - *this).is_empty(); }

    // Calls visit(cell) for each cell in ascending order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t k = 0; k < num_words; ++k) {
            for (std::uint64_t left = words_[k]; left != 0; left &= left - 1) {
                visit(static_cast<int>(64 * k) + std::countr_zero(left));
            }
        }
    }

    CellSet& operator|=(const CellSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] |= other.words_[k];
        return *this;
    }
    CellSet& operator&=(const CellSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] &= other.words_[k];
        return *this;
    }
    CellSet& operator-=(const CellSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] &= ~other.words_[k];
        return *this;
    }
    friend CellSet operator|(CellSet left, const CellSet& right) { return left |= right; }
    friend CellSet operator&(CellSet left, const CellSet& right) { return left &= right; }
    friend CellSet operator-(CellSet left, const CellSet& right) { return left -= right; }
    friend bool operator==(const CellSet&, const CellSet&) = default;

private:
    static std::size_t word(int cell) { return static_cast<std::size_t>(cell) >> 6; }

    std::array<std::uint64_t, num_words> words_{};
};

}  // namespace sudokulab::techniques
