#include "solvers/parts/swap_search.h"

#include <algorithm>

namespace sudokulab {

Outcome SwapSearch::solve(const Problem& problem, Control& control) const {
    Outcome outcome;
    const auto fixed = filtered_givens(problem, filter_, [&] { return control.must_stop(); });
    if (fixed) {
        BoxPermutation state(Geometry::of(problem.box), *fixed);
        state.fill_at_random(control.rng);
        // without swaps there is one state only: it is the solution, or there is none
        Found found = state.has_swaps() ? search(state, control) : Found{Best(state), zero_stats()};
        outcome.cost = found.best.cost();
        outcome.grid = found.best.grid();
        outcome.status = found.best.cost() == 0 ? Status::solved : Status::unknown;
        outcome.stats = std::move(found.stats);
    } else {
        outcome.stats = zero_stats();
    }
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
