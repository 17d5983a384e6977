#include "solvers/genetic.h"

#include <algorithm>

namespace sudokulab {
namespace {

struct Individual {
    BoxPermutation state;
    int penalty = 0;  // for its age

    int fitness() const { return 2 * state.cost() + penalty; }
};

bool is_fitter(const Individual& a, const Individual& b) { return a.fitness() < b.fitness(); }

const BoxPermutation& lowest_cost(const std::vector<Individual>& population) {
    return std::min_element(population.begin(), population.end(),
                            [](const Individual& a, const Individual& b) { return a.state.cost() < b.state.cost(); })
        ->state;
}

// Penalises the fittest individual if it was already the fittest in the generation before.
void rank(std::vector<Individual>& population, Grid& fittest, int aging) {
    Individual& best = *std::min_element(population.begin(), population.end(), is_fitter);
    if (best.state.grid() == fittest) {
        best.penalty += aging;
    } else {
        fittest = best.state.grid();
    }
    std::stable_sort(population.begin(), population.end(), is_fitter);
}

}  // namespace

void cross(BoxPermutation& child, const BoxPermutation& first, const BoxPermutation& second, Rng& rng) {
    Grid grid = first.grid();
    for (const auto& cells : first.open_cells()) {
        if (rng.below(2) == 0) continue;
        for (const int cell : cells)
            grid[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(second.digit(cell) + 1);
    }
    child.fill(grid);
}

void mutate(BoxPermutation& child, int max_swaps, int max_repeats, Rng& rng) {
    const Geometry& geometry = child.geometry();
    const auto size = static_cast<std::uint32_t>(geometry.size());
    const int unit = 2 * geometry.size() + static_cast<int>(rng.below(size));
    const auto num_swaps = 1 + rng.below(static_cast<std::uint32_t>(max_swaps));
    for (std::uint32_t k = 0; k < num_swaps; ++k) {
        const std::uint32_t position = rng.below(size);
        const std::uint32_t other = (position + 1 + rng.below(size - 1)) % size;
        const int first = geometry.cell(unit, static_cast<int>(position));
        const int second = geometry.cell(unit, static_cast<int>(other));
        if (!child.is_open(first) || !child.is_open(second)) return;
        child.swap(first, second, child.delta(first, second));
        // a digit without duplicates occurs twice: once in its row and once in its column
        const int repeats = 2 + std::max(child.conflicts(first), child.conflicts(second));
        if (max_repeats > 0 && repeats > max_repeats) child.swap(first, second, child.delta(first, second));
    }
}

SwapSearch::Found Genetic::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.set_cost_columns({"mean_cost", "restarts"});
    std::vector<Individual> population(static_cast<std::size_t>(parameters_.population), Individual{state});
    Grid fittest;
    const auto populate = [&] {
        for (auto& individual : population) {
            if (control.must_stop()) return;
            individual.state.fill_at_random(rng);
            ++control.num_evaluations;
            individual.penalty = 0;
        }
        fittest.clear();
        rank(population, fittest, parameters_.aging);
    };

    populate();
    Best best(lowest_cost(population));
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    std::int64_t age = 0;  // of the population, in generations
    const auto row = [&] {
        double sum = 0;
        for (const auto& individual : population) sum += individual.state.cost();
        const BoxPermutation& first = population.front().state;
        return Trace::row(num_iterations, first.cost(), best.cost_with(first),
                          sum / static_cast<double>(population.size()), num_restarts);
    };
    const auto frame = [&] { return frame_of(row(), population.front().state); };
    const auto parent = [&](std::size_t rank) -> const BoxPermutation& {
        return population[rng.below(static_cast<std::uint32_t>(rank))].state;
    };
    control.sample_improvement(best.cost(), row);
    const auto elite = static_cast<std::size_t>(parameters_.elite);
    while (best.cost() > 0 && !control.must_stop(num_iterations, frame) && num_iterations < control.budget.iterations) {
        ++num_iterations;
        // from the last rank upwards, so that the parents are not replaced yet
        for (std::size_t i = population.size() - 1; i >= elite && !control.must_stop(); --i) {
            Individual& child = population[i];
            const BoxPermutation& first = parent(i);
            if (rng.uniform() < parameters_.crossover) {
                cross(child.state, first, parent(i), rng);
            } else {
                child.state = first;
            }
            child.penalty = 0;
            if (rng.uniform() < parameters_.mutation)
                mutate(child.state, parameters_.max_swaps, parameters_.max_repeats, rng);
            ++control.num_evaluations;
            ++control.num_moves;
        }
        rank(population, fittest, parameters_.aging);
        best.offer(lowest_cost(population));
        control.sample(best.cost(), row);
        if (++age == parameters_.restart_after && best.cost() > 0) {
            populate();
            best.offer(lowest_cost(population));
            age = 0;
            ++num_restarts;
        }
    }
    control.finish(frame);
    return {best, {{"iterations", num_iterations}, {"restarts", num_restarts}}};
}

}  // namespace sudokulab
