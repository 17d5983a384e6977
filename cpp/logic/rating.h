// How hard a puzzle is: which rules solve it, and how much a tree search has to try.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "logic/rules.h"
#include "search/solver.h"

namespace sudokulab {

struct Rating {
    int num_solutions = 0;   // up to 2; -1 if the budget ran out
    bool is_solved = false;  // by the rules alone
    Deduction deduction;
    std::optional<double> mean_nodes;  // of backtracking to the first solution, over relabelings; if it was measured
    std::optional<double> deviation;   // of the same, the sample's
};

// Rules that fill the grid have proven that the solution is the only one; otherwise a search counts. The digits are
// relabeled at random that many times; with 0 the puzzle is searched once, as it is.
Rating rate(const Puzzle& puzzle, std::span<const Rule> rules, int num_relabelings, Control& control);

}  // namespace sudokulab
