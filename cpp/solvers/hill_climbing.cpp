#include "hill_climbing.h"

#include <algorithm>

#include "../patience.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A swap from the present state and the score it would lead to.
struct Move {
    double score;
    std::uint64_t tie_breaker;
    int first;
    int second;

    bool operator>(const Move& other) const {
        return score != other.score ? score > other.score : tie_breaker > other.tie_breaker;
    }
};

// A state met and not explored.
struct Candidate {
    double score;
    std::uint64_t hash;
    Grid grid;
};

std::uint64_t hash_of(const Grid& grid) {
    std::uint64_t hash = 0;
    for (const std::uint8_t digit : grid) hash = (hash ^ digit) * 0x9e3779b97f4a7c15u + (hash >> 29);
    return hash;
}

// The best states met and not explored, no more of them than are ever looked at.
class Queue {
public:
    explicit Queue(std::size_t capacity) : capacity_(capacity) {}

    bool would_take(double score) const { return states_.size() < capacity_ || score > states_.back().score; }

    void push(Candidate state) {
        const auto is_same = [&](const Candidate& other) { return other.hash == state.hash; };
        const auto is_explored = std::find(explored_.begin(), explored_.end(), state.hash) != explored_.end();
        if (is_explored || std::any_of(states_.begin(), states_.end(), is_same)) return;
        const auto worse = [](double score, const Candidate& other) { return score > other.score; };
        states_.insert(std::upper_bound(states_.begin(), states_.end(), state.score, worse), std::move(state));
        if (states_.size() > capacity_) states_.pop_back();
    }

    Candidate pop() {
        Candidate best = std::move(states_.front());
        states_.erase(states_.begin());
        return best;
    }

    bool is_empty() const { return states_.empty(); }
    void mark_explored(const Grid& grid) { explored_.push_back(hash_of(grid)); }
    void forget_explored() { explored_.clear(); }
    void clear() {
        states_.clear();
        explored_.clear();
    }

private:
    std::size_t capacity_;
    std::vector<Candidate> states_;        // best first
    std::vector<std::uint64_t> explored_;  // since the last improvement
};

}  // namespace

FixedClashes::FixedClashes(const BoxPermutation& state)
    : size_(state.geometry().size()), counts_(at(size_ * size_ * size_), 0) {
    for (int fixed = 0; fixed < size_ * size_; ++fixed) {
        if (state.is_open(fixed)) continue;
        for (int k = 0; k < size_; ++k) {
            const int in_row = fixed / size_ * size_ + k;
            const int in_col = k * size_ + fixed % size_;
            if (in_row != fixed) ++counts_[at(in_row * size_ + state.digit(fixed))];
            if (in_col != fixed) ++counts_[at(in_col * size_ + state.digit(fixed))];
        }
    }
}

int FixedClashes::total(const BoxPermutation& state) const {
    int total = 0;
    for (const auto& cells : state.open_cells()) {
        for (const int cell : cells) total += of(cell, state.digit(cell));
    }
    return total;
}

void place_greedily(BoxPermutation& state, const FixedClashes& clashes, bool is_shuffled, Rng& rng) {
    Grid grid = state.grid();
    for (int box = 0; box < state.geometry().size(); ++box) {
        std::vector<int> missing = state.missing_digits(box);
        if (is_shuffled) rng.shuffle(std::span(missing));
        for (const int cell : state.open_cells()[at(box)]) {
            auto chosen =
                std::find_if(missing.begin(), missing.end(), [&](int digit) { return clashes.of(cell, digit) == 0; });
            if (chosen == missing.end()) chosen = missing.begin();
            grid[at(cell)] = static_cast<std::uint8_t>(*chosen + 1);
            missing.erase(chosen);
        }
    }
    state.fill(grid);
}

void swap_away_clashes(BoxPermutation& state, const FixedClashes& clashes, Rng& rng) {
    for (const auto& cells : state.open_cells()) {
        std::vector<int> partners = cells;
        for (const int cell : cells) {
            if (clashes.of(cell, state.digit(cell)) == 0) continue;
            rng.shuffle(std::span(partners));
            for (const int partner : partners) {
                if (partner == cell || clashes.of(cell, state.digit(partner)) != 0 ||
                    clashes.of(partner, state.digit(cell)) != 0) {
                    continue;
                }
                state.swap(cell, partner, state.delta(cell, partner));
                break;
            }
        }
    }
}

