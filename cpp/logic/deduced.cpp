#include "logic/deduced.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "logic/techniques/reasoner.h"

namespace sudokulab {

Deduced deduce_steps(const Puzzle& puzzle, const std::vector<techniques::Technique>& order, std::size_t max_steps,
                     Control& control) {
    Deduced deduced;
    deduced.is_contradiction = has_clash(puzzle);
    techniques::TechniqueBoard board(Geometry::of(puzzle.box));
    if (!deduced.is_contradiction) {
        board = techniques::TechniqueBoard(Geometry::of(puzzle.box), puzzle.givens);
        deduced.is_contradiction = board.is_contradictory();
    }
    techniques::Reasoner reasoner(order);
    deduced.steps.reserve(std::min(max_steps, puzzle.givens.size()));
    while (!deduced.is_contradiction && !board.is_solved() && deduced.steps.size() < max_steps) {
        std::optional<techniques::Step> step = reasoner.next(board, control);
        if (!step) {
            deduced.is_stopped = control.must_stop();
            break;
        }
        apply(*step, board);
        deduced.steps.push_back(std::move(*step));
        deduced.is_contradiction = board.is_contradictory();
    }
    deduced.grid = board.grid();
    deduced.candidates.reserve(puzzle.givens.size());
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        const int value = board.value(cell);
        deduced.candidates.push_back(value != 0 ? techniques::bit(value - 1) : board.candidates(cell));
    }
    return deduced;
}

}  // namespace sudokulab
