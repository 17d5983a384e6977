// 9×9 puzzles in bulk: many puzzles side by side, one in each 16-bit lane of a vector.
//
// The state is one vector for each cell, with the nine candidates of that cell in every lane. A pass applies naked
// singles, hidden singles and box-line interactions to all puzzles at once; nothing in it depends on the data. Three
// cells in a row of a box form a triad: what can stand in it at all, and what in two places of it, is enough to find
// the hidden singles and interactions of all units with a few logical operations. After a pass each lane is looked at:
// one that has come to rest branches, one that has run into a contradiction goes back to its last branch, and one that
// is done takes the next puzzle, so that no lane is ever idle.
//
// A branch takes a cell with two candidates, the one whose digits are most wanted by its peers, above all by those with
// two candidates themselves; where no cell has two, a digit with two places in a unit; else a cell with fewest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/control.h"

namespace sudokulab {

// The instructions that an engine is made of, the widest that the machine has by default.
enum class Instructions { portable, avx2, avx512 };

bool has_instructions(Instructions instructions);
Instructions best_instructions();

// Ten times what any puzzle of the public collections needs. There are grids, without a solution, that would keep a
// lane busy for seconds; who cannot wait gives them up.
inline constexpr std::uint32_t patient_guesses = 10'000;

struct BulkJob {
    static constexpr std::uint32_t given_up = ~std::uint32_t{0};

    const std::uint8_t* puzzles;  // 81 digits each, 0 for a blank
    std::size_t num_puzzles;
    std::uint32_t limit;                            // how many solutions of each to look for
    std::uint8_t* solutions;                        // the first one of each, zeros if there is none; may be missing
    std::uint32_t* counts;                          // solutions found, up to the limit, or `given_up`
    std::uint32_t max_guesses = ~std::uint32_t{0};  // for each puzzle
    std::uint64_t num_guesses = 0;                  // for all of them
    bool (*must_stop)(void*) = nullptr;             // asked now and then; once true, what is not done keeps its zeros
    void* stop_argument = nullptr;

    void stop_by(const Interrupted& interrupted) {
        must_stop = [](void* asked) { return (*static_cast<const Interrupted*>(asked))(); };
        stop_argument = const_cast<Interrupted*>(&interrupted);
    }
};

void run_bulk(Instructions instructions, BulkJob& job);

// How many puzzles to give to a thread at once: enough that the lanes which are idle at the end of a piece count
// little, and few enough that all threads end at about the same time.
std::size_t piece_size(std::size_t num_puzzles, int num_threads);

// Runs a job in such pieces on several threads, and asks the judge; false if a solution is none.
bool run_bulk_parallel(Instructions instructions, const BulkJob& job, int num_threads, const Interrupted& interrupted);

// Asks the judge of each solution that a job has written down; false if one is none.
bool are_solutions_right(const BulkJob& job);

}  // namespace sudokulab
