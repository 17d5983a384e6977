#include "generation/generator.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

#include "generation/blanking.h"
#include "generation/bulk_blanking.h"
#include "generation/limits.h"
#include "generation/minimal.h"
#include "generation/minimal_sample.h"
#include "generation/pattern_search.h"
#include "generation/random_grid.h"
#include "generation/side_by_side.h"
#include "grid/judge.h"
#include "logic/solvable.h"
#include "rating/explainer.h"

namespace sudokulab {
namespace {

bool is_rated_between(const Puzzle& puzzle, const std::pair<int, int>& range, Control& control) {
    const ExplainerRating rating = rate_explainer(puzzle, control);
    return rating.is_solved && range.first <= rating.er && rating.er <= range.second;
}

std::optional<int> num_redundant(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control) {
    if (!spec.is_minimal) return 0;
    const auto redundant = redundant_givens(puzzle, control);
    return redundant ? std::optional(static_cast<int>(redundant->size())) : std::nullopt;
}

Attempt attempt(const PuzzleSpec& spec, Control& control) {
    if (spec.is_pattern) {
        PatternSearch search(spec, control);
        if (!search.run()) return {};
        return judge(spec, search.puzzle(), search.solution(), num_unmet_techniques(spec, search.puzzle(), control),
                     num_redundant(spec, search.puzzle(), control), control);
    }
    const std::optional<Grid> solution = random_grid(spec.box, control);
    if (!solution) return {};
    Blanking blanking(spec, *solution, control);
    const auto judged = [&] {
        const auto number = blanking.is_surely_minimal() ? 0 : num_redundant(spec, blanking.puzzle(), control);
        const int num_unmet = num_unmet_techniques(spec, blanking.puzzle(), control);
        return judge(spec, blanking.puzzle(), *solution, num_unmet, number, control);
    };
    if (!blanking.run()) return {};
    Attempt best = judged();
    // a puzzle with the wrong number of givens, or redundant ones, is changed step by step while that improves it
    for (int patience = max_changes; best.distance > 0 && patience > 0 && blanking.change(); --patience) {
        Attempt changed = judged();
        if (std::pair(changed.distance, changed.num_unmet) > std::pair(best.distance, best.num_unmet)) {
            blanking.return_to(best.givens);
            continue;
        }
        if (changed.distance < best.distance) patience = max_changes;
        best = std::move(changed);
    }
    return best;
}

std::vector<Attempt> sample_attempts(const PuzzleSpec& spec, std::span<const std::uint64_t> seeds, Control& control) {
    std::vector<Attempt> attempts;
    for (const std::vector<MinimalPuzzle>& found : sample_each(spec.box, seeds, true, control)) {
        attempts.emplace_back();
        if (found.empty()) continue;
        const Puzzle puzzle{spec.box, found.front().givens};
        attempts.back() =
            judge(spec, puzzle, found.front().solution, num_unmet_techniques(spec, puzzle, control), 0, control);
    }
    return attempts;
}

}  // namespace

std::vector<Attempt> attempt_each(const PuzzleSpec& spec, std::span<const std::uint64_t> seeds, Control& control) {
    if (spec.has_controlled_bias) return sample_attempts(spec, seeds, control);
    if (has_bulk(spec.box) && !spec.is_pattern) {
        const auto begin = [&](std::uint64_t seed) { return BulkBlanking(spec, seed, control); };
        return SideBySide<BulkBlanking>(seeds, begin, control).run();
    }
    std::vector<Attempt> attempts;
    for (const std::uint64_t seed : seeds) {
        control.rng = Rng(seed);
        attempts.push_back(control.must_stop() ? Attempt{} : attempt(spec, control));
    }
    return attempts;
}

Grid blank_in_order(const PuzzleSpec& spec, const Grid& solution, std::span<const std::uint8_t> order,
                    Control& control) {
    BulkBlanking::Digits digits;
    assert(solution.size() == bulk_cells);
    std::copy_n(solution.begin(), bulk_cells, digits.begin());
    return answered(BulkBlanking(spec, digits, order, control), control).givens;
}

int num_sufficient(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control) {
    const auto suffices = [&](const TechniqueList& order) {
        return is_solved_by(puzzle, order, control) || control.must_stop();
    };
    return static_cast<int>(std::count_if(spec.not_solved_by.begin(), spec.not_solved_by.end(), suffices));
}

int num_unmet_techniques(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control) {
    const bool is_too_hard = spec.solved_by && !is_solved_by(puzzle, *spec.solved_by, control);
    return num_sufficient(spec, puzzle, control) + (is_too_hard ? 1 : 0);
}

Attempt judge(const PuzzleSpec& spec, const Puzzle& puzzle, Grid solution, int num_unmet_techniques,
              std::optional<int> num_redundant, Control& control) {
    Attempt attempt{.givens = puzzle.givens, .solution = std::move(solution), .num_unmet = num_unmet_techniques};
    const auto num_blank = std::count(puzzle.givens.begin(), puzzle.givens.end(), 0);
    const int num_givens = static_cast<int>(puzzle.givens.size()) - static_cast<int>(num_blank);
    assert(is_solution(attempt.solution.data(), puzzle.givens.data(), spec.box.rows, spec.box.cols));
    if (spec.num_givens && num_givens != *spec.num_givens) {
        ++attempt.num_unmet;
        attempt.distance = std::abs(num_givens - *spec.num_givens);
    }
    if (spec.er && !is_rated_between(puzzle, *spec.er, control)) ++attempt.num_unmet;
    if (spec.is_minimal && num_redundant != 0) ++attempt.num_unmet;
    attempt.distance += num_redundant.value_or(0);
    return attempt;
}

}  // namespace sudokulab
