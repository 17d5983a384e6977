#include "rating/effort.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/auto.h"
#include "solvers/backtracking.h"

namespace sudokulab {
namespace {

Puzzle relabeled(const Puzzle& puzzle, Rng& rng) {
    std::vector<std::uint8_t> digits(static_cast<std::size_t>(puzzle.box.size()));
    std::iota(digits.begin(), digits.end(), std::uint8_t{1});
    rng.shuffle(std::span(digits));
    Puzzle other = puzzle;
    for (auto& cell : other.givens) {
        if (cell != 0) cell = digits[static_cast<std::size_t>(cell - 1)];
    }
    return other;
}

}  // namespace

Rating rate(const Puzzle& puzzle, std::span<const Rule> rules, int num_relabelings, Control& control) {
    Rating rating;
    DeductionBoard board(Geometry::of(puzzle.box));
    if (board.place_givens(puzzle.givens)) {
        rating.deduction = deduce(board, rules);
        rating.is_solved = board.is_full() && !rating.deduction.is_contradiction;
    } else {
        rating.deduction.is_contradiction = true;
    }
    if (rating.deduction.is_contradiction) return rating;
    rating.num_solutions = 1;
    if (!rating.is_solved) {
        const Count count = Auto().count(puzzle, 2, control);
        rating.num_solutions = count.is_exact ? static_cast<int>(count.number) : -1;
        if (rating.num_solutions != 1) return rating;
    }
    double sum = 0;
    double sum_of_squares = 0;
    const int num_runs = std::max(1, num_relabelings);
    for (int run = 0; run < num_runs; ++run) {
        const std::int64_t before = control.num_nodes;
        const Puzzle other = num_relabelings > 0 ? relabeled(puzzle, control.rng) : puzzle;
        if (BacktrackingSearch(other).next(control) == Status::unknown) return rating;
        const auto nodes = static_cast<double>(control.num_nodes - before);
        sum += nodes;
        sum_of_squares += nodes * nodes;
    }
    rating.mean_nodes = sum / num_runs;
    const int degrees = std::max(1, num_runs - 1);
    rating.deviation = std::sqrt(std::max(0.0, (sum_of_squares - sum * sum / num_runs) / degrees));
    return rating;
}

}  // namespace sudokulab
