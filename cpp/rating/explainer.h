// The rating of Sudoku Explainer 1.2.1 (N. Juillerat, 2006; ER, EP and ED as defined by gsf's `serate`).
//
// The explainer takes the first step of the easiest technique that applies, again and again. ER is the difficulty of
// the hardest step, EP that of the hardest step up to the first placement, ED that of the first step. Difficulties are
// given in tenths: 1.0 to about 12.
//
// The order of techniques, and within a technique of cells and units, follows the program, so the rating of a puzzle
// can change if its rows or digits are exchanged.
#pragma once

#include <vector>

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/solver.h"

namespace sudokulab {

struct ExplainerRating {
    int num_solutions = 0;   // up to 2; -1 if the budget ran out. Only puzzles with one solution are rated
    bool is_solved = false;  // otherwise no technique applied or the budget ran out
    // In tenths; 0 if there is no such step.
    int er = 0;
    int ep = 0;
    int ed = 0;
};

struct ExplainerStep {
    techniques::Step step;
    int difficulty;  // in tenths
};

// Records the steps unless `path` is null. Size 25 at most.
ExplainerRating rate_explainer(const Puzzle& puzzle, Control& control, std::vector<ExplainerStep>* path = nullptr);

}  // namespace sudokulab
