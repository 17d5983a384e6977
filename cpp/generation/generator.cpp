#include "generation/generator.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "generation/blanking.h"
#include "generation/minimal.h"
#include "generation/pattern_search.h"
#include "generation/random_grid.h"
#include "logic/scales/explainer.h"
#include "logic/solvable.h"

namespace sudokulab {
namespace {

constexpr int max_changes = 60;  // consecutive changes without improvement before an attempt ends

bool is_rated_between(const Puzzle& puzzle, const std::pair<int, int>& range, Control& control) {
    const ExplainerRating rating = rate_explainer(puzzle, control);
    return rating.is_solved && range.first <= rating.er && rating.er <= range.second;
}

// Counts the requirements that a puzzle with a unique solution does not meet.
Attempt judge(const PuzzleSpec& spec, const Puzzle& puzzle, Grid solution, bool is_surely_minimal, Control& control) {
    Attempt attempt{.givens = puzzle.givens, .solution = std::move(solution)};
    const auto num_blank = std::count(puzzle.givens.begin(), puzzle.givens.end(), 0);
    const int num_givens = static_cast<int>(puzzle.givens.size()) - static_cast<int>(num_blank);
    if (spec.num_givens && num_givens != *spec.num_givens) {
        ++attempt.num_unmet;
        attempt.distance = std::abs(num_givens - *spec.num_givens);
    }
    if (spec.solved_by && !is_solved_by(puzzle, *spec.solved_by, control)) ++attempt.num_unmet;
    for (const TechniqueList& order : spec.not_solved_by)
        attempt.num_unmet += is_solved_by(puzzle, order, control) || control.must_stop() ? 1 : 0;  // stopped: unknown
    if (spec.er && !is_rated_between(puzzle, *spec.er, control)) ++attempt.num_unmet;
    if (spec.is_minimal && !is_surely_minimal) {
        const auto redundant = redundant_givens(puzzle, control);
        if (!redundant || !redundant->empty()) ++attempt.num_unmet;
        if (redundant) attempt.distance += static_cast<int>(redundant->size());
    }
    return attempt;
}

}  // namespace

Attempt attempt(const PuzzleSpec& spec, Control& control) {
    if (spec.is_pattern) {
        PatternSearch search(spec, control);
        return search.run() ? judge(spec, search.puzzle(), search.solution(), false, control) : Attempt{};
    }
    const std::optional<Grid> solution = random_grid(spec.box, control);
    if (!solution) return {};
    Blanking blanking(spec, *solution, control);
    const auto judged = [&] {
        return judge(spec, blanking.puzzle(), *solution, blanking.is_surely_minimal(), control);
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

}  // namespace sudokulab
