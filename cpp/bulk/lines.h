// 9×9 puzzles from text to text: one puzzle per line, solved in bulk; each solution is judged and written as a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "search/array_job.h"

namespace sudokulab {

struct SolvedLines {
    enum class Answer { unread, unsatisfiable, unknown };

    // A line without an entry in `solutions`.
    struct Other {
        std::size_t number;  // index of the line in the text, from 0
        std::size_t begin;   // its range in the text, without the line ending
        std::size_t end;
        std::size_t position;  // offset in `solutions` where its answer belongs
        Answer answer;         // unread: not a plain puzzle, left to the caller
    };

    std::string solutions;  // one per line, in the order of the puzzles
    std::vector<Other> others;
    std::size_t num_lines = 0;  // in the text
    bool are_right = true;      // whether the judge accepted all solutions
};

// A plain puzzle is 81 symbols, optionally followed by a name or a comment. Blank lines and comments are skipped. After
// an interruption the answer is incomplete.
SolvedLines solve_lines(std::string_view text, const ArraySolver& solve, const Budget& budget, int num_threads,
                        const Interrupted& interrupted);

}  // namespace sudokulab
