#include "solvers/ant_colony.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "solvers/parts/ant_board.h"
#include "solvers/parts/peer_board.h"
#include "solvers/parts/roulette.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// The pheromone of every digit in every cell.
class Pheromone {
public:
    explicit Pheromone(const Geometry& geometry)
        : size_(geometry.size()),
          initial_(1.0 / geometry.num_cells()),
          values_(at(geometry.num_cells() * geometry.size()), initial_) {}

    double& operator()(int cell, int digit) { return values_[at(cell * size_ + digit)]; }
    const std::vector<double>& values() const { return values_; }

    // eq. 1: the candidate with the most pheromone, the first one on a tie.
    int greedy_choice(int cell, std::uint64_t candidates) const {
        int best = -1;
        double most = -1;
        for (std::uint64_t left = candidates; left != 0; left &= left - 1) {
            const int digit = std::countr_zero(left);
            if (value(cell, digit) > most) {
                most = value(cell, digit);
                best = digit;
            }
        }
        return best;
    }

    // eq. 2: a candidate with probability proportional to its pheromone.
    int weighted_choice(int cell, std::uint64_t candidates, Rng& rng) const {
        std::array<int, max_size> digits;
        std::array<double, max_size> weights;
        std::size_t num = 0;
        for (std::uint64_t left = candidates; left != 0; left &= left - 1, ++num) {
            digits[num] = std::countr_zero(left);
            weights[num] = value(cell, digits[num]);
        }
        return digits[spin_roulette(std::span<const double>(weights.data(), num), rng)];
    }

    // eq. 4
    void update_locally(int cell, int digit, double xi) {
        double& tau = (*this)(cell, digit);
        tau = (1 - xi) * tau + xi * initial_;
    }

    // eq. 6, on the cells filled by the best walk
    void update_globally(const Grid& best, double rho, double best_value) {
        for (std::size_t cell = 0; cell < best.size(); ++cell) {
            if (best[cell] == 0) continue;
            double& tau = (*this)(static_cast<int>(cell), best[cell] - 1);
            tau = (1 - rho) * tau + rho * best_value;
        }
    }

private:
    double value(int cell, int digit) const { return values_[at(cell * size_ + digit)]; }

    int size_;
    double initial_;  // tau_0
    std::vector<double> values_;
};

template <class SomeBoard>
struct Ant {
    SomeBoard board;
    int cell;
};

// The ant that has filled the most cells, the first one on a tie.
template <class SomeBoard>
const Ant<SomeBoard>& best_of(const std::vector<Ant<SomeBoard>>& ants) {
    return *std::max_element(ants.begin(), ants.end(),
                             [](const auto& a, const auto& b) { return a.board.num_placed() < b.board.num_placed(); });
}

// Lines 9–19 of algorithm 1: all ants walk over all cells in lockstep. False if stopped.
template <class SomeBoard>
bool walk(std::vector<Ant<SomeBoard>>& ants, Pheromone& pheromone, const AntColony::Parameters& parameters,
          Control& control) {
    Rng& rng = control.rng;
    const int num_cells = ants.front().board.geometry().num_cells();
    for (int step = 0; step < num_cells; ++step) {
        if (control.must_stop()) return false;
        for (Ant<SomeBoard>& ant : ants) {
            const int cell = ant.cell;
            if (!ant.board.is_placed(cell) && ant.board.candidates(cell) != 0) {
                const std::uint64_t candidates = ant.board.candidates(cell);
                const int digit = rng.uniform() > parameters.q0  // eq. 3, see the top of ant_colony.h
                                      ? pheromone.greedy_choice(cell, candidates)
                                      : pheromone.weighted_choice(cell, candidates, rng);
                ant.board.place(cell, digit);
                ++control.num_moves;
                pheromone.update_locally(cell, digit, parameters.xi);
            }
            ant.cell = cell + 1 == num_cells ? 0 : cell + 1;
        }
    }
    return true;
}

}  // namespace

