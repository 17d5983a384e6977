#include "generation/uniqueness.h"

#include "bulk/bulk.h"

namespace sudokulab {

std::vector<bool> are_unique(std::span<const Grid> puzzles, Control& control) {
    std::vector<std::uint8_t> digits;
    for (const Grid& puzzle : puzzles) digits.insert(digits.end(), puzzle.begin(), puzzle.end());
    std::vector<std::uint32_t> counts(puzzles.size(), 0);
    BulkJob job{.puzzles = digits.data(),
                .num_puzzles = puzzles.size(),
                .limit = 2,
                .solutions = nullptr,
                .counts = counts.data()};
    job.must_stop = [](void* asked) { return static_cast<Control*>(asked)->must_stop(); };
    job.stop_argument = &control;
    run_bulk(best_instructions(), job);
    std::vector<bool> unique;
    for (const std::uint32_t count : counts) unique.push_back(count == 1);
    return unique;
}

}  // namespace sudokulab
