#include "bulk/bulk.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "grid/judge.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

constexpr std::size_t num_cells = 81;

}  // namespace

void run_bulk_portable(BulkJob& job);
#if SUDOKULAB_X86
void run_bulk_avx2(BulkJob& job);
void run_bulk_avx512(BulkJob& job);
#endif

bool has_instructions(Instructions instructions) {
#if SUDOKULAB_X86
    __builtin_cpu_init();
    switch (instructions) {
        case Instructions::avx512:
            return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bitalg");
        case Instructions::avx2:
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
        default:
            return true;
    }
#else
    return instructions == Instructions::portable;
#endif
}

Instructions best_instructions() {
    static const Instructions best = has_instructions(Instructions::avx512) ? Instructions::avx512
                                     : has_instructions(Instructions::avx2) ? Instructions::avx2
                                                                            : Instructions::portable;
    return best;
}

void run_bulk(Instructions instructions, BulkJob& job) {
    if (!has_instructions(instructions)) throw std::invalid_argument("this machine has no such instructions");
    switch (instructions) {
#if SUDOKULAB_X86
        case Instructions::avx512:
            return run_bulk_avx512(job);
        case Instructions::avx2:
            return run_bulk_avx2(job);
#endif
        default:
            return run_bulk_portable(job);
    }
}

std::size_t piece_size(std::size_t num_puzzles, int num_threads) {
    const auto num_pieces = static_cast<std::size_t>(num_threads == 1 ? 1 : 8 * num_threads);
    return std::clamp<std::size_t>(num_puzzles / num_pieces, 2048, 16384);
}

bool run_bulk_parallel(Instructions instructions, const BulkJob& job, int num_threads, const Interrupted& interrupted) {
    std::atomic<bool> are_right = true;
    const std::size_t size = piece_size(job.num_puzzles, num_threads);
    const std::size_t num_pieces = (job.num_puzzles + size - 1) / size;
    run_parallel(num_pieces, num_threads, interrupted, [&](std::size_t index, const Interrupted& stop) {
        const std::size_t begin = index * size;
        BulkJob piece = job;
        piece.puzzles += begin * num_cells;
        piece.num_puzzles = std::min(size, job.num_puzzles - begin);
        if (piece.solutions != nullptr) piece.solutions += begin * num_cells;
        piece.counts += begin;
        piece.stop_by(stop);
        run_bulk(instructions, piece);
        if (piece.solutions != nullptr && !are_solutions_right(piece)) are_right = false;
    });
    return are_right;
}

bool are_solutions_right(const BulkJob& job) {
    bool are_right = true;
    for (std::size_t i = 0; i < job.num_puzzles; ++i) {
        if (job.counts[i] == 0 || job.counts[i] == BulkJob::given_up) continue;
        are_right &= is_solution(job.solutions + i * num_cells, job.puzzles + i * num_cells, 3, 3);
    }
    return are_right;
}

}  // namespace sudokulab
