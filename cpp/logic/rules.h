// Ten deduction rules (San Segundo & Jiménez 2009, section 3.1), one function each.
//
// They are techniques too; `techniques/` reports their instances as steps. This engine only applies them, as the
// filters and searches of the solvers need it, and is several times as fast.
//
// A rule looks for its first application that changes the board, and applies it. Singles place a digit; all
// other rules only remove candidates. Rules never look at the solution, and never remove a candidate that is part of
// one.
//
// The paper defines the naked triplet with the action of the hidden one, and calls the quadruplets similar to singles.
// We read them as naked and hidden subsets of three and four. A naked subset removes its digits from the rest of the
// unit; a hidden subset removes the other digits from its cells.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "logic/deduction_board.h"

namespace sudokulab {

// In standard order.
enum class Rule : std::uint8_t {
    naked_single,
    hidden_single,
    box_line,  // BRC
    line_box,  // RCB
    naked_pair,
    hidden_pair,
    naked_triplet,
    hidden_triplet,
    naked_quadruplet,
    hidden_quadruplet,
};
inline constexpr std::size_t num_rules = 10;

enum class Progress { none, made, contradiction };

// Applies a rule once.
Progress apply(Rule rule, DeductionBoard& board);

struct Deduction {
    bool is_contradiction = false;
    std::array<std::int64_t, num_rules> num_firings{};  // by rule
    int highest = -1;                                   // index in the given order of the last rule needed; -1: none
};

// Applies the rules in order until nothing changes; each rule applies only after all earlier ones are exhausted.
Deduction deduce(DeductionBoard& board, std::span<const Rule> rules, std::size_t max_steps = SIZE_MAX);

// Whether the rules alone fill the grid.
bool is_solved_by(BoxShape box, std::span<const std::uint8_t> givens, std::span<const Rule> rules);

}  // namespace sudokulab
