#include "judge.h"

#include <array>

namespace sudokulab {

bool is_solution(const std::uint8_t* grid, const std::uint8_t* givens, int box_rows, int box_cols) {
    const int size = box_rows * box_cols;
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - size);
    std::array<std::uint64_t, 64> in_row{};
    std::array<std::uint64_t, 64> in_col{};
    std::array<std::uint64_t, 64> in_box{};
    for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col) {
            const int digit = grid[row * size + col];
            const int given = givens[row * size + col];
            if (digit < 1 || digit > size || (given != 0 && given != digit)) return false;
            const std::uint64_t bit = std::uint64_t{1} << (digit - 1);
            in_row[static_cast<std::size_t>(row)] |= bit;
            in_col[static_cast<std::size_t>(col)] |= bit;
            in_box[static_cast<std::size_t>(row / box_rows * box_rows + col / box_cols)] |= bit;
        }
    }
    std::uint64_t in_all = all;
    for (int unit = 0; unit < size; ++unit) {
        const auto u = static_cast<std::size_t>(unit);
        in_all &= in_row[u] & in_col[u] & in_box[u];
    }
    return in_all == all;
}

}  // namespace sudokulab
