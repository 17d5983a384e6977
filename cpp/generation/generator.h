// Puzzles with exactly one solution, to a specification.
//
// An attempt starts with a random full grid and blanks its cells in random order, orbit by orbit if a symmetry ties
// cells together, as long as the puzzle stays sound: the solution is unique or, if certain techniques must
// suffice, they solve it. Blanking can only lose soundness, so the longest sound prefix is found by bisection; after
// it, orbits are tried one by one. The result is then judged by the other requirements. If it has too many givens, or
// redundant ones, a few blank orbits are restored and others blanked instead, as long as that improves it. If the
// positions of the givens are prescribed, there is nothing to blank: a local search looks for digits that leave one
// solution.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "logic/techniques/step.h"
#include "search/solver.h"

namespace sudokulab {

using TechniqueList = std::vector<techniques::Technique>;

struct PuzzleSpec {
    BoxShape box;
    std::vector<std::vector<int>> orbits;      // cells that are given or blank together; others are always blank
    bool is_pattern = false;                   // all orbits must be given
    std::optional<int> num_givens;             // required number of givens
    bool is_minimal = false;                   // no given may be redundant
    std::optional<TechniqueList> solved_by;    // techniques that must suffice
    std::vector<TechniqueList> not_solved_by;  // lists of techniques none of which may suffice
    std::optional<std::pair<int, int>> er;     // the least and the greatest rating of Sudoku Explainer, in tenths
};

// The result of an attempt; `num_unmet` and then `distance` measure how far it is from the specification.
struct Attempt {
    Grid givens;  // empty if stopped, or if no puzzle with a unique solution was found
    Grid solution;
    int num_unmet = 0;  // requirements that are not met
    int distance = 0;   // surplus, missing and redundant givens

    bool is_met() const { return !givens.empty() && num_unmet == 0; }
};

Attempt attempt(const PuzzleSpec& spec, Control& control);

}  // namespace sudokulab
