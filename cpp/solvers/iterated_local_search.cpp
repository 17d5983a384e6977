#include "solvers/iterated_local_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "solvers/parts/tabu_swaps.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Fills empty cells of a grid by depth-first search with forward checking, smallest domain first.
class Refill {
public:
    Refill(const Geometry& geometry, Grid& grid, std::vector<int> empty, std::int64_t num_nodes)
        : geometry_(geometry),
          grid_(grid),
          empty_(std::move(empty)),
          nodes_left_(num_nodes),
          used_(at(geometry.num_units()), 0),
          best_(grid) {
        for (int cell = 0; cell < geometry_.num_cells(); ++cell) {
            if (grid_[at(cell)] != 0) mark(cell, grid_[at(cell)] - 1);
        }
    }

    // Leaves the fullest assignment found in the grid.
    void run(Control& control) {
        descend(0, control);
        grid_ = best_;
    }

private:
    void mark(int cell, int digit) {
        for (const int unit : geometry_.units(cell).unit) used_[at(unit)] |= std::uint64_t{1} << digit;
    }

    std::uint64_t domain(int cell) const {
        const auto& unit = geometry_.units(cell).unit;
        return geometry_.all() & ~(used_[unit[0]] | used_[unit[1]] | used_[unit[2]]);
    }

    bool descend(std::size_t depth, Control& control) {
        if (depth > best_depth_) {
            best_depth_ = depth;
            best_ = grid_;
        }
        if (depth == empty_.size()) return true;
        // move the cell with the smallest domain to the front of the unfilled ones
        auto smallest = empty_.begin() + static_cast<std::ptrdiff_t>(depth);
        for (auto cell = smallest; cell != empty_.end(); ++cell) {
            if (std::popcount(domain(*cell)) < std::popcount(domain(*smallest))) smallest = cell;
        }
        std::iter_swap(empty_.begin() + static_cast<std::ptrdiff_t>(depth), smallest);
        const int cell = empty_[depth];
        std::vector<int> digits;
        for (std::uint64_t left = domain(cell); left != 0; left &= left - 1) digits.push_back(std::countr_zero(left));
        control.rng.shuffle(std::span(digits));
        for (const int digit : digits) {
            if (nodes_left_-- <= 0 || control.must_stop()) return true;  // unwind without trying more
            grid_[at(cell)] = static_cast<std::uint8_t>(digit + 1);
            const auto before = std::array{used_[geometry_.units(cell).unit[0]], used_[geometry_.units(cell).unit[1]],
                                           used_[geometry_.units(cell).unit[2]]};
            mark(cell, digit);
            if (descend(depth + 1, control)) return true;
            for (std::size_t k = 0; k < 3; ++k) used_[geometry_.units(cell).unit[k]] = before[k];
            grid_[at(cell)] = 0;
        }
        return false;
    }

    const Geometry& geometry_;
    Grid& grid_;
    std::vector<int> empty_;
    std::int64_t nodes_left_;
    std::vector<std::uint64_t> used_;  // by unit: the placed digits
    std::size_t best_depth_ = 0;
    Grid best_;
};

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
    std::vector<int> quiet;
    std::vector<int> emptied;
    for (const auto& cells : state.open_cells()) {
        for (const int cell : cells) (state.conflicts(cell) > 0 ? emptied : quiet).push_back(cell);
    }
    control.rng.shuffle(std::span(quiet));
    const auto num_further = static_cast<std::ptrdiff_t>(share * static_cast<double>(quiet.size()));
    emptied.insert(emptied.end(), quiet.begin(), quiet.begin() + num_further);
    Grid grid = state.grid();
    for (const int cell : emptied) grid[at(cell)] = 0;
    Refill(state.geometry(), grid, std::move(emptied), num_nodes).run(control);
    fill_rest_at_random(grid, state, control.rng);
    state.fill(grid);
}

SwapSearch::Found IteratedLocalSearch::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.set_cost_columns({"perturbations"});
    TabuList tabu(at(state.geometry().num_cells()) * 64, at(parameters_.tabu_size));
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

    const auto cell_in_conflict = [&]() -> int {  // -1 if there is none that can be swapped
        int chosen = -1;
        std::uint32_t num_seen = 0;
        for (const auto& cells : state.open_cells()) {
            if (cells.size() < 2) continue;
            for (const int cell : cells) {
                if (state.conflicts(cell) > 0 && rng.below(++num_seen) == 0) chosen = cell;
            }
        }
        return chosen;
    };

    // Algorithm 1. Leaves the best state in `state`.
    const auto climb = [&] {
        constexpr int unknown = std::numeric_limits<int>::max();  // as in the paper, the first swap is always accepted
        BoxPermutation best = state;
        int best_cost = unknown;
        int cost = unknown;
        std::int64_t num_failures = 0;
        tabu.clear();
        while (best_cost > 0 && num_failures < parameters_.local_iterations && !is_over()) {
            control.sample(best_state.cost(), row);
            ++num_iterations;
            const int first = cell_in_conflict();
            if (first < 0) break;
            const int box = state.geometry().units(first).unit[2] - 2 * state.geometry().size();
            const auto& cells = state.open_cells()[at(box)];
            const auto index = static_cast<int>(std::find(cells.begin(), cells.end(), first) - cells.begin());
            const auto feature = [&](int other) {  // the swap of two cells of this box, in either order
                return TabuList::feature(cells[at(std::min(index, other))], std::max(index, other));
            };
            BestSwap any(rng);
            BestSwap allowed(rng);
            for (int other = 0; other < static_cast<int>(cells.size()); ++other) {
                if (other == index) continue;
                const int delta = state.delta(first, cells[at(other)]);
                ++control.num_evaluations;
                any.offer(index, other, delta);
                if (!tabu.contains(feature(other))) allowed.offer(index, other, delta);
            }
            const auto make = [&](const BestSwap& swap) {
                state.swap(first, cells[at(swap.second())], swap.delta());
                ++control.num_moves;
                tabu.add(feature(swap.second()));
                cost = state.cost();
            };
            if (any.delta() < allowed.delta() && state.cost() + any.delta() < best_cost) {
                make(any);
            } else if (allowed.is_any() &&
                       (state.cost() + allowed.delta() < cost || rng.uniform() < parameters_.acceptance)) {
                make(allowed);
            }
            if (cost < best_cost) {
                best_cost = cost;
                best = state;
                best_state.offer(state);
                num_failures = 0;
            } else {
                ++num_failures;
            }
        }
        if (best_cost < unknown) state = best;
    };

    // Algorithm 2, whose first lines are the filter and the random fill.
    double reset_factor = parameters_.reset_factor;
    while (best_state.cost() > 0 && !is_over()) {
        climb();
        if (best_state.cost() == 0 || is_over()) break;
        perturb(state, reset_factor, parameters_.refill_nodes, control);
        ++control.num_evaluations;
        best_state.offer(state);
        reset_factor *= parameters_.reset_decay;
        ++num_perturbations;
    }
    control.finish(frame);
    return {best_state, {{"iterations", num_iterations}, {"perturbations", num_perturbations}}};
}

}  // namespace sudokulab
