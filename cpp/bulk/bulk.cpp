#include "bulk/bulk.h"

#include <algorithm>
#include <stdexcept>

namespace sudokulab {

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
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
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
    if (has_instructions(Instructions::avx512)) return Instructions::avx512;
    return has_instructions(Instructions::avx2) ? Instructions::avx2 : Instructions::portable;
}

void run_bulk(Instructions instructions, BulkJob& job) {
    if (!has_instructions(instructions)) throw std::invalid_argument("this machine lacks these instructions");
    std::fill(job.counts, job.counts + job.num_puzzles, BulkJob::undecided);
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

}  // namespace sudokulab
