#include "solvers/genetic.h"

#include <algorithm>
#include <array>

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

void swap_cells(BoxPermutation& child, int first, int second) { child.swap(first, second, child.delta(first, second)); }

// Moves the digit of the first cell to the last one, and the others one cell back, unless that repeats a digit too
// often.
void rotate(BoxPermutation& child, std::span<const int> cells, int max_repeats) {
    for (std::size_t i = 1; i < cells.size(); ++i) swap_cells(child, cells[i - 1], cells[i]);
    // a digit without duplicates occurs twice: once in its row and once in its column
    const bool is_allowed = max_repeats == 0 || std::all_of(cells.begin(), cells.end(), [&](int cell) {
                                return 2 + child.conflicts(cell) <= max_repeats;
                            });
    if (is_allowed) return;
    for (std::size_t i = cells.size(); --i > 0;) swap_cells(child, cells[i - 1], cells[i]);
}

void swap_in_sequence(BoxPermutation& child, int box, const Mutation& mutation, Rng& rng) {
    const Geometry& geometry = child.geometry();
    std::vector<int> cells = child.open_cells()[static_cast<std::size_t>(box)];
    if (mutation.ends_at_given) {
        cells.clear();
        for (int i = 0; i < geometry.size(); ++i) cells.push_back(geometry.cell(2 * geometry.size() + box, i));
    }
    if (cells.size() < 2) return;
    const auto size = static_cast<std::uint32_t>(cells.size());
    const auto num_swaps = 1 + rng.below(static_cast<std::uint32_t>(mutation.max_swaps));
    for (std::uint32_t k = 0; k < num_swaps; ++k) {
        const std::uint32_t position = rng.below(size);
        const std::array pair{cells[position], cells[(position + 1 + rng.below(size - 1)) % size]};
        if (!child.is_open(pair[0]) || !child.is_open(pair[1])) return;
        rotate(child, pair, mutation.max_repeats);
    }
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

void mutate(BoxPermutation& child, const Mutation& mutation, Rng& rng) {
    const auto box = static_cast<int>(rng.below(static_cast<std::uint32_t>(child.geometry().size())));
    const double kind = rng.uniform();
    if (kind >= mutation.three_swap + mutation.insertion) return swap_in_sequence(child, box, mutation, rng);
    std::vector<int> cells = child.open_cells()[static_cast<std::size_t>(box)];
    if (kind < mutation.three_swap) {
        if (cells.size() < 3) return;
        rng.shuffle(std::span(cells));
        cells.resize(3);
    } else {
        if (cells.size() < 2) return;
        const auto num = static_cast<std::uint32_t>(cells.size());
        const std::uint32_t from = rng.below(num);
        const std::uint32_t to = (from + 1 + rng.below(num - 1)) % num;
        const auto [low, high] = std::minmax(from, to);
        cells = std::vector<int>(cells.begin() + low, cells.begin() + high + 1);
        if (from > to) std::reverse(cells.begin(), cells.end());
    }
    rotate(child, cells, mutation.max_repeats);
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
            if (rng.uniform() < parameters_.mutation) mutate(child.state, parameters_.mutate, rng);
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
