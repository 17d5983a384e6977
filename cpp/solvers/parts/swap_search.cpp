#include "solvers/parts/swap_search.h"

#include <algorithm>

namespace sudokulab {

Outcome SwapSearch::solve(const Problem& problem, Control& control) const {
    Outcome outcome;
    const auto fixed = filtered_givens(problem, filter_, [&] { return control.must_stop(); });
    Found found;
    if (fixed) {
        BoxPermutation state(Geometry::of(problem.box), *fixed);
        state.fill_at_random(control.rng);
        // one state only: it is the solution, or there is none
        const bool is_only = !state.has_swaps();
        found = is_only ? Found{state.cost(), state.cost() == 0 ? state.grid() : Grid{}, zero_stats()}
                        : search(std::move(state), control);
        outcome.cost = found.cost;
    } else {
        found.stats = zero_stats();
    }
    if (!found.grid.empty()) {
        outcome.status = Status::solved;
        outcome.grid = std::move(found.grid);
    }
    outcome.stats = std::move(found.stats);
    if (filter_ != Filter::none) {
        const auto num_open = fixed ? std::count(fixed->begin(), fixed->end(), 0) : 0;
        const double share = 1.0 - static_cast<double>(num_open) / static_cast<double>(problem.givens.size());
        outcome.stats.push_back({"share_fixed", fixed ? share : 0.0});
    }
    outcome.trace = std::move(control.trace);
    outcome.seconds = control.seconds();
    return outcome;
}

}  // namespace sudokulab
