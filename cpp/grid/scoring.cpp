#include "grid/scoring.h"

#include "grid/judge.h"

namespace sudokulab {

Score score(const std::uint8_t* grid, const std::uint8_t* givens, const std::uint8_t* solution, int box_rows,
            int box_cols) {
    const int num_cells = box_rows * box_cols * box_rows * box_cols;
    bool is_complete = true;
    bool keeps_givens = true;
    unsigned num_correct = 0;
    unsigned num_correct_blanks = 0;
    for (int cell = 0; cell < num_cells; ++cell) {  // without branches: compilers vectorise it
        const bool is_blank = givens[cell] == 0;
        const bool is_correct = grid[cell] == solution[cell];
        is_complete &= grid[cell] != 0;
        keeps_givens &= is_blank | (grid[cell] == givens[cell]);
        num_correct += is_correct;
        num_correct_blanks += is_correct & is_blank;
    }
    const bool is_valid = is_complete && is_solution(grid, grid, box_rows, box_cols);
    return {is_complete, is_valid, keeps_givens, static_cast<std::uint16_t>(num_correct),
            static_cast<std::uint16_t>(num_correct_blanks)};
}

}  // namespace sudokulab
