#include "bulk/bulk.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
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
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
        case Instructions::avx2:
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
        default:
            return true;
    }
#else
    return instructions == Instructions::portable;
#endif
}

Instructions instructions_named(const std::string& name, const char* setting) {
    const auto found = std::find(instruction_names.begin(), instruction_names.end(), name);
    const auto instructions = static_cast<Instructions>(found - instruction_names.begin());
    if (found == instruction_names.end() || !has_instructions(instructions)) throw UnknownInstructions(name, setting);
    return instructions;
}

Instructions best_instructions() {
    static const Instructions best = [] {
        const char* variable = "SUDOKULAB_INSTRUCTIONS";
        const char* value = std::getenv(variable);
        const std::string name = value == nullptr ? "" : value;
        if (!name.empty() && name != "best") return instructions_named(name, variable);
        if (has_instructions(Instructions::avx512)) return Instructions::avx512;
        return has_instructions(Instructions::avx2) ? Instructions::avx2 : Instructions::portable;
    }();
    return best;
}

void run_bulk(Instructions instructions, BulkJob& job) {
    assert(job.limit > 0 && (job.num_puzzles == 0 || job.counts != nullptr));
    assert(job.num_puzzles == 0 || job.puzzles != nullptr || job.candidates != nullptr);
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
