#include "solvers/iterated_local_search.h"

#include <algorithm>

#include "solvers/backtracking.h"
#include "solvers/parts/tabu_swaps.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr double smallest_reset_factor = 0.01;  // is not reduced any more

// Fills all empty cells of a grid by backtracking with singles, or none if that takes too many nodes or is impossible.
void refill(Grid& grid, const Geometry& geometry, std::int64_t num_nodes, Control& control) {
    SearchBoard board(geometry);
    const bool is_consistent = board.place_givens(grid);
    BacktrackingSearch search(std::move(board), is_consistent);
    Budget budget;
    budget.nodes = num_nodes;
    Control own(budget, 0, 0, [&control] { return control.must_stop(); });
    if (search.next(own) == Status::solved) grid = search.grid();
}

void fill_rest_at_random(Grid& grid, const BoxPermutation& state, Rng& rng) {
    for (int box = 0; box < state.geometry().size(); ++box) {
        std::vector<int> missing = state.missing_digits(box);
        std::vector<int> empty;
        for (const int cell : state.open_cells()[at(box)]) {
            if (grid[at(cell)] == 0) {
                empty.push_back(cell);
            } else {
                std::erase(missing, grid[at(cell)] - 1);
            }
        }
        rng.shuffle(std::span(missing));
        for (std::size_t i = 0; i < empty.size(); ++i) grid[at(empty[i])] = static_cast<std::uint8_t>(missing[i] + 1);
    }
}

}  // namespace

void perturb(BoxPermutation& state, double share, std::int64_t num_nodes, Control& control) {
    std::vector<int> open;
    for (const auto& cells : state.open_cells()) open.insert(open.end(), cells.begin(), cells.end());
    control.rng.shuffle(std::span(open));
    const auto num_drawn = static_cast<std::size_t>(share * static_cast<double>(open.size()));
    Grid grid = state.grid();
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (i < num_drawn || state.conflicts(open[i]) > 0) grid[at(open[i])] = 0;
    }
    refill(grid, state.geometry(), num_nodes, control);
    fill_rest_at_random(grid, state, control.rng);
    state.fill(grid);
}

SwapSearch::Found IteratedLocalSearch::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.set_cost_columns({"perturbations"});
    const auto num_tabu = static_cast<std::int64_t>(parameters_.tabu_share * state.num_open());
    std::vector<std::int64_t> tabu_until(at(state.geometry().num_cells()) * 64);  // iteration, by swap
    Best best_state(state);
    std::int64_t num_iterations = 0;
    std::int64_t num_perturbations = 0;
    const auto row = [&] {
        return Trace::row(num_iterations, state.cost(), best_state.cost_with(state), num_perturbations);
    };
    const auto frame = [&] { return frame_of(row(), state); };
    const auto is_over = [&] {
        return control.must_stop(num_iterations, frame) || num_iterations >= control.budget.iterations;
    };

    const auto cell_in_conflict = [&]() -> int {  // -1 if only fixed cells are in conflict
        int chosen = -1;
        std::uint32_t num_seen = 0;
        for (const auto& cells : state.open_cells()) {
            for (const int cell : cells) {
                if (state.conflicts(cell) > 0 && rng.below(++num_seen) == 0) chosen = cell;
            }
        }
        return chosen;
    };

    // Algorithm 1. Leaves the best state in `state`.
    const auto climb = [&] {
        BoxPermutation best = state;
        std::int64_t num_failures = 0;
        std::fill(tabu_until.begin(), tabu_until.end(), 0);
        while (best.cost() > 0 && num_failures < parameters_.local_iterations && !is_over()) {
            control.sample(best_state.cost(), row);
            ++num_iterations;
            ++num_failures;
            const int first = cell_in_conflict();
            if (first < 0) break;
            const int box = state.geometry().units(first).unit[2] - 2 * state.geometry().size();
            const auto& cells = state.open_cells()[at(box)];
            BestSwap allowed(rng);
            BestSwap forbidden(rng);
            for (int place = 0; place < static_cast<int>(cells.size()); ++place) {
                const int other = cells[at(place)];  // may be the first cell, which changes nothing
                const bool is_forbidden = num_iterations < tabu_until[TabuList::feature(first, place)];
                ++control.num_evaluations;
                (is_forbidden ? forbidden : allowed)
                    .offer(place, other, other == first ? 0 : state.delta(first, other));
            }
            const bool is_aspired =
                forbidden.delta() < allowed.delta() && state.cost() + forbidden.delta() < best.cost();
            if (!is_aspired && !allowed.is_any()) continue;
            const BestSwap& chosen = is_aspired ? forbidden : allowed;
            tabu_until[TabuList::feature(first, chosen.first())] = num_iterations + num_tabu;
            if (chosen.delta() > 0 && rng.uniform() >= parameters_.acceptance) continue;
            if (chosen.second() == first) continue;
            state.swap(first, chosen.second(), chosen.delta());
            ++control.num_moves;
            if (state.cost() < best.cost()) {
                best = state;
                best_state.offer(state);
                num_failures = 0;
            }
        }
        state = best;
    };

    // Algorithm 2, whose first lines are the filter and the random fill.
    double reset_factor = parameters_.reset_factor;
    while (best_state.cost() > 0 && !is_over()) {
        climb();
        if (best_state.cost() == 0 || is_over()) break;
        perturb(state, reset_factor, parameters_.refill_nodes, control);
        ++control.num_evaluations;
        best_state.offer(state);
        if (reset_factor > smallest_reset_factor) reset_factor *= parameters_.reset_decay;
        ++num_perturbations;
    }
    control.finish(frame);
    return {best_state, {{"iterations", num_iterations}, {"perturbations", num_perturbations}}};
}

}  // namespace sudokulab
