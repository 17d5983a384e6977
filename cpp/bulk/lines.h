// From bytes to bytes: 9×9 puzzles, one per line or row of CSV, solved in bulk. Every solution is judged before it is
// written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/array_job.h"

namespace sudokulab {

// Where to find the puzzle of a line, and what to write for it.
struct LineLayout {
    enum class Role { puzzle, solution, name, comment, other };

    struct Column {
        Role role;
        std::string key;  // of an entry in the comment, for other columns
    };

    std::vector<Column> columns;  // of a row of CSV; empty: a line begins with its puzzle
    bool writes_rows = false;     // puzzle, solution, name and comment instead of the solution alone
};

struct SolvedLines {
    enum class Answer { unread, unsatisfiable, unknown };

    // A line without an answer in `texts`.
    struct Other {
        std::size_t number;  // of the line in the input, from 0
        std::size_t begin;   // of the line in the input
        std::size_t end;
        std::size_t position;  // where its answer belongs in the joined texts
        Answer answer;         // unread: left to the caller
    };

    std::vector<std::string> texts;  // to be joined: one line per solved puzzle, in order
    std::vector<Other> others;
    std::size_t num_lines = 0;  // of the input
    bool are_right = true;      // whether the judge accepted all solutions
};

// Decodes 81 symbols of a 9×9 puzzle, `1`-`9` or a blank; false if there is any other. The blanks `x` and space depend
// on the rest of the text, so the caller deals with them.
bool decode_symbols(const char* text, std::uint8_t* cells);

// Solves plain lines: 81 symbols, optionally followed by a name or a comment, or a row without quotes whose fields need
// no cleaning. All other lines are left to the caller. Blank lines are skipped, and comments unless the lines are rows.
// After an interruption the answer is incomplete.
SolvedLines solve_lines(std::string_view text, const LineLayout& layout, const ArraySolver& solve, const Budget& budget,
                        int num_threads, const Interrupted& interrupted);

}  // namespace sudokulab
