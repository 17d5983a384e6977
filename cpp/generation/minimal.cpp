#include "generation/minimal.h"

#include <utility>

#include "grid/search_board.h"
#include "solvers/auto.h"

namespace sudokulab {
namespace {

std::vector<int> given_cells(const Puzzle& puzzle) {
    std::vector<int> cells;
    for (std::size_t cell = 0; cell < puzzle.givens.size(); ++cell) {
        if (puzzle.givens[cell] != 0) cells.push_back(static_cast<int>(cell));
    }
    return cells;
}

// Looks for a solution without this given that has another digit in its cell. Unsatisfiable: the given is redundant.
Status find_other_solution(const Puzzle& puzzle, int cell, Control& control) {
    if (control.must_stop()) return Status::unknown;  // propagation alone may decide, without polling
    Grid givens = puzzle.givens;
    const int digit = std::exchange(givens[static_cast<std::size_t>(cell)], std::uint8_t{0}) - 1;
    SearchBoard board(Geometry::of(puzzle.box));
    const bool is_consistent = board.place_givens(givens) && board.remove(cell, digit);
    return Auto().search(board, is_consistent)->next(control);
}

// The same for all givens in parallel.
std::optional<std::vector<int>> redundant_in_bulk(const Puzzle& puzzle, Control& control) {
    const std::vector<int> cells = given_cells(puzzle);
    std::vector<Grid> without(cells.size(), puzzle.givens);
    for (std::size_t i = 0; i < cells.size(); ++i) without[i][static_cast<std::size_t>(cells[i])] = 0;
    const std::vector<Count> counts = Auto().count_each(puzzle.box, without, 2, control);
    std::vector<int> redundant;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!counts[i].is_exact) return std::nullopt;
        if (counts[i].number == 1) redundant.push_back(cells[i]);
    }
    return redundant;
}

}  // namespace

std::optional<std::vector<int>> redundant_givens(const Puzzle& puzzle, Control& control) {
    const bool counts_nodes = control.budget.nodes != Budget().nodes;  // parallel searches cannot share a node limit
    if (has_bulk(puzzle.box) && !counts_nodes) return redundant_in_bulk(puzzle, control);
    std::vector<int> redundant;
    for (const int cell : given_cells(puzzle)) {
        const Status status = find_other_solution(puzzle, cell, control);
        if (status == Status::unknown) return std::nullopt;
        if (status == Status::unsatisfiable) redundant.push_back(cell);
    }
    return redundant;
}

std::optional<Grid> minimize(const Puzzle& puzzle, Control& control) {
    Puzzle reduced = puzzle;
    std::vector<int> cells = given_cells(puzzle);
    control.rng.shuffle(std::span(cells));
    for (const int cell : cells) {
        const Status status = find_other_solution(reduced, cell, control);
        if (status == Status::unknown) return std::nullopt;
        if (status == Status::unsatisfiable) reduced.givens[static_cast<std::size_t>(cell)] = 0;
    }
    return reduced.givens;
}

}  // namespace sudokulab
