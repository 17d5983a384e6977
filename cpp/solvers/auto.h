// The default solver: the fastest engine for the puzzle at hand. No other place chooses.
//
//   9×9               the bulk engine, up to `max_guesses`; conflict-driven search for what it gives up
//   smaller           backtracking
//   larger            conflict-driven search
//
// Solutions are counted the same way. Where a 9×9 grid has `many` of them or more, backtracking counts them all, as it
// enumerates all but the first: it is quicker where there is little to learn.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bulk/bulk.h"
#include "grid/board.h"
#include "search/array_job.h"
#include "search/solver.h"

namespace sudokulab {

class Auto : public CompleteSolver {
public:
    // Ten times what any puzzle of the public collections needs. Some grids without a solution would keep the bulk
    // engine busy for seconds; the limit bounds a puzzle's time in it to some milliseconds.
    static constexpr std::uint32_t max_guesses = 10'000;
    static constexpr std::uint32_t many = 1'000;

    explicit Auto(Instructions instructions = best_instructions()) : instructions_(instructions) {}

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override;
    // Searches below a board that the caller prepared; `is_consistent` is what its last step returned.
    std::unique_ptr<Search> search(const Board& board, bool is_consistent) const;

    Count count(const Puzzle& puzzle, std::int64_t limit, Control& control) const override;

    // Counts for many puzzles of one shape under one control. Where `has_bulk` holds they run side by side, at a
    // fraction of the time of one by one.
    std::vector<Count> count_each(BoxShape box, std::span<const Grid> puzzles, std::int64_t limit,
                                  Control& control) const;

    std::vector<Result> solve_many(std::span<const Puzzle> puzzles, std::span<const std::uint64_t> seeds,
                                   const Budget& budget, int num_threads,
                                   const Interrupted& interrupted) const override;

    // An `ArraySolver`.
    void solve_array(const ArrayJob& job, const Interrupted& stop) const;

private:
    Instructions instructions_;
};

}  // namespace sudokulab
