#include "generation/unavoidable_sets.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace sudokulab {
namespace {

constexpr std::size_t typical_number = 128;  // of sets

}  // namespace

void UnavoidableSets::set_positions(const Positions& positions) {
    positions_ = positions;
    lists_.fill(-1);
    for (std::size_t k = 0; k < sets_.size(); ++k) link(k);
}

// Two digits can be exchanged in some of the rows, if these contain the same columns and boxes of both. The set of all
// rows rarely decides anything and is left out.
void UnavoidableSets::add_digit_pairs(const std::uint8_t* grid) {
    constexpr unsigned all_rows = 0x1FF;
    sets_.reserve(typical_number);
    struct Rows {
        std::array<std::size_t, 9> column;     // by row
        std::array<std::size_t, 9> in_column;  // by column
        std::array<std::size_t, 9> in_box;     // by box
    };
    std::array<Rows, 9> rows;
    for (std::size_t cell = 0; cell < bulk_cells; ++cell) {
        const std::size_t row = cell / 9;
        const std::size_t column = cell % 9;
        assert(1 <= grid[cell] && grid[cell] <= 9);
        Rows& own = rows[grid[cell] - 1u];
        own.column[row] = column;
        own.in_column[column] = row;
        own.in_box[row / 3 * 3 + column / 3] = row;
    }
    for (std::size_t a = 0; a < 9; ++a) {
        for (std::size_t b = a + 1; b < 9; ++b) {
            for (unsigned left = all_rows; left != 0;) {
                unsigned reached = 0;
                for (unsigned open = left & (0u - left); open != 0; open &= ~reached) {
                    const auto row = static_cast<std::size_t>(std::countr_zero(open));
                    const std::size_t column = rows[a].column[row];
                    reached |= 1u << row;
                    open |= 1u << rows[b].in_column[column] | 1u << rows[b].in_box[row / 3 * 3 + column / 3];
                }
                left &= ~reached;
                if (reached == all_rows) break;
                Set81 cells;
                for (; reached != 0; reached &= reached - 1) {
                    const auto row = static_cast<std::size_t>(std::countr_zero(reached));
                    cells.insert(9 * row + rows[a].column[row]);
                    cells.insert(9 * row + rows[b].column[row]);
                }
                add(cells);
            }
        }
    }
}

void UnavoidableSets::add(const Set81& cells) {
    assert(cells.size() >= 4);  // fewer cells of a grid cannot differ alone
    sets_.push_back({cells, {}, -1});
    link(sets_.size() - 1);
}

void UnavoidableSets::link(std::size_t index) {
    Unavoidable& set = sets_[index];
    Set81 positions;
    for (std::uint64_t left = set.cells.words[0]; left != 0; left &= left - 1) {
        positions.insert(positions_[static_cast<std::size_t>(std::countr_zero(left))]);
    }
    for (std::uint64_t left = set.cells.words[1]; left != 0; left &= left - 1) {
        positions.insert(positions_[64 + static_cast<std::size_t>(std::countr_zero(left))]);
    }
    set.positions = positions;
    int& first = lists_[positions.last()];
    set.next = std::exchange(first, static_cast<int>(index));
}

void UnavoidableSets::add_difference(const std::uint8_t* grid, const std::uint8_t* other) {
    static_assert(std::endian::native == std::endian::little, "the lowest bit must stand for the first cell");
    Set81 cells;
    for (std::size_t first = 0; first < bulk_cells; first += 8) {
        const std::size_t number = std::min<std::size_t>(8, bulk_cells - first);
        std::uint64_t ours = 0;
        std::uint64_t theirs = 0;
        std::memcpy(&ours, grid + first, number);
        std::memcpy(&theirs, other + first, number);
        // digits differ in their lowest four bits; the product gathers one bit of each byte
        const std::uint64_t differs = ((ours ^ theirs) + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
        cells.words[first / 64] |= differs * 0x0102040810204080 >> 56 << (first % 64);
    }
    add(cells);
}

bool UnavoidableSets::all_meet(const Set81& cells) const {
    return std::all_of(sets_.begin(), sets_.end(), [&](const Unavoidable& set) { return set.cells.meets(cells); });
}

Set81 UnavoidableSets::only_cells(const Set81& given) const { return only(&Unavoidable::cells, given); }

Set81 UnavoidableSets::only_positions(const Set81& given) const { return only(&Unavoidable::positions, given); }

Set81 UnavoidableSets::only(Set81 Unavoidable::* members, const Set81& given) const {
    Set81 all;
    for (const Unavoidable& set : sets_) {
        const Set81 own = set.*members & given;
        if (own.size() == 1) all |= own;
    }
    return all;
}

}  // namespace sudokulab
