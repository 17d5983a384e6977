// Looks for digits of prescribed cells that leave one solution. A step frees one or two of the cells, looks at the
// solutions that there are then, and gives the cells the digits that the fewest of them have.
#pragma once

#include <vector>

#include "generation/generator.h"
#include "solvers/auto.h"

namespace sudokulab {

class PatternSearch {
public:
    PatternSearch(const PuzzleSpec& spec, Control& control);

    // False if it has not found any in a while.
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
