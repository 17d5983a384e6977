// Sets of cells, for techniques whose patterns are not bound to one unit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/techniques/board.h"

namespace sudokulab::techniques {

class CellSet {
public:
    bool has(int cell) const { return words_[index(cell)] >> (cell & 63) & 1; }
    void add(int cell) { words_[index(cell)] |= bit(cell & 63); }
    void remove(int cell) { words_[index(cell)] &= ~bit(cell & 63); }

    bool is_empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }
    int size() const {
        int count = 0;
        for (const std::uint64_t word : words_) count += std::popcount(word);
        return count;
    }
    // The lowest cell of a set that is not empty.
    int first() const {
        std::size_t k = 0;
        while (words_[k] == 0) ++k;
        return static_cast<int>(k) * 64 + lowest_bit(words_[k]);
    }
    bool is_within(const CellSet& other) const { return (*this - other).is_empty(); }
    bool meets(const CellSet& other) const { return !(*this & other).is_empty(); }

    CellSet& operator&=(const CellSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] &= other.words_[k];
        return *this;
    }
    CellSet& operator|=(const CellSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] |= other.words_[k];
        return *this;
    }
    CellSet& operator-=(const CellSet& other) {
        for (std::size_t k = 0; k < num_words; ++k) words_[k] &= ~other.words_[k];
        return *this;
    }
    friend CellSet operator&(CellSet one, const CellSet& other) { return one &= other; }
    friend CellSet operator|(CellSet one, const CellSet& other) { return one |= other; }
    friend CellSet operator-(CellSet one, const CellSet& other) { return one -= other; }
    bool operator==(const CellSet&) const = default;

    // Calls visit(cell) for each cell in ascending order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t k = 0; k < num_words; ++k) {
            for_each_bit(words_[k], [&](int low) { visit(static_cast<int>(k) * 64 + low); });
        }
    }

private:
    static constexpr std::size_t num_words = 10;  // techniques work up to 25×25
    static std::size_t index(int cell) { return static_cast<std::size_t>(cell) >> 6; }

    std::array<std::uint64_t, num_words> words_{};
};

// The cells of each digit on a board, and the cells that see others.
class CellMap {
public:
    explicit CellMap(const OpenBoard& board);

    const CellSet& open() const { return open_; }
    // The cells with this candidate.
    const CellSet& of(int digit) const { return of_digit_[static_cast<std::size_t>(digit)]; }
    const CellSet& unit(int unit) const { return units_[static_cast<std::size_t>(unit)]; }
    // The other cells in the units of the cell.
    const CellSet& peers(int cell) const { return peers_[static_cast<std::size_t>(cell)]; }
    // The cells that see all cells of a set; every cell sees the empty set.
    CellSet common_peers(const CellSet& cells) const;

private:
    CellSet open_;
    CellSet all_;
    std::vector<CellSet> of_digit_;
    std::vector<CellSet> units_;
    std::vector<CellSet> peers_;
};

}  // namespace sudokulab::techniques
