#include "solvers/genetic.h"

#include <algorithm>

#include "solvers/parts/patience.h"

namespace sudokulab {
namespace {

bool is_fitter(const BoxPermutation& a, const BoxPermutation& b) { return a.cost() < b.cost(); }

const BoxPermutation& win_tournament(const std::vector<BoxPermutation>& population, Rng& rng) {
    const auto size = static_cast<std::uint32_t>(population.size());
    const BoxPermutation& first = population[rng.below(size)];
    const BoxPermutation& second = population[rng.below(size)];
    return is_fitter(second, first) ? second : first;
}

// Takes each box from either parent.
void cross(BoxPermutation& child, const BoxPermutation& first, const BoxPermutation& second, Rng& rng) {
    Grid grid = first.grid();
    for (const auto& cells : first.open_cells()) {
        if (rng.below(2) == 0) continue;
        for (const int cell : cells)
            grid[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(second.digit(cell) + 1);
    }
    child.fill(grid);
}

void mutate(BoxPermutation& child, double probability, Rng& rng) {
    for (const auto& cells : child.open_cells()) {
        if (cells.size() < 2 || rng.uniform() >= probability) continue;
        const auto num = static_cast<std::uint32_t>(cells.size());
        const std::uint32_t first = rng.below(num);
        const std::uint32_t second = (first + 1 + rng.below(num - 1)) % num;
        child.swap(cells[first], cells[second], child.delta(cells[first], cells[second]));
    }
}

}  // namespace

SwapSearch::Found Genetic::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.trace.set_columns({"iterations", "cost", "best_cost", "mean_cost"});
    std::vector<BoxPermutation> population(static_cast<std::size_t>(parameters_.population), state);
    std::vector<BoxPermutation> next = population;
    const auto elite = static_cast<std::size_t>(parameters_.elite);
    const auto populate = [&] {
        for (auto& individual : population) {
            if (control.must_stop()) return;
            individual.fill_at_random(rng);
        }
        std::sort(population.begin(), population.end(), is_fitter);
    };

    populate();
    Best best(population.front());
    int best_since_start = best.cost();
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    const auto row = [&] {
        double sum = 0;
        for (const auto& individual : population) sum += individual.cost();
        const BoxPermutation& fittest = population.front();
        return Trace::row(num_iterations, fittest.cost(), best.cost_with(fittest),
                          sum / static_cast<double>(population.size()));
    };
    Patience patience(parameters_.restart_after);
    while (population.front().cost() > 0 && !control.must_stop() && num_iterations < control.budget.iterations) {
        ++num_iterations;
        for (std::size_t i = 0; i < population.size() && !control.must_stop(); ++i) {
            if (i < elite) {
                next[i] = population[i];
                continue;
            }
            const BoxPermutation& parent = win_tournament(population, rng);
            if (rng.uniform() < parameters_.crossover) {
                cross(next[i], parent, win_tournament(population, rng), rng);
            } else {
                next[i] = parent;
            }
            mutate(next[i], parameters_.mutation, rng);
        }
        if (control.must_stop()) break;  // the next generation is incomplete
        std::swap(population, next);
        std::sort(population.begin(), population.end(), is_fitter);
        best.offer(population.front());
        if (control.trace.due()) control.trace.add(row());
        const bool is_better = population.front().cost() < best_since_start;
        best_since_start = std::min(best_since_start, population.front().cost());
        if (parameters_.restart_after > 0 && patience.is_over(is_better) && best_since_start > 0) {
            populate();
            best_since_start = population.front().cost();
            ++num_restarts;
        }
    }
    best.offer(population.front());
    if (control.trace.is_on()) control.trace.add_last(row());
    return {best, {{"iterations", num_iterations}, {"restarts", num_restarts}}};
}

}  // namespace sudokulab
