#include "rating/hodoku_choice.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "logic/techniques/almost_locked_sets.h"

namespace sudokulab::hodoku {

using namespace techniques;

namespace {

// Boxes before rows before columns.
int rank_of_unit(const TechniqueBoard& board, int unit) {
    return unit >= board.first_unit(UnitKind::box) ? unit - board.geometry().num_units() : unit;
}

std::uint64_t digits_of(const Step& step) {
    std::uint64_t digits = 0;
    for (const Candidate& candidate : step.pattern) digits |= bit(candidate.digit);
    return digits;
}

// Fish: by digit; then bases of rows (and boxes) before bases of columns; then by units.
Rank rank_of_fish(const TechniqueBoard& board, const Step& step) {
    const auto half = step.units.begin() + static_cast<std::ptrdiff_t>(step.units.size() / 2);
    const auto is_row = [&](int unit) { return unit < board.first_unit(UnitKind::column); };
    const auto is_column = [&](int unit) { return !is_row(unit) && unit < board.first_unit(UnitKind::box); };
    const bool has_column_base =
        std::any_of(step.units.begin(), half, is_column) || std::any_of(half, step.units.end(), is_row);
    Rank rank{step.pattern.front().digit, has_column_base ? 1 : 0};
    rank.insert(rank.end(), step.units.begin(), step.units.end());
    return rank;
}

// HoDoKu overlooks W-wings in which an end of the strong link that sees the first cell is needed for the second.
bool is_known_w_wing(const TechniqueBoard& board, const Step& step) {
    const std::array ends{step.cells[1], step.cells[2]};
    return std::any_of(ends.begin(), ends.end(),
                       [&](int end) { return !board.sees(end, step.cells[0]) && board.sees(end, step.cells[3]); });
}

}  // namespace

bool is_admitted(const TechniqueBoard& board, const Step& step) {
    switch (step.technique) {
        case Technique::empty_rectangle:
            return step.variant == 0;
        case Technique::w_wing:
            return is_known_w_wing(board, step);
        case Technique::als_xz:
        case Technique::als_xy_wing:
        case Technique::als_xy_chain:
            return step.variant == 1;
        default:
            return step.fins.empty() || step.variant == 0;  // no siamese fish
    }
}

void sort_eliminations(const TechniqueBoard& board, Step& step) {
    const auto sort_by = [&](auto rank) {
        std::sort(step.eliminations.begin(), step.eliminations.end(),
                  [&](const Candidate& one, const Candidate& other) { return rank(one) < rank(other); });
    };
    switch (step.technique) {
        case Technique::locked_pair:
        case Technique::locked_triplet:
        case Technique::naked_pair:
        case Technique::naked_triplet:
        case Technique::naked_quad: {
            if (step.units.size() < 2) return;
            const auto kind = static_cast<UnitKind>(step.units[1] / board.geometry().size());
            sort_by([&](const Candidate& removed) {
                return std::tuple(board.unit(kind, removed.cell) != step.units[1], removed.cell, removed.digit);
            });
            return;
        }
        case Technique::unique_rectangle_4:
        case Technique::unique_rectangle_6:
            sort_by([](const Candidate& removed) { return std::pair(removed.cell, removed.digit); });
            return;
        case Technique::alternating_inference_chain:
        case Technique::grouped_alternating_inference_chain:
            if (step.eliminations.front().digit != step.eliminations.back().digit) {
                std::reverse(step.eliminations.begin(), step.eliminations.end());
            }
            return;
        default:
            return;
    }
}

Rank rank_of_pattern(const TechniqueBoard& board, const Step& step) {
    Rank rank;
    const auto append = [&](const std::vector<int>& part) { rank.insert(rank.end(), part.begin(), part.end()); };
    switch (step.technique) {
        case Technique::pointing:
        case Technique::claiming:
            return {step.units[0], step.pattern[0].digit};
        case Technique::locked_pair:
        case Technique::locked_triplet:
        case Technique::naked_pair:
        case Technique::naked_triplet:
        case Technique::naked_quad:
            rank = {rank_of_unit(board, step.units[0])};
            append(step.cells);
            return rank;
        case Technique::hidden_pair:
        case Technique::hidden_triplet:
        case Technique::hidden_quad:
            rank = {rank_of_unit(board, step.units[0])};
            for_each_bit(digits_of(step), [&](int digit) { rank.push_back(digit); });
            return rank;
        case Technique::skyscraper:
            return {step.units[0] / board.geometry().size(), step.pattern[0].digit, step.units[0], step.units[1]};
        case Technique::two_string_kite:
            return {step.pattern[0].digit, step.units[0], step.units[1]};
        case Technique::empty_rectangle:
            // The row and the column of the rectangle from the last to the first.
            return {step.pattern[0].digit, step.units[0], -step.units[1], -step.units[2]};
        case Technique::xy_wing: {
            rank = step.cells;
            std::sort(rank.begin(), rank.end());
            rank.push_back(step.cells[0]);
            return rank;
        }
        case Technique::xyz_wing:
            return {step.cells[0], std::min(step.cells[1], step.cells[2]), std::max(step.cells[1], step.cells[2])};
        case Technique::sue_de_coq:
            rank = step.units;
            for (const std::vector<Candidate>& part : step.nodes) {
                for (const Candidate& candidate : part) {
                    if (rank.back() != candidate.cell) rank.push_back(candidate.cell);
                }
                rank.push_back(-1);  // a part comes before its extensions
            }
            return rank;
        case Technique::multi_colouring:
            return {step.pattern[0].digit, step.cells[0]};
        default:
            return rank_of_fish(board, step);
    }
}

Rank rank_by_outcome(const Step& step) {
    int sum = 0;
    int weight = 1;
    for (const Candidate& removed : step.eliminations) {
        sum += removed.cell * weight + removed.digit + 1;
        weight += 80;
    }
    Rank rank{-static_cast<int>(step.eliminations.size()), sum};
    if (step.technique == Technique::als_xy_chain) return rank;
    const bool is_end_to_end = step.technique == Technique::alternating_inference_chain ||
                               step.technique == Technique::grouped_alternating_inference_chain;
    const Candidate& start = step.pattern.front();
    const Candidate& end = step.pattern.back();
    const int cell = step.technique == Technique::turbot_fish ? std::min(start.cell, end.cell) : start.cell;
    rank.insert(rank.end(), {is_end_to_end ? 1 : 0, step.links.front().is_strong ? 1 : 0, cell, start.digit});
    return rank;
}

SetNumbers number_sets(const TechniqueBoard& board, Control& control) {
    SetNumbers numbers;
    for (const AlmostLockedSet& set : almost_locked_sets(board, CellMap(board), 1, control)) {
        std::vector<int> cells;
        set.cells.for_each([&](int cell) { cells.push_back(cell); });
        numbers.emplace(std::move(cells), static_cast<int>(numbers.size()));
    }
    return numbers;
}

Rank rank_of_wing(const Step& step, const SetNumbers& numbers) {
    std::array<int, 3> members{};
    for (std::size_t k = 0; k < 3; ++k) {
        std::vector<int> cells;
        for (const Candidate& candidate : step.nodes[k]) {
            if (cells.empty() || cells.back() != candidate.cell) cells.push_back(candidate.cell);
        }
        members[k] = numbers.at(cells);
    }
    std::array pairs{std::minmax({members[0], members[1]}), std::minmax({members[1], members[2]})};
    std::sort(pairs.begin(), pairs.end());
    return {pairs[0].first, pairs[0].second, pairs[1].first, pairs[1].second};
}

}  // namespace sudokulab::hodoku
