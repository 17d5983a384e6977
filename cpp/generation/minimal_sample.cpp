#include "generation/minimal_sample.h"

#include <numeric>
#include <optional>

#include "bulk/bulk.h"
#include "generation/minimal.h"
#include "generation/random_grid.h"
#include "generation/removal_orders.h"
#include "generation/side_by_side.h"
#include "solvers/auto.h"

namespace sudokulab {
namespace {

// The puzzle with the fewest givens and a unique solution, if digits are removed in this order; by bisection.
std::optional<Puzzle> last_unique(BoxShape box, const Grid& solution, std::span<const int> order, Control& control) {
    Puzzle puzzle{box, solution};
    const auto remove = [&](std::size_t number) {
        puzzle.givens = solution;
        for (const int cell : order.first(number)) puzzle.givens[static_cast<std::size_t>(cell)] = 0;
    };
    std::size_t unique = 0;
    std::size_t ambiguous = order.size();
    while (ambiguous - unique > 1) {
        const std::size_t middle = (unique + ambiguous) / 2;
        remove(middle);
        const Count count = Auto().count(puzzle, 2, control);
        if (!count.is_exact && count.number < 2) return std::nullopt;
        (count.number == 1 ? unique : ambiguous) = middle;
    }
    remove(unique);
    return puzzle;
}

std::vector<MinimalPuzzle> sample(BoxShape box, bool only_first, Control& control) {
    std::vector<MinimalPuzzle> found;
    std::vector<int> order(static_cast<std::size_t>(box.num_cells()));
    std::iota(order.begin(), order.end(), 0);
    for (int number = 0; number < sampling_plan(box).num_grids && !(only_first && !found.empty()); ++number) {
        const std::optional<Grid> solution = random_grid(box, control);
        if (!solution) return {};
        control.rng.shuffle(std::span(order));
        const std::optional<Puzzle> puzzle = last_unique(box, *solution, order, control);
        const auto redundant = puzzle ? redundant_givens(*puzzle, control) : std::nullopt;
        if (!redundant) return {};
        if (redundant->empty()) found.push_back({puzzle->givens, *solution, number});
    }
    return found;
}

}  // namespace

SamplingPlan sampling_plan(BoxShape box) {
    if (has_bulk(box)) return {.num_grids = 256, .num_orders = 128};
    return {.num_grids = 64, .num_orders = 1};
}

std::vector<std::vector<MinimalPuzzle>> sample_each(BoxShape box, std::span<const std::uint64_t> seeds, bool only_first,
                                                    Control& control) {
    if (has_bulk(box)) {
        const auto begin = [&](std::uint64_t seed) { return RemovalOrders(seed, only_first, control); };
        return SideBySide<RemovalOrders>(seeds, begin, control).run();
    }
    std::vector<std::vector<MinimalPuzzle>> samples;
    for (const std::uint64_t seed : seeds) {
        control.rng = Rng(seed);
        samples.push_back(sample(box, only_first, control));
    }
    return samples;
}

Grid minimal_in_order(const Grid& solution, std::span<const std::uint8_t> order, Control& control) {
    const std::vector<MinimalPuzzle> found = answered(RemovalOrders(solution, order, control), control);
    return found.empty() ? Grid{} : found.front().givens;
}

}  // namespace sudokulab
