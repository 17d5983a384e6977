#include "solvers/parts/swap_search.h"

namespace sudokulab {

// Without swaps there is only one state: either it is the solution or there is none.
SwapSearch::Found SwapSearch::only_state(const BoxPermutation& state, Control& control) const {
    control.set_cost_columns({});
    control.finish([&] { return frame_of(Trace::row(0, state.cost(), state.cost()), state); });
    return {Best(state), zero_stats()};
}

Result SwapSearch::solve(const Puzzle& puzzle, Control& control) const {
    Result result;
    const auto fixed = filtered_givens(puzzle, filter_, control);
    if (fixed) {
        BoxPermutation state(Geometry::of(puzzle.box), *fixed);
        state.fill_at_random(control.rng);
        ++control.num_evaluations;
        Found found = state.has_swaps() ? search(state, control) : only_state(state, control);
        result.cost = found.best.cost();
        result.grid = found.best.grid();
        result.status = found.best.cost() == 0 ? Status::solved : Status::unknown;
        result.stats = std::move(found.stats);
    } else {
        result.stats = zero_stats();
    }
    if (filter_.kind != Filter::Kind::none) result.stats.push_back(share_fixed(fixed));
    result.trace = std::move(control.trace);
    result.seconds = control.seconds();
    return result;
}

}  // namespace sudokulab
