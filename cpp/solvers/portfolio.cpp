#include "solvers/portfolio.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "search/threads.h"

namespace sudokulab {
namespace {

// The moves of the local search of each search, as multiples of those of the first: local search is good at instances
// with many solutions, learning at those with few or none.
constexpr std::array move_factors{1, 1, 4, 0};

}  // namespace

PortfolioSearch::PortfolioSearch(const Puzzle& puzzle, const Parameters& parameters)
    : parameters_(parameters),
      puzzle_(puzzle),
      exchange_(static_cast<std::size_t>(parameters.num_threads), parameters.max_shared_levels),
      searches_(static_cast<std::size_t>(parameters.num_threads)) {
    begin(0);
}

void PortfolioSearch::begin(std::size_t index) {
    ConflictDrivenParameters parameters = parameters_.search;
    parameters.seed = index;
    parameters.moves_per_conflict *= move_factors[index % move_factors.size()];
    searches_[index] = std::make_unique<ConflictDrivenSearch>(puzzle_, parameters);
    if (parameters_.max_shared_levels > 0) searches_[index]->join(exchange_, index);
}

Status PortfolioSearch::next(Control& control) {
    if (is_answered_) return searches_[winner_]->next(control);
    Status status = run_alone(control);
    if (status == Status::unknown && !control.must_stop() && !control.is_out_of_nodes()) status = run_together(control);
    is_answered_ = status != Status::unknown;
    return status;
}

// Gives the first search its head start. Unknown if it needs longer.
Status PortfolioSearch::run_alone(Control& control) {
    Budget budget = control.budget_left();
    budget.nodes = std::min(budget.nodes, parameters_.head_start);
    Control own(budget, 0, 0, [&] { return control.must_stop(); });
    own.rng = control.rng;
    const Status status = searches_[0]->next(own);
    control.rng = own.rng;
    control.num_nodes += own.num_nodes;
    return status;
}

Status PortfolioSearch::run_together(Control& control) {
    const Budget budget = control.budget_left();
    const std::uint64_t seed = Rng(control.rng).next();
    Control::Clock::time_point answered_at;
    std::atomic<bool> is_answered = false;
    Status answer = Status::unknown;
    const auto run_one = [&](std::size_t index, const Interrupted& stop) {
        Control own(budget, derive_seed(seed, index), 0, [&] { return is_answered || stop(); });
        if (is_answered || own.must_stop()) return;
        if (!searches_[index]) begin(index);    // takes some of the time: 20 ms at 64×64
        if (index == 0) own.rng = control.rng;  // as on a single thread
        const Status status = searches_[index]->next(own);
        if (status == Status::unknown || is_answered.exchange(true)) return;
        answer = status;
        winner_ = index;
        answered_at = Control::Clock::now();
    };
    run_parallel(searches_.size(), parameters_.num_threads, [&] { return control.must_stop(); }, run_one);
    if (is_answered) stopping_seconds_ = std::chrono::duration<double>(Control::Clock::now() - answered_at).count();
    return answer;
}

Stats PortfolioSearch::stats() const {
    Stats stats = winner().stats();
    const auto num_begun =
        static_cast<std::int64_t>(searches_.size()) - std::count(searches_.begin(), searches_.end(), nullptr);
    stats.emplace_back("threads", num_begun);
    stats.emplace_back("stopping_seconds", stopping_seconds_);
    return stats;
}

}  // namespace sudokulab
