#include "generation/minimal.h"

#include "generation/uniqueness.h"
#include "grid/board.h"
#include "solvers/backtracking.h"
#include "solvers/conflict_driven.h"

namespace sudokulab {
namespace {

constexpr int largest_to_backtrack = 9;  // beyond, a search that learns is quicker

std::vector<int> given_cells(const Problem& problem) {
    std::vector<int> cells;
    for (std::size_t cell = 0; cell < problem.givens.size(); ++cell) {
        if (problem.givens[cell] != 0) cells.push_back(static_cast<int>(cell));
    }
    return cells;
}

// Is there a solution without this given in which its cell holds another digit? Unsatisfiable: no, it is redundant.
Status find_other_solution(const Problem& problem, int cell, Control& control) {
    if (control.must_stop()) return Status::unknown;  // propagation alone may settle it, and never ask
    Grid givens = problem.givens;
    const int digit = std::exchange(givens[static_cast<std::size_t>(cell)], std::uint8_t{0}) - 1;
    Board board(Geometry::of(problem.box));
    const bool is_consistent = board.place_givens(givens) && board.remove(cell, digit);
    if (problem.box.size() > largest_to_backtrack) return ConflictDrivenSearch(board, is_consistent).next(control);
    return BacktrackingSearch(std::move(board), is_consistent).next(control);
}

}  // namespace

std::optional<std::vector<int>> redundant_givens(const Problem& problem, Control& control) {
    std::vector<int> redundant;
    if (has_bulk(problem.box) && control.budget.nodes == Budget().nodes) {  // in bulk no nodes are counted
        const std::vector<int> cells = given_cells(problem);
        std::vector<Grid> without(cells.size(), problem.givens);
        for (std::size_t i = 0; i < cells.size(); ++i) without[i][static_cast<std::size_t>(cells[i])] = 0;
        const std::vector<bool> unique = are_unique(without, control);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (unique[i]) redundant.push_back(cells[i]);
        }
        if (control.must_stop()) return std::nullopt;
        return redundant;
    }
    for (const int cell : given_cells(problem)) {
        const Status status = find_other_solution(problem, cell, control);
        if (status == Status::unknown) return std::nullopt;
        if (status == Status::unsatisfiable) redundant.push_back(cell);
    }
    return redundant;
}

Count count_up_to_two(const Problem& problem, Control& control) {
    if (problem.box.size() > largest_to_backtrack) return count_solutions(ConflictDriven(), problem, 2, control);
    return count_solutions(Backtracking(), problem, 2, control);
}

std::optional<Grid> minimize(const Problem& problem, Control& control) {
    Problem reduced = problem;
    std::vector<int> cells = given_cells(problem);
    control.rng.shuffle(std::span(cells));
    for (const int cell : cells) {
        const Status status = find_other_solution(reduced, cell, control);
        if (status == Status::unknown) return std::nullopt;
        if (status == Status::unsatisfiable) reduced.givens[static_cast<std::size_t>(cell)] = 0;
    }
    return reduced.givens;
}

}  // namespace sudokulab
