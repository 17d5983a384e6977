// Puzzles with exactly one solution, to a specification.
//
// An attempt begins with a random full grid and blanks its cells in random order, orbit by orbit where a symmetry binds
// cells together, as long as the puzzle stays sound: as long as the solution is the only one or, if certain rules must
// suffice, as long as they solve it. Soundness can only be lost by blanking, so the longest sound prefix is found by
// bisection; after it, orbits are tried one by one. What comes out is judged by the other wishes. If it has too many
// givens, or redundant ones, a few blank orbits are given back and others blanked instead, as long as that brings it
// nearer. Where the cells of the givens are prescribed there is nothing to blank: a local search over their digits
// looks for the values that leave one solution.
#pragma once

#include <optional>
#include <vector>

#include "logic/rules.h"
#include "search/solver.h"

namespace sudokulab {

struct PuzzleSpec {
    BoxShape box;
    std::vector<std::vector<int>> orbits;          // cells that are given or blank together; others are always blank
    bool is_pattern = false;                       // all of them must be given
    std::optional<int> num_givens;                 // how many givens it must have
    bool is_minimal = false;                       // no given may be redundant
    std::optional<std::vector<Rule>> solved_by;    // rules that must suffice
    std::vector<std::vector<Rule>> not_solved_by;  // sets of rules none of which may suffice
};

// What an attempt came to; `num_unmet` and then `distance` tell how far it is from the specification.
struct Attempt {
    Grid givens;  // empty if it was stopped, or found nothing with one solution
    Grid solution;
    int num_unmet = 0;  // wishes that are not met
    int distance = 0;   // givens too many or too few, and those that are redundant

    bool is_met() const { return !givens.empty() && num_unmet == 0; }
};

Attempt attempt(const PuzzleSpec& spec, Control& control);

}  // namespace sudokulab
