// From bytes to bytes: 9×9 puzzles, one per line, row of CSV or line of JSON, solved in bulk. Every solution is judged
// before it is written.
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
    enum class Role { puzzle, name, box, other };  // only objects have a box shape

    // What a part of an answer inserts after its text.
    enum class Slot {
        nothing,
        solution,  // 81 digits
        puzzle,    // 81 symbols, with `.` for a blank
        grid,      // the field of the puzzle, in quotes if it could be read as a number; on a line, as `puzzle`
        fields,    // of the row, from `first` to before `last`, as they are
        quoted,    // the field `first`, in quotes if it contains any delimiter
        row,       // the number of the puzzle
        id,        // its name, or else its number
        seconds,   // the average time in its piece
        nodes,     // the statistics of the bulk engine
        backtracks,
        max_depth
    };

    struct Part {
        std::string text;
        Slot slot = Slot::nothing;
        std::size_t first = 0;
        std::size_t last = 0;
    };

    bool is_table() const { return !columns.empty() && keys.empty(); }

    std::vector<Role> columns;  // of a row of CSV, or the members of an object; empty: a line begins with its puzzle
    char delimiter = ',';
    std::vector<std::string> keys;  // of the objects, in quotes; each line has one with exactly these
    std::vector<Part> answer{{"", Slot::solution}, {"\n"}};
};

// Whole lines of a longer text.
struct LineBlock {
    std::string_view text;
    std::size_t first_row = 1;  // the number of the first puzzle
    bool is_last = true;        // otherwise, the last row may end in a later block
};

struct SolvedLines {
    enum class Answer { unread, unsatisfiable, unknown };

    // A line without an answer in `texts`.
    struct Other {
        std::size_t number;  // of the line in the input, from 0
        std::size_t row;     // its number among the rows
        std::size_t begin;   // of the line in the input
        std::size_t end;
        std::size_t position;  // where its answer belongs in the joined texts
        Answer answer;         // unread: left to the caller
    };

    std::vector<std::string> texts;  // to be joined: one answer per solved puzzle, in order
    std::vector<Other> others;
    std::size_t num_bytes = 0;  // of the input that have been read; the caller passes the rest again
    std::size_t num_lines = 0;  // in these bytes
    std::size_t num_rows = 0;   // in these bytes: puzzles, and lines in place of one
    bool are_right = true;      // whether the judge accepted all solutions
};

// Decodes 81 symbols of a 9×9 puzzle, `1`-`9` or a blank; false if there is any other. The blanks `x` and space depend
// on the rest of the text, so the caller deals with them.
bool decode_symbols(const char* text, std::uint8_t* cells);

// Solves plain lines: 81 symbols, optionally followed by a name or a comment, or a row of CSV or an object whose puzzle
// and name need no cleaning. All other lines are left to the caller. Blank lines are skipped, and comments unless the
// lines are rows. A line that may hold several puzzles or none is left to the caller in a block of its own, because the
// numbers of the following puzzles depend on it. After an interruption the answer is incomplete.
SolvedLines solve_lines(const LineBlock& block, const LineLayout& layout, const ArraySolver& solve,
                        const Budget& budget, int num_threads, const Interrupted& interrupted);

}  // namespace sudokulab
