// Givens of a 9×9 puzzle that follow from the others by a naked or hidden single. A puzzle with such a given is not
// minimal, and neither is any puzzle with more givens of the same grid.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "bulk/bulk.h"

namespace sudokulab {

class DeducibleGivens {
public:
    // Starts with no givens of this full grid.
    void set_grid(const std::uint8_t* grid);

    void clear() {
        units_.fill(0);
        digits_.fill(0);
    }

    void add(std::size_t cell) {
        assert(cell < bulk_cells);
        const Cell& own = cells_[cell];
        units_[own.row] |= own.in_row;
        units_[own.col] |= own.in_col;
        units_[own.box] |= own.in_box;
        digits_[own.digit] |= own.in_digit;
    }

    // Whether one of these givens, which are all that were added, follows from the others.
    bool has_any(std::span<const std::uint8_t> givens) const;

private:
    // A unit has its given cells in bits 0 to 8 and its given digits in bits 16 to 24. A digit has its rows, columns,
    // boxes by rows and boxes by columns in bits 0 to 8 of four groups of 16.
    struct Cell {
        std::uint8_t row, col, box;  // numbers of the units
        std::uint8_t digit;
        std::uint32_t in_row, in_col, in_box;
        std::uint64_t in_digit;
    };

    std::array<Cell, bulk_cells> cells_{};
    std::array<std::uint32_t, 27> units_{};
    std::array<std::uint64_t, 9> digits_{};
};

}  // namespace sudokulab
