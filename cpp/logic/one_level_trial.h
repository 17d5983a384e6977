// One level of trial and error: try every candidate and filter (San Segundo & Jiménez 2009, 4.1).
//
// The paper claims that a few rules and one level solve every puzzle with a unique solution. The claim has three
// readings: (a) a search tree of depth one: placing some candidate and filtering completes the grid; (b) trial as
// elimination: candidates that filter to a contradiction are removed and the rules applied again, until nothing
// changes; (c) both: after elimination, placing some candidate and filtering completes the grid.
#pragma once

#include <optional>
#include <span>

#include "logic/rules.h"
#include "search/solver.h"

namespace sudokulab {

struct Trial {
    bool is_contradiction = false;          // there is no solution
    bool is_solved_by_rules = false;        // without any trial
    std::optional<Candidate> key;           // (a): the first candidate that completes the grid
    bool is_solved_by_elimination = false;  // (b)
    std::int64_t num_eliminated = 0;        // (b): refuted candidates
    std::optional<Candidate> late_key;      // (c): the first candidate that completes the grid after elimination
    bool is_finished = true;                // false if it was stopped
};

Trial try_one_level(const Puzzle& puzzle, std::span<const Rule> rules, Control& control);

}  // namespace sudokulab
