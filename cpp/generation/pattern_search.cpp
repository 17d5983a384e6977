#include "generation/pattern_search.h"

#include <map>
#include <utility>

#include "generation/limits.h"
#include "generation/random_grid.h"

namespace sudokulab {
namespace {

constexpr int max_steps = 300;
constexpr std::int64_t max_solutions = 500;
constexpr std::int64_t max_nodes = 20'000;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// The solutions with certain digits in the freed cells.
struct Tally {
    std::int64_t number = 0;
    Grid example;
};

}  // namespace

PatternSearch::PatternSearch(const PuzzleSpec& spec, Control& control) : control_(control), puzzle_{spec.box, {}} {
    for (const auto& orbit : spec.orbits) cells_.insert(cells_.end(), orbit.begin(), orbit.end());
}

bool PatternSearch::run() {
    auto grid = random_grid(puzzle_.box, control_);
    if (!grid) return false;
    solution_ = std::move(*grid);
    puzzle_.givens.assign(solution_.size(), 0);
    for (const int cell : cells_) puzzle_.givens[at(cell)] = solution_[at(cell)];
    Control limit = limited(control_, max_nodes);
    Count count = solver_.count(puzzle_, max_solutions, limit);
    for (int step = 0; step < max_steps && !control_.must_stop(); ++step) {
        if (count.number == 1 && count.is_exact) return true;
        count = improve();
    }
    return false;
}

Count PatternSearch::improve() {
    std::vector<int> freed;
    const std::size_t num_freed = 1 + control_.rng.below(2);
    for (std::size_t i = 0; i < num_freed; ++i)
        freed.push_back(cells_[control_.rng.below(static_cast<std::uint32_t>(cells_.size()))]);
    Puzzle looser = puzzle_;
    for (const int cell : freed) looser.givens[at(cell)] = 0;
    const auto search = solver_.search(looser);
    Control limit = limited(control_, max_nodes);
    std::map<std::pair<std::uint8_t, std::uint8_t>, Tally> tallies;
    std::int64_t num_seen = 0;
    Status status = Status::unknown;
    while (num_seen < max_solutions && (status = search->next(limit)) == Status::solved) {
        ++num_seen;
        const Grid grid = search->grid();
        Tally& tally = tallies[{grid[at(freed.front())], grid[at(freed.back())]}];
        if (++tally.number == 1) tally.example = grid;
    }
    if (tallies.empty()) return {2, false};
    const Tally* best = nullptr;
    std::uint32_t num_equal = 0;
    for (const auto& [digits, tally] : tallies) {
        if (best == nullptr || tally.number < best->number) num_equal = 0;
        if (best != nullptr && tally.number > best->number) continue;
        if (control_.rng.below(++num_equal) == 0) best = &tally;
    }
    solution_ = best->example;
    for (const int cell : cells_) puzzle_.givens[at(cell)] = solution_[at(cell)];
    return {best->number, status == Status::unsatisfiable};
}

}  // namespace sudokulab