SwapSearch::Found HillClimbing::search(BoxPermutation state, Control& control) const {
    Rng& rng = control.rng;
    const int perfect_f1 = 2 * state.geometry().num_cells();
    const FixedClashes clashes(state);
    const auto score_of = [&](const BoxPermutation& of) {
        return parameters_.w1 * (perfect_f1 - of.cost()) + parameters_.w2 * clashes.total(of);
    };
    const auto initialize = [&](bool is_restart) {
        if (parameters_.is_greedy) {
            place_greedily(state, clashes, is_restart, rng);
        } else {
            state.fill_at_random(rng);
        }
        if (parameters_.has_post_swap) swap_away_clashes(state, clashes, rng);
    };

    control.trace.set_columns({"iterations", "cost", "restarts"});
    initialize(false);
    const std::int64_t initial_f1 = perfect_f1 - state.cost();
    const std::int64_t initial_clashes = clashes.total(state);
    double score = score_of(state);
    double best_score = score;
    int best_cost = state.cost();
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    Queue queue(static_cast<std::size_t>(parameters_.plateau));
    Patience patience(parameters_.plateau);
    std::vector<Move> moves;

    const auto enter = [&](const Candidate& candidate) {
        state.fill(candidate.grid);
        score = candidate.score;
    };
    while (state.cost() > 0 && !control.must_stop() && num_iterations < control.budget.iterations) {
        ++num_iterations;
        if (control.trace.due()) {
            control.trace.add({static_cast<double>(num_iterations), static_cast<double>(state.cost()),
                               static_cast<double>(num_restarts)});
        }
        // the best successors, as many as the queue can take, best first
        moves.clear();
        state.for_each_swap([&](int first, int second) {
            const int a = state.digit(first);
            const int b = state.digit(second);
            const int more_clashes =
                clashes.of(first, b) + clashes.of(second, a) - clashes.of(first, a) - clashes.of(second, b);
            const double next = score - parameters_.w1 * state.delta(first, second) + parameters_.w2 * more_clashes;
            if (moves.size() == static_cast<std::size_t>(parameters_.plateau) && next < moves.back().score) return;
            const Move move{next, rng.next(), first, second};
            moves.insert(std::upper_bound(moves.begin(), moves.end(), move, std::greater<>()), move);
            if (moves.size() > static_cast<std::size_t>(parameters_.plateau)) moves.pop_back();
        });
        const bool goes_up = !moves.empty() && moves.front().score > score;
        queue.mark_explored(state.grid());
        for (std::size_t i = goes_up ? 1 : 0; i < moves.size() && queue.would_take(moves[i].score); ++i) {
            Grid grid = state.grid();
            std::swap(grid[at(moves[i].first)], grid[at(moves[i].second)]);
            const std::uint64_t hash = hash_of(grid);
            queue.push({moves[i].score, hash, std::move(grid)});
        }
        const bool is_better = goes_up && moves.front().score > best_score;
        if (is_better) {
            best_score = moves.front().score;
            queue.forget_explored();
        }
        if (patience.is_over(is_better) || (!goes_up && queue.is_empty())) {
            initialize(true);
            queue.clear();
            patience.renew();
            score = best_score = score_of(state);
            ++num_restarts;
        } else if (goes_up) {
            state.swap(moves.front().first, moves.front().second,
                       state.delta(moves.front().first, moves.front().second));
            score = moves.front().score;
        } else {
            enter(queue.pop());
        }
        best_cost = std::min(best_cost, state.cost());
    }
    return {best_cost,
            state.cost() == 0 ? state.grid() : Grid{},
            {{"iterations", num_iterations},
             {"restarts", num_restarts},
             {"initial_f1", initial_f1},
             {"initial_clashes", initial_clashes}}};
}

}  // namespace sudokulab
