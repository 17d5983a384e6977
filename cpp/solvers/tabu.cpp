#include "solvers/tabu.h"

#include <algorithm>

#include "solvers/parts/patience.h"
#include "solvers/parts/tabu_swaps.h"

namespace sudokulab {
SwapSearch::Found Tabu::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.trace.set_columns({"iterations", "cost", "restarts"});
    TabuList tabu(static_cast<std::size_t>(state.geometry().num_cells()) * 64,
                  static_cast<std::size_t>(parameters_.tabu_size));
    int best_cost = state.cost();
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    Patience patience(parameters_.restart_after);

    while (state.cost() > 0 && !control.must_stop() && num_iterations < control.budget.iterations) {
        ++num_iterations;
        if (control.trace.due()) {
            control.trace.add({static_cast<double>(num_iterations), static_cast<double>(state.cost()),
                               static_cast<double>(num_restarts)});
        }
        BestSwap best(rng);
        const auto consider = [&](int first, int second) {
            if (!is_tabu(tabu, state, first, second)) best.offer(first, second, state.delta(first, second));
        };
        if (parameters_.num_candidates == 0) {
            state.for_each_swap(consider);
        } else {
            for (int k = 0; k < parameters_.num_candidates && !control.must_stop(); ++k) {
                const auto [first, second] = state.random_swap(rng);
                consider(first, second);
            }
        }
        if (best.is_any() && best.delta() <= 0) {
            make_tabu(tabu, state, best.first(), best.second());
            state.swap(best.first(), best.second(), best.delta());
        }
        best_cost = std::min(best_cost, state.cost());
        if (patience.is_over(best.is_any() && best.delta() < 0)) {
            state.fill_at_random(rng);
            tabu.clear();
            ++num_restarts;
        }
    }
    return {std::min(best_cost, state.cost()),
            state.cost() == 0 ? state.grid() : Grid{},
            {{"iterations", num_iterations}, {"restarts", num_restarts}}};
}

}  // namespace sudokulab
