// The default solver: the fastest engine for the given puzzle. The choice is made here and nowhere else.
//
//   9×9               the bulk engine, up to `max_guesses`; conflict-driven search for puzzles over the limit
//   smaller           backtracking
//   larger            conflict-driven search; a portfolio of them on several threads
//
// Counting works the same way, except that backtracking counts the solutions of a 9×9 grid that has `many` or more.
// Backtracking also enumerates all solutions of a 9×9 grid but the first: it is faster where there is little to learn.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bulk/bulk.h"
#include "grid/search_board.h"
#include "search/array_job.h"
#include "search/solver.h"

namespace sudokulab {

class Auto : public CompleteSolver {
public:
    // Ten times what any puzzle of the public collections needs. Some grids without a solution would keep the bulk
    // engine busy for seconds; this limits the time per puzzle to a few milliseconds.
    static constexpr std::uint32_t max_guesses = 10'000;
    static constexpr std::uint32_t many = 1'000;

    explicit Auto(Instructions instructions = best_instructions()) : instructions_(instructions) {}

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override;
    std::unique_ptr<Search> search_in_parallel(const Puzzle& puzzle, int num_threads) const override;
    // Searches below a board prepared by the caller; `is_consistent` is what the board's last step returned.
    std::unique_ptr<Search> search(const SearchBoard& board, bool is_consistent) const;

    Count count(const Puzzle& puzzle, std::int64_t limit, Control& control) const override;

    // Counts for many puzzles of one shape under one control. Where `has_bulk` holds, they run in parallel, in a
    // fraction of the time.
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
