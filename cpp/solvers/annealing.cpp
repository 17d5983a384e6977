#include "solvers/annealing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/parts/patience.h"

namespace sudokulab {
namespace {

constexpr int max_delta = 4;  // a swap affects two rows and two columns, and each loses at most one digit

std::array<double, max_delta + 1> acceptance_probabilities(double temperature) {
    std::array<double, max_delta + 1> probabilities{};
    for (int delta = 0; delta <= max_delta; ++delta) {
        probabilities[static_cast<std::size_t>(delta)] = std::exp(-delta / temperature);
    }
    return probabilities;
}

// The variance of the cost over `num_moves` random moves, which change the state.
template <class Best>
double initial_temperature(BoxPermutation& state, int num_moves, Control& control, Best& best) {
    double sum = 0;
    double sum_of_squares = 0;
    for (int move = 0; move < num_moves; ++move) {
        const auto [first, second] = state.random_swap(control.rng);
        state.swap(first, second, state.delta(first, second));
        ++control.num_evaluations;
        ++control.num_moves;
        best.offer(state);
        sum += state.cost();
        sum_of_squares += static_cast<double>(state.cost()) * state.cost();
    }
    const double mean = sum / num_moves;
    return std::max(sum_of_squares / num_moves - mean * mean, 0.01);  // a temperature of 0 would freeze the search
}

}  // namespace

SwapSearch::Found Annealing::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    control.set_cost_columns({"temperature", "acceptance", "reheats"});
    Best best(state);
    std::int64_t num_temperatures = 0;
    std::int64_t num_reheats = 0;
    double temperature = 0;
    std::int64_t num_before = 0;    // moves tried at earlier temperatures
    std::int64_t num_tried = 0;     // at this temperature
    std::int64_t num_accepted = 0;  // of those
    double last_acceptance = 0;     // at the temperature before
    const auto num_iterations = [&] { return num_before + num_tried; };
    const auto acceptance = [&] {
        return num_tried == 0 ? last_acceptance : static_cast<double>(num_accepted) / static_cast<double>(num_tried);
    };
    const auto row = [&] {
        return Trace::row(num_iterations(), state.cost(), best.cost_with(state), temperature, acceptance(),
                          num_reheats);
    };
    const auto frame = [&] { return frame_of(row(), state); };

    const auto run = [&] {
        if (state.cost() == 0) return;
        const double first_temperature = initial_temperature(state, parameters_.sampling_moves, control, best);
        if (best.cost() == 0) {  // a sampling move solved it
            state.fill(best.grid());
            return;
        }
        const auto open = static_cast<double>(state.num_open());
        const auto num_moves = std::max<std::int64_t>(1, std::llround(parameters_.moves_factor * open * open));
        temperature = first_temperature;
        Patience patience(parameters_.reheat_after);
        while (true) {
            ++num_temperatures;
            control.sample(best.cost(), row);
            const auto accepts = acceptance_probabilities(temperature);
            const int cost_before = state.cost();
            int lowest = cost_before;
            const int best_before = best.cost();
            const std::int64_t num_allowed = std::min(num_moves, control.budget.iterations - num_before);
            while (num_tried < num_allowed) {
                if (state.cost() == 0 || control.must_stop(num_iterations(), frame)) return;
                ++num_tried;
                const auto [first, second] = state.random_swap(rng);
                const int delta = state.delta(first, second);
                ++control.num_evaluations;
                if (delta <= 0 || rng.uniform() < accepts[static_cast<std::size_t>(delta)]) {
                    state.swap(first, second, delta);
                    ++num_accepted;
                    ++control.num_moves;
                    if (state.cost() < lowest) {
                        lowest = state.cost();
                        best.offer(state);
                        control.sample_improvement(best.cost(), row);
                    }
                }
            }
            if (num_tried < num_moves) return;  // out of budget
            last_acceptance = acceptance();
            num_before += num_tried;
            num_tried = num_accepted = 0;
            temperature *= parameters_.cooling;
            const bool improves =
                parameters_.improvement == Improvement::of_start ? lowest < cost_before : best.cost() < best_before;
            if (patience.is_over(improves)) {
                temperature = first_temperature;
                ++num_reheats;
            }
        }
    };
    run();
    control.finish(frame);
    return {best, {{"iterations", num_iterations()}, {"temperatures", num_temperatures}, {"reheats", num_reheats}}};
}

}  // namespace sudokulab
