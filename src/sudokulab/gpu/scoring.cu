// Scores grids of any box shape, one per thread, with plain loops. It shares no code with the engine, whose solutions
// it checks.

extern "C" __global__ void score_kernel(const unsigned char* grids, const unsigned char* puzzles,
                                        const unsigned char* solutions,  // may be null
                                        const long long* rows,           // the puzzle of each grid; may be null
                                        unsigned long long num_grids, unsigned box_rows, unsigned box_cols,
                                        bool* is_complete, bool* is_valid, bool* keeps_givens, int* num_correct,
                                        int* num_correct_blanks) {
    const unsigned long long index = blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x;
    if (index >= num_grids) return;
    const unsigned size = box_rows * box_cols;
    const unsigned num_cells = size * size;
    const unsigned char* grid = grids + index * num_cells;
    const unsigned long long row = rows == nullptr ? index : static_cast<unsigned long long>(rows[index]);
    const unsigned char* puzzle = puzzles + row * num_cells;

    bool is_full = true;
    bool has_givens = true;
    int num_right = 0;
    int num_right_blanks = 0;
    for (unsigned cell = 0; cell < num_cells; ++cell) {
        const unsigned digit = grid[cell];
        if (digit < 1 || digit > size) is_full = false;
        if (puzzle[cell] != 0 && puzzle[cell] != digit) has_givens = false;
        if (solutions != nullptr && solutions[row * num_cells + cell] == digit) {
            ++num_right;
            if (puzzle[cell] == 0) ++num_right_blanks;
        }
    }
    bool has_all = is_full;
    for (unsigned unit = 0; unit < size && has_all; ++unit) {
        unsigned long long in_row = 0;
        unsigned long long in_column = 0;
        unsigned long long in_box = 0;
        const unsigned boxes_across = size / box_cols;
        const unsigned corner = unit / boxes_across * box_rows * size + unit % boxes_across * box_cols;
        for (unsigned k = 0; k < size; ++k) {
            in_row |= 1ull << (grid[unit * size + k] - 1);
            in_column |= 1ull << (grid[k * size + unit] - 1);
            in_box |= 1ull << (grid[corner + k / box_cols * size + k % box_cols] - 1);
        }
        const unsigned long long all = size == 64 ? ~0ull : (1ull << size) - 1;
        has_all = in_row == all && in_column == all && in_box == all;
    }
    is_complete[index] = is_full;
    is_valid[index] = has_all;
    keeps_givens[index] = has_givens;
    num_correct[index] = num_right;
    num_correct_blanks[index] = num_right_blanks;
}
