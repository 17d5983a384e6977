// How much trial and error a puzzle needs beyond naked and hidden singles: its depth, and its backdoors.
//
// Depth (D. Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles", 2012): T&E(0) places singles. T&E(n)
// also removes every candidate whose placement T&E(n - 1) refutes, until nothing changes; it never guesses. The depth
// is the smallest n such that T&E(n) solves the puzzle. A candidate refuted earlier stays refuted, so the order of the
// trials does not matter.
//
// A backdoor (R. Williams, C. Gomes and B. Selman, "Backdoors to typical case complexity", 2003) is a set of cells
// whose digits of the solution, once placed, let singles solve the puzzle. Only the smallest backdoors are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/solver.h"

namespace sudokulab {

inline constexpr int max_trial_depth = 3;
inline constexpr int max_backdoor_size = 3;

struct TrialRating {
    int num_solutions = 0;                    // up to 2; -1 if the budget ran out. The rest is for exactly one
    std::optional<int> depth;                 // missing if it exceeds the maximum, or the budget ran out
    std::optional<int> backdoor_size;         // likewise
    std::int64_t num_backdoors = 0;           // of this size
    std::vector<std::vector<int>> backdoors;  // the first of them, as cells in ascending order
    bool is_finished = true;                  // false if the budget ran out
};

// Depth and backdoors are determined in turn, level by level, so that a short budget yields the cheap parts of both.
TrialRating rate_trial(const Puzzle& puzzle, std::size_t max_listed, Control& control);

}  // namespace sudokulab
