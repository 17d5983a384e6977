#include "solvers/particle_swarm.h"

#include <algorithm>

#include "solvers/parts/geometric_crossover.h"
#include "solvers/parts/patience.h"

namespace sudokulab {
namespace {

struct Particle {
    BoxPermutation position;
    Grid best;  // its best position
    int best_cost = 0;

    explicit Particle(const BoxPermutation& start) : position(start) { forget(); }

    void forget() {
        best = position.grid();
        best_cost = position.cost();
    }

    void remember() {
        if (position.cost() <= best_cost) forget();
    }
};

// The digits of some cells.
std::vector<std::uint8_t> digits_at(const Grid& grid, const std::vector<int>& cells) {
    std::vector<std::uint8_t> digits;
    for (const int cell : cells) digits.push_back(grid[static_cast<std::size_t>(cell)]);
    return digits;
}

void mutate(BoxPermutation& position, double probability, Rng& rng) {
    for (const auto& cells : position.open_cells()) {
        if (cells.size() < 2 || rng.uniform() >= probability) continue;
        const auto num = static_cast<std::uint32_t>(cells.size());
        const std::uint32_t first = rng.below(num);
        const std::uint32_t second = (first + 1 + rng.below(num - 1)) % num;
        position.swap(cells[first], cells[second], position.delta(cells[first], cells[second]));
    }
}

}  // namespace

SwapSearch::Found ParticleSwarm::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.set_cost_columns({"mean_cost", "restarts"});
    std::vector<Particle> swarm(static_cast<std::size_t>(parameters_.particles), Particle(state));
    Best best(state);
    Grid leader;  // the best position since the last restart
    int leader_cost = 0;

    const auto scatter = [&] {
        for (auto& particle : swarm) {
            if (control.must_stop()) return;
            particle.position.fill_at_random(rng);
            ++control.num_evaluations;
            particle.forget();
        }
        const auto first = std::min_element(
            swarm.begin(), swarm.end(), [](const Particle& a, const Particle& b) { return a.best_cost < b.best_cost; });
        leader = first->best;
        leader_cost = first->best_cost;
        best.offer(first->position);
    };
    const auto choice = [&]() -> std::uint8_t {
        const double number = rng.uniform();
        if (number < parameters_.social) return 1;
        return number < parameters_.social + parameters_.cognitive ? 2 : 0;
    };
    const auto move = [&](Particle& particle) {
        Grid grid = particle.position.grid();
        for (const auto& cells : particle.position.open_cells()) {
            auto own = digits_at(grid, cells);
            auto of_swarm = digits_at(leader, cells);
            auto own_best = digits_at(particle.best, cells);
            std::vector<std::uint8_t> choices(cells.size());
            std::generate(choices.begin(), choices.end(), choice);
            combine({own, of_swarm, own_best}, choices);
            for (std::size_t i = 0; i < cells.size(); ++i) grid[static_cast<std::size_t>(cells[i])] = own[i];
        }
        particle.position.fill(grid);
        mutate(particle.position, parameters_.mutation, rng);
        particle.remember();
    };

    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    Patience patience(parameters_.restart_after);
    const auto lowest = [&]() -> const BoxPermutation& {
        const auto is_lower = [](const Particle& a, const Particle& b) {
            return a.position.cost() < b.position.cost();
        };
        return std::min_element(swarm.begin(), swarm.end(), is_lower)->position;
    };
    const auto row = [&] {
        double sum = 0;
        for (const auto& particle : swarm) sum += particle.position.cost();
        return Trace::row(num_iterations, lowest().cost(), best.cost_with(lowest()),
                          sum / static_cast<double>(swarm.size()), num_restarts);
    };
    const auto frame = [&] { return frame_of(row(), lowest()); };

    scatter();
    control.sample_improvement(best.cost(), row);
    while (best.cost() > 0 && !control.must_stop(num_iterations, frame) && num_iterations < control.budget.iterations) {
        ++num_iterations;
        const int cost_before = leader_cost;
        for (auto& particle : swarm) {
            if (control.must_stop()) break;
            move(particle);
            ++control.num_evaluations;
            ++control.num_moves;
        }
        for (const auto& particle : swarm) {
            best.offer(particle.position);
            if (particle.best_cost < leader_cost) {
                leader = particle.best;
                leader_cost = particle.best_cost;
            }
        }
        control.sample(best.cost(), row);
        if (parameters_.restart_after > 0 && patience.is_over(leader_cost < cost_before) && best.cost() > 0) {
            scatter();
            ++num_restarts;
        }
    }
    control.finish(frame);
    return {best, {{"iterations", num_iterations}, {"restarts", num_restarts}}};
}

}  // namespace sudokulab
