// From bytes to bytes: 9×9 puzzles, one a line, solved in bulk, each solution judged and written as a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bulk/bulk.h"
#include "search/control.h"

namespace sudokulab {

struct SolvedLines {
    // A line that is not here dealt with: it is no plain puzzle, there is no solution, or it would take too long.
    struct Other {
        std::size_t number;  // of the line in the text, from 0
        std::size_t begin;   // where it stands in the text, its end excluded
        std::size_t end;
        std::size_t position;  // where in `solutions` its answer belongs
    };

    std::string solutions;  // a line each, in the order of the puzzles
    std::vector<Other> others;
    std::size_t num_lines = 0;  // of the text
    bool are_right = true;      // whether the judge has accepted all solutions
};

// A plain puzzle is 81 symbols and perhaps a name or a comment that is nothing else. Blank lines and comments are
// passed over. After an interruption the answer is of no use.
SolvedLines solve_lines(std::string_view text, Instructions instructions, int num_threads,
                        const Interrupted& interrupted);

}  // namespace sudokulab
