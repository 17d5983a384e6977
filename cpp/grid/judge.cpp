#include "grid/judge.h"

#include <array>

namespace sudokulab {
namespace {

// Inlined into each caller, so that the common shape, a constant there, gets loops without branches.
template <std::size_t max_size>
[[gnu::always_inline]] inline bool judge(const std::uint8_t* grid, const std::uint8_t* givens, int box_rows,
                                         int box_cols) {
    const auto size = static_cast<unsigned>(box_rows * box_cols);
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - size);
    unsigned char wrong = 0;  // two simple loops instead of one: compilers vectorise the first
    for (unsigned cell = 0; cell < size * size; ++cell) {
        const bool differs = (givens[cell] != 0) & (givens[cell] != grid[cell]);
        const bool is_no_digit = static_cast<unsigned char>(grid[cell] - 1) >= size;
        wrong = static_cast<unsigned char>(wrong | differs | is_no_digit);
    }
    bool is_right = wrong == 0;
    std::array<std::uint64_t, max_size> in_col{};
    for (int band = 0; band < box_cols; ++band) {
        std::array<std::uint64_t, max_size> in_box{};
        for (int row = 0; row < box_rows; ++row) {
            std::uint64_t in_row = 0;
            for (int stack = 0, col = 0; stack < box_rows; ++stack) {
                std::uint64_t in_both = 0;  // the row and the box
                for (int k = 0; k < box_cols; ++k, ++col) {
                    const std::uint64_t bit = std::uint64_t{1} << ((*grid++ - 1) & 63);
                    in_both |= bit;
                    in_col[static_cast<std::size_t>(col)] |= bit;
                }
                in_row |= in_both;
                in_box[static_cast<std::size_t>(stack)] |= in_both;
            }
            is_right &= in_row == all;
        }
        for (int stack = 0; stack < box_rows; ++stack) is_right &= in_box[static_cast<std::size_t>(stack)] == all;
    }
    for (unsigned col = 0; col < size; ++col) is_right &= in_col[col] == all;
    return is_right;
}

}  // namespace

bool is_solution(const std::uint8_t* grid, const std::uint8_t* givens, int box_rows, int box_cols) {
    if (box_rows == 3 && box_cols == 3) return judge<9>(grid, givens, 3, 3);
    return judge<64>(grid, givens, box_rows, box_cols);
}

}  // namespace sudokulab
