// Scores predicted grids against their puzzles and solutions. Like the judge, it shares no code with any solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sudokulab {

struct Score {
    bool is_complete;                  // every cell has a digit
    bool is_valid;                     // complete, with every digit once in each unit
    bool keeps_givens;                 // every given is unchanged
    std::uint16_t num_correct;         // cells that agree with the solution
    std::uint16_t num_correct_blanks;  // those that the puzzle leaves blank
};

// All arrays hold (box_rows · box_cols)² digits, row by row, with 0 for a blank.
Score score(const std::uint8_t* grid, const std::uint8_t* givens, const std::uint8_t* solution, int box_rows,
            int box_cols);

// A grid of integers anywhere in memory, with the distances between neighbouring rows and columns.
template <class Integer>
struct GridView {
    const Integer* cells;
    std::ptrdiff_t row_stride;
    std::ptrdiff_t col_stride;
};

// Copies a grid; what is not a digit becomes a blank.
template <class Integer>
void copy_digits(GridView<Integer> grid, int size, std::uint8_t* digits) {
    using Unsigned = std::make_unsigned_t<Integer>;  // in which 0 and negative numbers, less 1, are large
    for (int row = 0; row < size; ++row, grid.cells += grid.row_stride) {
        const Integer* cell = grid.cells;
        for (int col = 0; col < size; ++col, cell += grid.col_stride) {
            const bool is_digit =
                static_cast<Unsigned>(static_cast<Unsigned>(*cell) - 1U) < static_cast<Unsigned>(size);
            *digits++ = is_digit ? static_cast<std::uint8_t>(*cell) : std::uint8_t{0};
        }
    }
}

}  // namespace sudokulab
