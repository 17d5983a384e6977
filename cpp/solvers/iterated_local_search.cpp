#include "solvers/iterated_local_search.h"

#include <algorithm>
#include <array>
#include <bit>

#include "solvers/parts/patience.h"
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

void perturb(BoxPermutation& state, double share, std::int64_t num_nodes, Control& control) {
    Rng& rng = control.rng;
    std::vector<int> quiet;
    std::vector<int> emptied;
    for (const auto& cells : state.open_cells()) {
        for (const int cell : cells) (state.conflicts(cell) > 0 ? emptied : quiet).push_back(cell);
    }
    const auto wanted = std::max<std::size_t>(2, static_cast<std::size_t>(share * state.num_open()));
    rng.shuffle(std::span(emptied));
    rng.shuffle(std::span(quiet));
    emptied.insert(emptied.end(), quiet.begin(), quiet.end());
    if (emptied.size() > wanted) emptied.resize(wanted);
    Grid grid = state.grid();
    for (const int cell : emptied) grid[at(cell)] = 0;
    Refill(state.geometry(), grid, std::move(emptied), num_nodes).run(control);
    fill_rest_at_random(grid, state, rng);
    state.fill(grid);
}

}  // namespace

SwapSearch::Found IteratedLocalSearch::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.trace.set_columns({"iterations", "cost", "best_cost", "perturbations"});
    TabuList tabu(at(state.geometry().num_cells()) * 64, at(parameters_.tabu_size));
    BoxPermutation accepted = state;
    BoxPermutation best_of_climb = state;
    Best best_state(state);
    std::int64_t num_iterations = 0;
    std::int64_t num_perturbations = 0;
    const auto row = [&] {
        return Trace::row(num_iterations, state.cost(), best_state.cost_with(state), num_perturbations);
    };
    Patience patience(parameters_.local_iterations);
    std::vector<int> in_conflict;

    // Min-conflicts: makes the best swap of a cell in conflict. False if there is none.
    const auto step = [&] {
        in_conflict.clear();
        for (const auto& cells : state.open_cells()) {
            if (cells.size() < 2) continue;
            for (const int cell : cells) {
                if (state.conflicts(cell) > 0) in_conflict.push_back(cell);
            }
        }
        if (in_conflict.empty()) return false;
        const int first = in_conflict[rng.below(static_cast<std::uint32_t>(in_conflict.size()))];
        const int box = state.geometry().units(first).unit[2] - 2 * state.geometry().size();
        BestSwap best(rng);
        for (const int second : state.open_cells()[at(box)]) {
            if (second == first) continue;
            const int delta = state.delta(first, second);
            if (!is_tabu(tabu, state, first, second) || state.cost() + delta < best_of_climb.cost()) {
                best.offer(first, second, delta);
            }
        }
        if (!best.is_any()) return true;  // all are tabu: the list forgets them as other cells move
        make_tabu(tabu, state, first, best.second());
        state.swap(first, best.second(), best.delta());
        return true;
    };

    while (state.cost() > 0 && !control.must_stop() && num_iterations < control.budget.iterations) {
        if (control.trace.due()) control.trace.add(row());
        ++num_iterations;
        const bool can_move = step();
        const bool is_better = state.cost() < best_of_climb.cost();
        if (is_better) best_of_climb = state;
        best_state.offer(state);
        if (state.cost() == 0) break;
        if (patience.is_over(is_better) || !can_move) {
            if (best_of_climb.cost() < accepted.cost() || rng.uniform() < parameters_.acceptance)
                accepted = best_of_climb;
            state = accepted;
            perturb(state, parameters_.perturbation, parameters_.refill_nodes, control);
            tabu.clear();
            patience.renew();
            best_of_climb = state;
            best_state.offer(state);
            ++num_perturbations;
        }
    }
    control.trace.add_last(row());
    return {best_state, {{"iterations", num_iterations}, {"perturbations", num_perturbations}}};
}

}  // namespace sudokulab
