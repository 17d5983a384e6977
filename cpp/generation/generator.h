// Puzzles with exactly one solution, to a specification.
//
// An attempt starts with a random full grid and blanks its cells in random order, orbit by orbit if a symmetry ties
// cells together, as long as the puzzle stays sound. On 9×9 grids (`BulkBlanking`) that means a unique solution; if
// certain techniques must suffice, orbits are then restored until they do. On other grids (`Blanking`) it means that
// the solution is unique and the techniques suffice. The puzzle is then judged by the other requirements. If it has the
// wrong number of givens, or redundant ones, a few blank orbits are restored and others blanked instead, as long as
// that improves it. If the positions of the givens are prescribed, there is nothing to blank: a local search looks for
// digits that leave one solution. With a controlled bias, an attempt samples minimal puzzles (`minimal_sample.h`) and
// judges the first one.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "logic/techniques/step.h"
#include "search/solver.h"

namespace sudokulab {

using TechniqueList = std::vector<techniques::Technique>;

struct PuzzleSpec {
    BoxShape box;
    std::vector<std::vector<int>> orbits;      // cells that are given or blank together
    bool is_pattern = false;                   // all orbits must be given, and all other cells blank
    std::optional<int> num_givens;             // required number of givens
    bool is_minimal = false;                   // no given may be redundant
    std::optional<TechniqueList> solved_by;    // techniques that must suffice
    std::vector<TechniqueList> not_solved_by;  // lists of techniques none of which may suffice
    std::optional<std::pair<int, int>> er;     // the least and the greatest rating of Sudoku Explainer, in tenths
    bool has_controlled_bias = false;          // minimal puzzles of `minimal_sample.h`, without ties or a pattern
};

// The result of an attempt; `num_unmet` and then `distance` measure how far it is from the specification.
struct Attempt {
    Grid givens;  // empty if stopped, or if no puzzle with a unique solution was found
    Grid solution;
    int num_unmet = 0;  // requirements that are not met
    int distance = 0;   // surplus, missing and redundant givens

    bool is_met() const { return !givens.empty() && num_unmet == 0; }
};

// Makes an attempt per seed. 9×9 puzzles are grown side by side, and all their searches for other solutions form one
// job of the bulk engine. Each attempt depends only on its seed; those unfinished when `control` stops stay empty.
std::vector<Attempt> attempt_each(const PuzzleSpec& spec, std::span<const std::uint64_t> seeds, Control& control);

// The puzzle that remains of a full 9×9 grid if the orbits are blanked in this order.
Grid blank_in_order(const PuzzleSpec& spec, const Grid& solution, std::span<const std::uint8_t> order,
                    Control& control);

// The number of lists of techniques that suffice but must not. If stopped, those that were not tried count.
int num_sufficient(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control);

// The number of requirements on the techniques that a puzzle does not meet.
int num_unmet_techniques(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control);

// Counts the requirements that a puzzle with a unique solution does not meet, given those on the techniques. The number
// of redundant givens only matters if there must be none; nothing means that it is unknown.
Attempt judge(const PuzzleSpec& spec, const Puzzle& puzzle, Grid solution, int num_unmet_techniques,
              std::optional<int> num_redundant, Control& control);

}  // namespace sudokulab
