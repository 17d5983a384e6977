#include "logic/one_level_trial.h"

#include <bit>

namespace sudokulab {
namespace {

enum class Verdict { nothing, completes, contradiction };

// The effect of placing a candidate; leaves the board unchanged.
Verdict try_candidate(DeductionBoard& board, std::span<const Rule> rules, const Candidate& candidate) {
    const DeductionBoard::Mark mark = board.mark();
    const bool is_consistent = board.place(candidate.cell, candidate.digit) && !deduce(board, rules).is_contradiction;
    const Verdict verdict = !is_consistent    ? Verdict::contradiction
                            : board.is_full() ? Verdict::completes
                                              : Verdict::nothing;
    board.undo(mark);
    return verdict;
}

template <class Visit>
void for_each_candidate(const DeductionBoard& board, Visit visit) {
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (board.is_placed(cell)) continue;
        for (std::uint64_t left = board.candidates(cell); left != 0; left &= left - 1) {
            const Candidate candidate{cell, std::countr_zero(left)};
            if (board.has(candidate.cell, candidate.digit) && !board.is_placed(cell) && !visit(candidate)) return;
        }
    }
}

}  // namespace

Trial try_one_level(const Puzzle& puzzle, std::span<const Rule> rules, Control& control) {
    Trial trial;
    DeductionBoard board(Geometry::of(puzzle.box));
    trial.is_contradiction = !board.place_givens(puzzle.givens) || deduce(board, rules).is_contradiction;
    trial.is_solved_by_rules = board.is_full() && !trial.is_contradiction;
    trial.is_solved_by_elimination = trial.is_solved_by_rules;
    if (trial.is_contradiction || trial.is_solved_by_rules) return trial;

    const auto may_go_on = [&] { return trial.is_finished = !control.must_stop(); };
    const auto find_key = [&](std::optional<Candidate>& key) {
        for_each_candidate(board, [&](const Candidate& candidate) {
            if (try_candidate(board, rules, candidate) == Verdict::completes) key = candidate;
            return may_go_on() && !key;
        });
    };
    find_key(trial.key);
    for (bool has_changed = true; has_changed && !board.is_full() && trial.is_finished && !trial.is_contradiction;) {
        has_changed = false;
        for_each_candidate(board, [&](const Candidate& candidate) {
            if (try_candidate(board, rules, candidate) == Verdict::contradiction) {
                has_changed = true;
                ++trial.num_eliminated;
                trial.is_contradiction =
                    !board.remove(candidate.cell, candidate.digit) || deduce(board, rules).is_contradiction;
            }
            return may_go_on() && !trial.is_contradiction;
        });
    }
    trial.is_solved_by_elimination = board.is_full() && !trial.is_contradiction;
    if (trial.is_finished && !trial.is_contradiction) find_key(trial.late_key);
    return trial;
}

}  // namespace sudokulab
