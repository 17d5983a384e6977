// Ten rules of deduction (San Segundo & Jiménez 2009, section 3.1), each its own function, and one way to report what
// it found.
//
// A rule looks for its first application that changes the board, makes it and says so. The singles place a digit; all
// others only remove candidates. Rules never look at the solution, and never remove a candidate that is in one.
//
// The paper defines the naked triplet with the action of the hidden one, and calls the quadruplets similar to singles:
// they are read as naked and hidden subsets of three and of four. A naked subset removes its digits from the rest of
// the unit, a hidden subset the other digits from its cells.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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

// One application of a rule.
struct Step {
    Rule rule{};
    int unit = -1;            // where the pattern lies; -1 for a naked single, which needs no unit
    int other_unit = -1;      // of an interaction: where candidates are removed
    std::vector<int> cells;   // the pattern
    std::vector<int> digits;  // 0-based
    std::vector<Candidate> placements;
    std::vector<Candidate> eliminations;
};

enum class Progress { none, made, contradiction };

// Applies a rule once; fills in the step if there is one to fill in.
Progress apply(Rule rule, DeductionBoard& board, Step* step);

struct Deduction {
    bool is_contradiction = false;
    std::array<std::int64_t, num_rules> num_firings{};  // by rule
    int highest = -1;                                   // place in the given order of the last rule needed; -1: none
};

// Applies the rules in their order, none before all earlier ones are exhausted, until nothing changes. Steps are
// kept if there is a list to keep them in, at most `max_steps` of them.
Deduction deduce(DeductionBoard& board, std::span<const Rule> rules, std::vector<Step>* steps = nullptr,
                 std::size_t max_steps = SIZE_MAX);

// Whether the rules alone fill the grid.
bool is_solved_by(BoxShape box, std::span<const std::uint8_t> givens, std::span<const Rule> rules);

}  // namespace sudokulab
