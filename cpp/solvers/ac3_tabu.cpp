#include "solvers/ac3_tabu.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "solvers/parts/filter.h"
#include "solvers/parts/patience.h"
#include "solvers/parts/roulette.h"
#include "solvers/parts/tabu_list.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

struct CandidateMove {
    int cell = -1;
    int value = -1;
    int num_filled = -1;  // cells that it fills immediately
};

class Attempt {
public:
    Attempt(const ConstraintNetwork& network, const TabuList& tabu) : network_(network), tabu_(tabu) {}

    Domains domains;

    int num_empty() const {
        return static_cast<int>(
            std::count_if(domains.begin(), domains.end(), [](auto d) { return !std::has_single_bit(d); }));
    }

    // The best of several candidates drawn by the wheel; its cell is -1 if there is none.
    CandidateMove best_candidate(int num_candidates, Control& control) {
        Rng& rng = control.rng;
        collect_open_cells();
        CandidateMove best;
        for (int k = 0; k < num_candidates && !cells_.empty() && !control.must_stop(); ++k) {
            const int cell = cells_[spin_roulette(std::span<const double>(weights_), rng)];
            const int value = draw_value(cell, rng);
            const int num_filled = cells_filled_by(cell, value);
            ++control.num_evaluations;
            if (num_filled > best.num_filled) best = {cell, value, num_filled};
        }
        return best;
    }

    // The domains after an assignment and AC3; nothing if AC3 wipes out a domain.
    std::optional<Domains> after(int cell, int value) const {
        Domains next = domains;
        next[at(cell)] = std::uint64_t{1} << value;
        if (!network_.ac3(next, std::span(&cell, 1))) return std::nullopt;
        return next;
    }

    // Whether no assignment survives AC3, so that the search cannot change the state any more.
    bool is_dead_end() const {
        for (int cell = 0; cell < network_.num_variables(); ++cell) {
            if (std::has_single_bit(domains[at(cell)])) continue;
            for (std::uint64_t left = domains[at(cell)]; left != 0; left &= left - 1) {
                if (after(cell, std::countr_zero(left))) return false;
            }
        }
        return true;
    }

private:
    std::uint64_t free_values(int cell) const {
        std::uint64_t values = domains[at(cell)];
        for (std::uint64_t left = values; left != 0; left &= left - 1) {
            const int value = std::countr_zero(left);
            if (tabu_.contains(TabuList::feature(cell, value))) values &= ~(std::uint64_t{1} << value);
        }
        return values;
    }

    void collect_open_cells() {
        cells_.clear();
        weights_.clear();
        for (int cell = 0; cell < network_.num_variables(); ++cell) {
            const std::uint64_t domain = domains[at(cell)];
            if (std::has_single_bit(domain) || free_values(cell) == 0) continue;
            cells_.push_back(cell);
            weights_.push_back(1.0 / std::popcount(domain));
        }
    }

    int draw_value(int cell, Rng& rng) const {
        std::uint64_t values = free_values(cell);
        for (auto skipped = rng.below(static_cast<std::uint32_t>(std::popcount(values))); skipped > 0; --skipped) {
            values &= values - 1;
        }
        return std::countr_zero(values);
    }

    int cells_filled_by(int cell, int value) const {
        const std::uint64_t bit = std::uint64_t{1} << value;
        int num_filled = 1;
        for (const int arc : network_.arcs_of(cell)) {
            const std::uint64_t domain = domains[at(network_.arc(arc).to)];
            num_filled += (domain & bit) != 0 && std::popcount(domain) == 2;
        }
        return num_filled;
    }

    const ConstraintNetwork& network_;
    const TabuList& tabu_;
    std::vector<int> cells_;  // empty cells with a value that is not tabu
    std::vector<double> weights_;
};

}  // namespace

Result Ac3Tabu::solve(const Puzzle& puzzle, Control& control) const {
    const ConstraintNetwork& network = ConstraintNetwork::of_sudoku(puzzle.box);
    const int num_cells = network.num_variables();
    Result result;
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;

    Domains filtered = initial_domains(puzzle);
    if (run_ac3(network, filtered, control)) {  // line 1
        control.set_cost_columns({"restarts"});
        TabuList tabu(at(num_cells) * 64, at(parameters_.tabu_size));
        Attempt state(network, tabu);
        state.domains = filtered;
        int cost = state.num_empty();
        int lowest = cost;
        Grid best = grid_of(state.domains);
        const auto row = [&] { return Trace::row(num_iterations, cost, std::min(cost, lowest), num_restarts); };
        const auto frame = [&] {
            return Frame{.values = row(),
                         .grid = grid_of(state.domains),
                         .candidates = state.domains,
                         .tabu = tabu.placements()};
        };
        const bool has_restarts = parameters_.restart_after > 0;
        Patience patience(has_restarts ? parameters_.restart_after : num_cells);
        while (cost > 0 && !control.must_stop(num_iterations, frame) && num_iterations < control.budget.iterations) {
            control.sample(lowest, row);
            ++num_iterations;
            const CandidateMove candidate = state.best_candidate(parameters_.candidates, control);  // lines 4–8
            std::optional<Domains> next;
            if (candidate.cell >= 0) {
                next = state.after(candidate.cell, candidate.value);  // line 9
            } else {
                tabu.clear();  // everything left is tabu, and no new entries would push it out
            }
            if (next) {  // line 10: an assignment always leaves fewer empty cells
                tabu.add(TabuList::feature(candidate.cell, candidate.value));  // line 11
                state.domains = std::move(*next);                              // line 12
                ++control.num_moves;
                cost = state.num_empty();
                if (cost < lowest) {
                    lowest = cost;
                    best = grid_of(state.domains);
                }
            }
            if (!patience.is_over(next.has_value())) continue;
            if (has_restarts) {
                state.domains = filtered;
                cost = state.num_empty();
                ++num_restarts;
            } else if (state.is_dead_end()) {
                break;
            }
        }
        control.finish(frame);
        result.cost = lowest;
        result.grid = std::move(best);
        if (cost == 0) result.status = Status::solved;
    }
    result.stats = {{"iterations", num_iterations}, {"restarts", num_restarts}};
    result.trace = std::move(control.trace);
    result.seconds = control.seconds();
    return result;
}

}  // namespace sudokulab
