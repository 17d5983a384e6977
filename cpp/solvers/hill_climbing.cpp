#include "solvers/hill_climbing.h"

#include <algorithm>

#include "solvers/parts/patience.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A swap from the current state and the score it would lead to.
struct Move {
    double score;
    int f2;
    std::uint64_t tie_breaker;
    int first;
    int second;

    bool operator>(const Move& other) const {
        return score != other.score ? score > other.score : tie_breaker > other.tie_breaker;
    }
};

// A state seen but not explored. Its score is computed from integers: running sums of weights would drift and make
// equal states look different.
struct Candidate {
    double score;
    int f2;
    std::uint64_t hash;
    Grid grid;
};

std::uint64_t hash_of(const Grid& grid) {
    std::uint64_t hash = 0;
    for (const std::uint8_t digit : grid) hash = (hash ^ digit) * 0x9e3779b97f4a7c15u + (hash >> 29);
    return hash;
}

// The best states seen but not explored, limited to as many as can be explored.
class Queue {
public:
    explicit Queue(std::size_t capacity) : capacity_(capacity) {}

    bool would_take(double score) const { return states_.size() < capacity_ || score > states_.back().score; }

    void push(Candidate state) {
        const auto is_same = [&](const Candidate& other) { return other.hash == state.hash; };
        if (is_explored(state.hash) || std::any_of(states_.begin(), states_.end(), is_same)) return;
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
    bool is_explored(std::uint64_t hash) const {
        return std::find(explored_.begin(), explored_.end(), hash) != explored_.end();
    }
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
    const auto score_of = [&](int cost, int f2) { return parameters_.w1 * (perfect_f1 - cost) + parameters_.w2 * f2; };
    const auto initialize = [&](bool is_restart) {
        if (parameters_.greedy) {
            place_greedily(state, clashes, is_restart, rng);
        } else {
            state.fill_at_random(rng);
        }
        if (parameters_.post_swap) swap_away_clashes(state, clashes, rng);
    };

    control.trace.set_columns({"iterations", "cost", "best_cost", "restarts"});
    initialize(false);
    const std::int64_t initial_f1 = perfect_f1 - state.cost();
    const std::int64_t initial_clashes = clashes.total(state);
    int f2 = clashes.total(state);
    double score = score_of(state.cost(), f2);
    double best_score = score;
    Best best(state);
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    const auto row = [&] { return Trace::row(num_iterations, state.cost(), best.cost_with(state), num_restarts); };
    const auto num_kept = static_cast<std::size_t>(parameters_.plateau);
    Queue queue(num_kept);
    Patience patience(parameters_.plateau);
    std::vector<Move> moves;

    while (state.cost() > 0 && !control.must_stop() && num_iterations < control.budget.iterations) {
        if (control.trace.due()) control.trace.add(row());
        ++num_iterations;
        // the best successors, best first, as many as the queue can take
        moves.clear();
        state.for_each_swap([&](int first, int second) {
            const int a = state.digit(first);
            const int b = state.digit(second);
            const int next_f2 =
                f2 + clashes.of(first, b) + clashes.of(second, a) - clashes.of(first, a) - clashes.of(second, b);
            const double next = score_of(state.cost() + state.delta(first, second), next_f2);
            if (moves.size() == num_kept && next < moves.back().score) return;
            const Move move{next, next_f2, rng.next(), first, second};
            moves.insert(std::upper_bound(moves.begin(), moves.end(), move, std::greater<>()), move);
            if (moves.size() > num_kept) moves.pop_back();
        });
        queue.mark_explored(state.grid());
        std::vector<Candidate> successors;
        for (const Move& move : moves) {
            Grid grid = state.grid();
            std::swap(grid[at(move.first)], grid[at(move.second)]);
            const std::uint64_t hash = hash_of(grid);
            if (!queue.is_explored(hash)) successors.push_back({move.score, move.f2, hash, std::move(grid)});
        }
        const bool goes_up = !successors.empty() && successors.front().score > score;
        for (std::size_t i = goes_up ? 1 : 0; i < successors.size() && queue.would_take(successors[i].score); ++i) {
            queue.push(std::move(successors[i]));
        }
        const bool is_better = goes_up && successors.front().score > best_score;
        if (is_better) {
            best_score = successors.front().score;
            queue.forget_explored();
        }
        if (patience.is_over(is_better) || (!goes_up && queue.is_empty())) {
            initialize(true);
            queue.clear();
            patience.renew();
            f2 = clashes.total(state);
            score = best_score = score_of(state.cost(), f2);
            ++num_restarts;
        } else {
            const Candidate next = goes_up ? std::move(successors.front()) : queue.pop();
            state.fill(next.grid);
            f2 = next.f2;
            score = next.score;
        }
        best.offer(state);
    }
    control.trace.add_last(row());
    return {best,
            {{"iterations", num_iterations},
             {"restarts", num_restarts},
             {"initial_f1", initial_f1},
             {"initial_clashes", initial_clashes}}};
}

}  // namespace sudokulab
