#include "rating/depth.h"

#include <algorithm>
#include <array>
#include <bit>

#include "grid/search_board.h"
#include "solvers/auto.h"

namespace sudokulab {
namespace {

using Digits = std::vector<std::uint64_t>;  // by cell, as bits

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// T&E(n) on a board from which singles have been propagated.
class TrialAndError {
public:
    TrialAndError(SearchBoard& board, Digits solution, Control& control)
        : board_(board), solution_(std::move(solution)), control_(control) {
        for (Digits& digits : unrefuted_) digits.resize(solution_.size());
    }

    // True if T&E(depth) solves the puzzle. What it removes stays removed. Meaningless once the control has stopped.
    bool solves(int depth) {
        eliminate(depth, solution_);
        return board_.is_full();
    }

private:
    // T&E(depth); false on a contradiction. `sound` are candidates that cannot be refuted.
    bool eliminate(int depth, const Digits& sound) {
        if (depth == 0) return true;
        if (!eliminate(depth - 1, sound)) return false;
        Digits& unrefuted = unrefuted_[at(depth - 1)];  // by trials on the present board
        unrefuted = sound;
        for (bool has_changed = true; has_changed && !board_.is_full();) {
            has_changed = false;
            for (int cell = 0; cell < board_.geometry().num_cells(); ++cell) {
                while (!board_.is_placed(cell) && (board_.candidates(cell) & ~unrefuted[at(cell)]) != 0) {
                    if (control_.must_stop()) return true;
                    const int digit = std::countr_zero(board_.candidates(cell) & ~unrefuted[at(cell)]);
                    if (!is_refuted(depth - 1, cell, digit, unrefuted)) continue;
                    if (!board_.remove(cell, digit) || !eliminate(depth - 1, sound)) return false;
                    has_changed = true;
                    unrefuted = sound;
                }
            }
        }
        return true;
    }

    // Whether T&E(depth) refutes the placement of a candidate. If not, it refutes none of the digits placed with it
    // either: their consequences are among those of the candidate.
    bool is_refuted(int depth, int cell, int digit, Digits& unrefuted) {
        const SearchBoard::Mark mark = board_.mark();
        const bool is_consistent = board_.place(cell, digit) && eliminate(depth, nothing_);
        if (is_consistent) {
            for (std::size_t other = 0; other < unrefuted.size(); ++other) {
                const bool is_placed = board_.is_placed(static_cast<int>(other));
                unrefuted[other] |= is_placed ? board_.candidates(static_cast<int>(other)) : 0;
            }
        }
        board_.undo(mark);
        return !is_consistent;
    }

    SearchBoard& board_;
    const Digits solution_;
    const Digits nothing_ = Digits(solution_.size(), 0);
    std::array<Digits, max_trial_depth> unrefuted_;
    Control& control_;
};

// Counts the backdoors of one size, if there are no smaller ones.
class BackdoorSearch {
public:
    BackdoorSearch(SearchBoard board, const Digits& solution, std::size_t max_listed, TrialRating& rating,
                   Control& control)
        : board_(std::move(board)), solution_(solution), max_listed_(max_listed), rating_(rating), control_(control) {}

    // False if stopped.
    bool find(int size, int first = 0) {
        if (size == 0) {
            if (board_.is_full()) add();
            return true;
        }
        for (int cell = first; cell < board_.geometry().num_cells(); ++cell) {
            if (board_.is_placed(cell)) continue;  // adds nothing to the cells before it
            if (control_.must_stop()) return false;
            const SearchBoard::Mark mark = board_.mark();
            cells_.push_back(cell);
            board_.place(cell, std::countr_zero(solution_[at(cell)]));
            const bool is_finished = find(size - 1, cell + 1);
            cells_.pop_back();
            board_.undo(mark);
            if (!is_finished) return false;
        }
        return true;
    }

private:
    void add() {
        ++rating_.num_backdoors;
        if (rating_.backdoors.size() < max_listed_) rating_.backdoors.push_back(cells_);
    }

    SearchBoard board_;
    const Digits& solution_;
    const std::size_t max_listed_;
    TrialRating& rating_;
    Control& control_;
    std::vector<int> cells_;
};

Digits as_bits(const Grid& grid) {
    Digits digits(grid.size());
    std::transform(grid.begin(), grid.end(), digits.begin(),
                   [](std::uint8_t digit) { return std::uint64_t{1} << (digit - 1); });
    return digits;
}

// The number of solutions up to two, -1 if the budget ran out; stores the first one.
int num_solutions(const SearchBoard& board, Grid& first, Control& control) {
    const auto search = Auto().search(board, true);
    const Count count = count_solutions(*search, 2, control, &first);
    return count.is_exact ? static_cast<int>(count.number) : -1;
}

}  // namespace

TrialRating rate_trial(const Puzzle& puzzle, std::size_t max_listed, Control& control) {
    TrialRating rating;
    SearchBoard board(Geometry::of(puzzle.box));
    if (!board.place_givens(puzzle.givens)) return rating;
    Grid solution;
    rating.num_solutions = num_solutions(board, solution, control);
    rating.is_finished = rating.num_solutions >= 0;
    if (rating.num_solutions != 1) return rating;

    const Digits digits = as_bits(solution);
    BackdoorSearch backdoors(board, digits, max_listed, rating, control);
    TrialAndError trial(board, digits, control);
    for (int level = 0; level <= std::max(max_trial_depth, max_backdoor_size); ++level) {
        if (!rating.backdoor_size && level <= max_backdoor_size) {
            rating.is_finished = backdoors.find(level);
            if (!rating.is_finished) break;
            if (rating.num_backdoors > 0) rating.backdoor_size = level;
        }
        if (!rating.depth && level <= max_trial_depth) {
            if (trial.solves(level)) rating.depth = level;
            rating.is_finished = rating.depth || !control.must_stop();
            if (!rating.is_finished) break;
        }
        if (rating.depth && rating.backdoor_size) break;
    }
    if (!rating.backdoor_size) {  // of a search that was stopped
        rating.num_backdoors = 0;
        rating.backdoors.clear();
    }
    return rating;
}

}  // namespace sudokulab
