#include "logic/solvable.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "logic/rules.h"
#include "logic/techniques/reasoner.h"

namespace sudokulab {
namespace {

using techniques::Technique;

std::optional<Rule> rule_of(Technique technique) {
    switch (technique) {
        case Technique::naked_single:
            return Rule::naked_single;
        case Technique::hidden_single:
            return Rule::hidden_single;
        case Technique::pointing:
            return Rule::box_line;
        case Technique::claiming:
            return Rule::line_box;
        case Technique::naked_pair:
            return Rule::naked_pair;
        case Technique::hidden_pair:
            return Rule::hidden_pair;
        case Technique::naked_triplet:
            return Rule::naked_triplet;
        case Technique::hidden_triplet:
            return Rule::hidden_triplet;
        case Technique::naked_quad:
            return Rule::naked_quadruplet;
        case Technique::hidden_quad:
            return Rule::hidden_quadruplet;
        default:
            return std::nullopt;
    }
}

std::vector<Rule> rules_among(std::span<const Technique> order) {
    std::vector<Rule> rules;
    for (const Technique technique : order) {
        if (const std::optional<Rule> rule = rule_of(technique)) rules.push_back(*rule);
    }
    return rules;
}

techniques::TechniqueBoard open_board(const DeductionBoard& deduced, std::span<const std::uint8_t> givens) {
    const Geometry& geometry = deduced.geometry();
    techniques::TechniqueBoard board(geometry, givens);
    std::vector<std::uint64_t> candidates;
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        candidates.push_back(deduced.candidates(cell));
        if (deduced.is_placed(cell) && board.is_open(cell))
            board.place(cell, techniques::lowest_bit(candidates.back()));
    }
    board.restrict_to(candidates);
    return board;
}

}  // namespace

bool are_rules(std::span<const Technique> order) {
    return std::all_of(order.begin(), order.end(), [](Technique technique) { return rule_of(technique).has_value(); });
}

std::optional<RuleSet> rule_set_of(std::span<const Technique> order) {
    return are_rules(order) ? rule_set_of(rules_among(order)) : std::nullopt;
}

bool is_solved_by(const Puzzle& puzzle, std::span<const Technique> order, Control& control) {
    const std::vector<Rule> rules = rules_among(order);
    if (rules.size() == order.size()) return is_solved_by(puzzle.box, puzzle.givens, rules);
    DeductionBoard deduced(Geometry::of(puzzle.box));
    if (!deduced.place_givens(puzzle.givens) || deduce(deduced, rules).is_contradiction) return false;
    if (deduced.is_full()) return true;

    techniques::TechniqueBoard board = open_board(deduced, puzzle.givens);
    techniques::Reasoner reasoner({order.begin(), order.end()});
    while (!board.is_solved()) {
        const std::optional<techniques::Step> step = reasoner.next(board, control);
        if (!step) return false;
        apply(*step, board);
        if (board.is_contradictory()) return false;
    }
    return true;
}

}  // namespace sudokulab
