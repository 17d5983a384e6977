// How hard a puzzle is: which rules solve it, and how many nodes a tree search visits.
#pragma once

#include <optional>
#include <span>

#include "logic/rules.h"
#include "search/solver.h"

namespace sudokulab {

struct Rating {
    int num_solutions = 0;   // up to 2; -1 if the budget ran out
    bool is_solved = false;  // by the rules alone
    Deduction deduction;
    std::optional<double> mean_nodes;  // of backtracking to the first solution, over relabelings; if measured
    std::optional<double> deviation;   // sample standard deviation of the same
};

// If the rules fill the grid, that proves the solution unique; otherwise a search counts. The digits are relabeled at
// random `num_relabelings` times; with 0, the puzzle itself is searched once.
Rating rate(const Puzzle& puzzle, std::span<const Rule> rules, int num_relabelings, Control& control);

}  // namespace sudokulab
