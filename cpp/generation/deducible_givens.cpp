#include "generation/deducible_givens.h"

#include <cassert>

namespace sudokulab {
namespace {

constexpr std::uint32_t all_nine = 0x1FF;

// The cells of a unit in these thirds of it.
constexpr auto in_thirds = [] {
    std::array<std::uint32_t, 8> cells{};
    for (std::uint32_t thirds = 0; thirds < 8; ++thirds) {
        for (std::uint32_t k = 0; k < 9; ++k) cells[thirds] |= (thirds >> (k / 3) & 1) << k;
    }
    return cells;
}();

// The cells of a box in these of its columns.
constexpr auto in_columns = [] {
    std::array<std::uint32_t, 8> cells{};
    for (std::uint32_t columns = 0; columns < 8; ++columns) cells[columns] = columns * 0b001'001'001;
    return cells;
}();

std::uint32_t group(std::uint64_t digit, unsigned number) { return digit >> (16 * number) & all_nine; }

// The part of a set of nine lines or boxes that is in the same third as one of them.
std::uint32_t third(std::uint32_t set, unsigned member) { return set >> (member / 3 * 3) & 7; }

}  // namespace

void DeducibleGivens::set_grid(const std::uint8_t* grid) {
    clear();
    for (unsigned cell = 0; cell < bulk_cells; ++cell) {
        const unsigned row = cell / 9;
        const unsigned col = cell % 9;
        const unsigned box = row / 3 * 3 + col / 3;
        const unsigned digit = grid[cell] - 1u;
        assert(digit < 9);
        const std::uint32_t as_digit = 1u << (16 + digit);
        cells_[cell] = {.row = static_cast<std::uint8_t>(row),
                        .col = static_cast<std::uint8_t>(9 + col),
                        .box = static_cast<std::uint8_t>(18 + box),
                        .digit = static_cast<std::uint8_t>(digit),
                        .in_row = as_digit | 1u << col,
                        .in_col = as_digit | 1u << row,
                        .in_box = as_digit | 1u << (row % 3 * 3 + col % 3),
                        .in_digit = std::uint64_t{1} << row | std::uint64_t{1} << (16 + col) |
                                    std::uint64_t{1} << (32 + box) | std::uint64_t{1} << (48 + col / 3 * 3 + row / 3)};
    }
}

bool DeducibleGivens::has_any(std::span<const std::uint8_t> givens) const {
    for (const std::uint8_t cell : givens) {
        const Cell& own = cells_[cell];
        const unsigned row = own.row;
        const unsigned col = own.col - 9u;
        const std::uint64_t elsewhere = digits_[own.digit] & ~own.in_digit;
        const std::uint32_t rows = group(elsewhere, 0);
        const std::uint32_t cols = group(elsewhere, 1);
        const std::uint32_t in_band = third(group(elsewhere, 2), row);
        const std::uint32_t in_stack = third(group(elsewhere, 3), col);
        // the cells of the unit that cannot hold the digit, and the given itself
        const std::uint32_t of_row = units_[own.row] | cols | in_thirds[in_band];
        const std::uint32_t of_col = units_[own.col] | rows | in_thirds[in_stack];
        const std::uint32_t of_box = units_[own.box] | in_thirds[third(rows, row)] | in_columns[third(cols, col)];
        // the digits that the cell sees, and its own
        const std::uint32_t seen = (units_[own.row] | units_[own.col] | units_[own.box]) >> 16;
        if ((of_row & all_nine) == all_nine || (of_col & all_nine) == all_nine || (of_box & all_nine) == all_nine ||
            seen == all_nine) {
            return true;
        }
    }
    return false;
}

}  // namespace sudokulab
