// Searches for digits in prescribed cells that leave one solution. A step frees one or two of the cells, enumerates the
// resulting solutions, and assigns the digits that occur in the fewest of them.
#pragma once

#include <vector>

#include "generation/generator.h"
#include "solvers/auto.h"

namespace sudokulab {

class PatternSearch {
public:
    PatternSearch(const PuzzleSpec& spec, Control& control);

    // False if the search gave up.
    bool run();

    const Puzzle& puzzle() const { return puzzle_; }
    const Grid& solution() const { return solution_; }

private:
    Count improve();

    Control& control_;
    const Auto solver_;
    Puzzle puzzle_;
    Grid solution_;
    std::vector<int> cells_;
};

}  // namespace sudokulab