Result AntColony::solve(const Puzzle& puzzle, Control& control) const {
    const Geometry& geometry = Geometry::of(puzzle.box);
    const std::optional<Grid> fixed = filtered_givens(puzzle, filter_, control);
    Result result =
        parameters_.propagation == Propagation::peers
            ? solve_from(PeerBoard(geometry), fixed, control)
            : solve_from(AntBoard(geometry, parameters_.propagation == Propagation::singles), fixed, control);
    if (filter_.kind != Filter::Kind::none) result.stats.push_back(share_fixed(fixed));
    return result;
}

template <class SomeBoard>
Result AntColony::solve_from(SomeBoard start, const std::optional<Grid>& fixed, Control& control) const {
    const Geometry& geometry = start.geometry();
    const int num_cells = geometry.num_cells();
    control.set_cost_columns({"cells_fixed", "best_value"});
    Result result;
    std::int64_t num_iterations = 0;
    int most_fixed = 0;

    if (fixed && start.place_givens(*fixed)) {
        most_fixed = start.num_placed();
        Grid best_grid = start.grid();  // of the walk that deposits pheromone; its value evaporates
        Grid fullest_grid = best_grid;
        Pheromone pheromone(geometry);
        double best_value = 0;
        auto last_row = Trace::row(0, num_cells - most_fixed, num_cells - most_fixed, most_fixed, best_value);
        std::vector<Ant<SomeBoard>> ants(at(parameters_.ants), {start, 0});
        std::vector<int> starts(at(num_cells));
        std::iota(starts.begin(), starts.end(), 0);
        const auto frame_with = [&](Grid grid) {
            return Frame{.values = last_row,
                         .grid = std::move(grid),
                         .pheromone = {pheromone.values().begin(), pheromone.values().end()}};
        };
        control.sample_improvement(num_cells - most_fixed, [&] { return last_row; });
        const auto frame = [&] { return frame_with(best_of(ants).board.grid()); };
        while (most_fixed < num_cells && !control.must_stop(num_iterations, frame) &&
               num_iterations < control.budget.iterations) {
            for (std::size_t k = 0; k < ants.size(); ++k) {  // distinct cells, as long as there are enough
                const auto left = static_cast<std::uint32_t>(at(num_cells) - k % at(num_cells));
                std::swap(starts[k % at(num_cells)], starts[k % at(num_cells) + control.rng.below(left)]);
                ants[k].board.reset_to(start);
                ants[k].cell = starts[k % at(num_cells)];
            }
            if (!walk(ants, pheromone, parameters_, control)) break;

            ++num_iterations;
            control.num_evaluations += static_cast<std::int64_t>(ants.size());
            const auto& best_ant = best_of(ants);
            const int num_fixed = best_ant.board.num_placed();
            const double value = num_fixed == num_cells
                                     ? std::numeric_limits<double>::infinity()
                                     : static_cast<double>(num_cells) / (num_cells - num_fixed);  // eq. 5
            if (value > best_value) {
                best_value = value;
                best_grid = best_ant.board.grid();
            }
            if (num_fixed > most_fixed) {
                most_fixed = num_fixed;
                fullest_grid = best_ant.board.grid();
            }
            const double left = most_fixed == num_cells ? 0 : best_value * (1 - parameters_.evaporation);
            last_row = Trace::row(num_iterations, num_cells - num_fixed, num_cells - most_fixed, num_fixed, left);
            control.sample(num_cells - most_fixed, [&] { return last_row; });
            if (most_fixed == num_cells) break;
            pheromone.update_globally(best_grid, parameters_.rho, best_value);
            best_value *= 1 - parameters_.evaporation;  // eq. 7
        }
        control.finish([&] { return frame_with(fullest_grid); });  // the last walk may not have ended
        result.cost = num_cells - most_fixed;
        result.grid = std::move(fullest_grid);
        if (most_fixed == num_cells) result.status = Status::solved;
        control.trace.set_snapshot("pheromone", pheromone.values(), geometry.size());
    }
    result.stats = {{"iterations", num_iterations}, {"best_cells_fixed", std::int64_t{most_fixed}}};
    result.trace = std::move(control.trace);
    result.seconds = control.seconds();
    return result;
}

}  // namespace sudokulab
