// Whether certain techniques solve a puzzle.
//
// Rules among the techniques run first, in their own, faster engine (see rules.h), so the order only matters among the
// others. With techniques that assume uniqueness, another order can lead to another result.
#pragma once

#include <optional>
#include <span>

#include "logic/quick_rules.h"
#include "logic/techniques/step.h"
#include "search/solver.h"

namespace sudokulab {

// Whether the techniques alone fill the grid; false if stopped. If one of them assumes a unique solution, that does not
// prove it.
bool is_solved_by(const Puzzle& puzzle, std::span<const techniques::Technique> order, Control& control);

// The standard set of rules that consists of exactly these techniques.
std::optional<RuleSet> rule_set_of(std::span<const techniques::Technique> order);

// Whether all techniques are rules. If they solve a puzzle, the solution is unique.
bool are_rules(std::span<const techniques::Technique> order);

}  // namespace sudokulab
