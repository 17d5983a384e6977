// What techniques deduce from a puzzle: the steps, and where they lead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/techniques/step.h"
#include "search/solver.h"

namespace sudokulab {

struct Deduced {
    bool is_contradiction = false;
    bool is_stopped = false;  // the budget ran out, or the run was cancelled
    std::vector<techniques::Step> steps;
    Grid grid;
    std::vector<std::uint64_t> candidates;  // by cell
};

// Takes the first step of the first technique that applies, again and again, up to `max_steps` times.
Deduced deduce_steps(const Puzzle& puzzle, const std::vector<techniques::Technique>& order, std::size_t max_steps,
                     Control& control);

}  // namespace sudokulab
