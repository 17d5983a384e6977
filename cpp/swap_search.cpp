#include "swap_search.h"

#include <algorithm>

namespace sudokulab {

Outcome SwapSearch::solve(const Problem& problem, Control& control) const {
    Outcome outcome;
    if (has_clash(problem)) {  // no box permutation keeps such givens
        outcome.stats = {{"iterations", std::int64_t{0}}};
        outcome.seconds = control.seconds();
        return outcome;
    }
    const Grid fixed = filtered_givens(problem, filter_, [&] { return control.must_stop(); });
    Found found = search(BoxPermutation(Geometry::of(problem.box), fixed), control);
    if (!found.grid.empty()) {
        outcome.status = Status::solved;
        outcome.grid = std::move(found.grid);
    }
    outcome.cost = found.cost;
    outcome.stats = std::move(found.stats);
    if (filter_ != Filter::none) {
        const auto num_open = static_cast<double>(std::count(fixed.begin(), fixed.end(), 0));
        outcome.stats.push_back({"share_fixed", 1.0 - num_open / static_cast<double>(fixed.size())});
    }
    outcome.trace = std::move(control.trace);
    outcome.seconds = control.seconds();
    return outcome;
}

}  // namespace sudokulab
