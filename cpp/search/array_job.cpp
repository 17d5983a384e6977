#include "search/array_job.h"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "grid/judge.h"
#include "search/threads.h"

namespace sudokulab {

std::size_t piece_size(BoxShape box, std::size_t num_puzzles, int num_threads) {
    const auto num_pieces = static_cast<std::size_t>(num_threads <= 1 ? 1 : 8 * num_threads);
    const std::size_t smallest = box.size() <= 9 ? 2048 : 1;  // a single larger puzzle can take seconds
    return std::clamp<std::size_t>(num_puzzles / num_pieces, smallest, 16384);
}

bool are_digits(std::span<const std::uint8_t> cells, BoxShape box) {
    const auto size = static_cast<std::uint8_t>(box.size());
    std::uint8_t is_wrong = 0;  // no early exit, so that compilers vectorise the loop
    for (const std::uint8_t cell : cells) is_wrong = static_cast<std::uint8_t>(is_wrong | (cell > size));
    return is_wrong == 0;
}

bool are_solutions_right(const ArrayJob& job) {
    bool are_right = true;
    for (std::size_t i = 0; i < job.num_puzzles; ++i) {
        if (job.counts[i] == 0 || job.counts[i] == ArrayJob::undecided) continue;
        assert(job.counts[i] <= job.limit);
        const std::size_t first = i * job.num_cells();
        are_right &= is_solution(job.solutions + first, job.puzzles + first, job.box.rows, job.box.cols);
    }
    return are_right;
}

bool run_in_pieces(const ArrayJob& job, const ArraySolver& solve, int num_threads, const Interrupted& interrupted) {
    std::atomic<bool> are_right = true;
    const std::size_t size = piece_size(job.box, job.num_puzzles, num_threads);
    const std::size_t num_pieces = (job.num_puzzles + size - 1) / size;
    run_parallel(num_pieces, num_threads, interrupted, [&](std::size_t index, const Interrupted& stop) {
        const std::size_t begin = index * size;
        const ArrayJob piece = job.piece(begin, std::min(size, job.num_puzzles - begin));
        solve(piece, stop);
        if (piece.solutions != nullptr && !are_solutions_right(piece)) are_right = false;
    });
    return are_right;
}

}  // namespace sudokulab
