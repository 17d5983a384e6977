#include "solvers/tabu.h"

#include <algorithm>

#include "solvers/parts/patience.h"
#include "solvers/parts/tabu_swaps.h"

namespace sudokulab {

SwapSearch::Found Tabu::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.set_cost_columns({"restarts"});
    TabuList tabu(static_cast<std::size_t>(state.geometry().num_cells()) * 64,
                  static_cast<std::size_t>(parameters_.tabu_size));
    Best best_state(state);
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    int lowest = state.cost();  // since the last restart
    const auto row = [&] {
        return Trace::row(num_iterations, state.cost(), best_state.cost_with(state), num_restarts);
    };
    const auto frame = [&] { return Frame{.values = row(), .grid = state.grid(), .tabu = tabu.placements()}; };
    Patience patience(parameters_.restart_after);

    while (state.cost() > 0 && !control.must_stop(num_iterations, frame) &&
           num_iterations < control.budget.iterations) {
        control.sample(best_state.cost(), row);
        ++num_iterations;
        BestSwap best(rng);
        const auto consider = [&](int first, int second) {
            const bool is_forbidden = is_tabu(tabu, state, first, second);
            if (is_forbidden && !parameters_.accept_worse) return;
            const int delta = state.delta(first, second);
            ++control.num_evaluations;
            if (!is_forbidden || state.cost() + delta < lowest) best.offer(first, second, delta);
        };
        if (parameters_.candidates == 0) {
            state.for_each_swap(consider);
        } else {
            for (int k = 0; k < parameters_.candidates && !control.must_stop(); ++k) {
                const auto [first, second] = state.random_swap(rng);
                consider(first, second);
            }
        }
        if (best.is_any() && (parameters_.accept_worse || best.delta() <= 0)) {
            make_tabu(tabu, state, best.first(), best.second());
            state.swap(best.first(), best.second(), best.delta());
            ++control.num_moves;
        }
        best_state.offer(state);
        const bool is_lower = state.cost() < lowest;
        lowest = std::min(lowest, state.cost());
        if (parameters_.restart_after > 0 && patience.is_over(is_lower)) {
            state.fill_at_random(rng);
            ++control.num_evaluations;
            best_state.offer(state);
            tabu.clear();
            lowest = state.cost();
            ++num_restarts;
        }
    }
    control.finish(frame);
    return {best_state, {{"iterations", num_iterations}, {"restarts", num_restarts}}};
}

}  // namespace sudokulab
