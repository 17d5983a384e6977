#include "logic/techniques/trial_and_error.h"

#include <algorithm>

#include "grid/search_board.h"

namespace sudokulab::techniques {
namespace {

enum class Verdict : std::uint8_t { possible, refuted, stopped };

class Search {
public:
    Search(const TechniqueBoard& open, Control& control)
        : board_(open.geometry()), control_(control), solution_(open.grid()) {
        is_consistent_ = board_.place_givens(solution_);
        for (int cell = 0; cell < open.geometry().num_cells(); ++cell) {
            if (!open.is_open(cell)) continue;
            for_each_bit(open.geometry().all() & ~open.candidates(cell),
                         [&](int digit) { is_consistent_ = is_consistent_ && board_.remove(cell, digit); });
        }
    }

    Verdict judge(const Candidate& candidate) {
        num_nodes_ = 0;
        if (solution_[static_cast<std::size_t>(candidate.cell)] == candidate.digit + 1) return Verdict::possible;
        if (is_consistent_) return try_candidate(candidate.cell, candidate.digit);
        num_nodes_ = 1;
        return Verdict::refuted;
    }

    // The digits tried for the last candidate.
    int num_nodes() const { return num_nodes_; }

private:
    Verdict try_candidate(int cell, int digit) {
        if (control_.must_stop() || control_.is_out_of_nodes()) return Verdict::stopped;
        ++num_nodes_;
        ++control_.num_nodes;
        const SearchBoard::Mark mark = board_.mark();
        const Verdict verdict = board_.place(cell, digit) ? complete() : Verdict::refuted;
        board_.undo(mark);
        return verdict;
    }

    Verdict complete() {
        const int cell = board_.most_constrained_cell();
        if (cell < 0) {
            solution_ = board_.grid();
            return Verdict::possible;
        }
        for (std::uint64_t left = board_.candidates(cell); left != 0; left &= left - 1) {
            const Verdict verdict = try_candidate(cell, lowest_bit(left));
            if (verdict != Verdict::refuted) return verdict;
        }
        return Verdict::refuted;
    }

    SearchBoard board_;
    Control& control_;
    std::vector<std::uint8_t> solution_;  // the last one found; before, the placed digits
    bool is_consistent_ = true;
    int num_nodes_ = 0;
};

}  // namespace

bool find_trials(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    std::vector<int> cells;
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (board.is_open(cell)) cells.push_back(cell);
    }
    std::stable_sort(cells.begin(), cells.end(),
                     [&](int one, int other) { return board.num_candidates(one) < board.num_candidates(other); });
    Search search(board, control);
    for (const int cell : cells) {
        Step step;
        step.technique = Technique::trial;
        step.cells = {cell};
        for_each_bit(board.candidates(cell), [&](int digit) { step.pattern.push_back({cell, digit}); });
        if (step.pattern.size() == 1) {
            step.placements = step.pattern;
            if (!visit(step)) return false;
            continue;
        }
        for (const Candidate& candidate : step.pattern) {
            const Verdict verdict = search.judge(candidate);
            if (verdict == Verdict::stopped) return false;
            if (verdict == Verdict::possible) continue;
            step.length = search.num_nodes();
            step.eliminations = {candidate};
            if (!visit(step)) return false;
        }
    }
    return true;
}

}  // namespace sudokulab::techniques
