// Unavoidable sets of a full 9×9 grid: cells in which it differs from another solution of some puzzle. A puzzle with a
// unique solution has a given in each of them.
//
// Cells are visited in some order, several at the same position if a symmetry ties them together. A set decides at its
// last position: if nothing before it is given, that position must be.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bulk/bulk.h"

namespace sudokulab {

// A set of cells or positions.
struct Set81 {
    std::array<std::uint64_t, 2> words{};

    bool has(std::size_t i) const {
        assert(i < bulk_cells);
        return (words[i / 64] >> (i % 64) & 1) != 0;
    }
    void insert(std::size_t i) {
        assert(i < bulk_cells);
        words[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    int size() const { return std::popcount(words[0]) + std::popcount(words[1]); }
    std::size_t last() const {
        assert((words[0] | words[1]) != 0);
        return words[1] != 0 ? 127u - static_cast<unsigned>(std::countl_zero(words[1]))
                             : 63u - static_cast<unsigned>(std::countl_zero(words[0]));
    }
    Set81& operator|=(const Set81& other) {
        words[0] |= other.words[0];
        words[1] |= other.words[1];
        return *this;
    }
    Set81 operator&(const Set81& other) const { return {{words[0] & other.words[0], words[1] & other.words[1]}}; }
    bool meets(const Set81& other) const { return ((words[0] & other.words[0]) | (words[1] & other.words[1])) != 0; }
};

class UnavoidableSets {
public:
    using Positions = std::array<std::uint8_t, bulk_cells>;  // by cell

    // Sets the positions of all cells; the sets stay. Call it before adding any, unless only cells matter.
    void set_positions(const Positions& positions);

    // Adds the sets in which two digits of a grid can be exchanged.
    void add_digit_pairs(const std::uint8_t* grid);
    // Adds the cells in which two grids differ.
    void add_difference(const std::uint8_t* grid, const std::uint8_t* other);

    // Whether a set that ends at this position has no other position among those given.
    bool has_last(std::size_t position, const Set81& given) const {
        assert(position < lists_.size());
        for (int k = lists_[position]; k >= 0; k = sets_[static_cast<std::size_t>(k)].next) {
            if (!sets_[static_cast<std::size_t>(k)].positions.meets(given)) return true;
        }
        return false;
    }
    std::size_t size() const { return sets_.size(); }
    const Set81& operator[](std::size_t index) const {
        assert(index < sets_.size());
        return sets_[index].cells;
    }

    // Whether every set has a given cell.
    bool all_meet(const Set81& cells) const;
    // The given cells, or positions, that are the only given one of a set.
    Set81 only_cells(const Set81& given) const;
    Set81 only_positions(const Set81& given) const;

private:
    struct Unavoidable {
        Set81 cells;
        Set81 positions;
        int next;  // the next one with the same last position, or -1
    };

    void add(const Set81& cells);
    void link(std::size_t index);
    Set81 only(Set81 Unavoidable::* members, const Set81& given) const;

    Positions positions_{};
    std::vector<Unavoidable> sets_;
    std::array<int, bulk_cells> lists_{};  // by last position: the first set, or -1
};

}  // namespace sudokulab
