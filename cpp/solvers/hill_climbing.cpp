#include "solvers/hill_climbing.h"

#include <algorithm>
#include <optional>

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// The hash of a grid is the XOR of one word per cell and digit, so a swap changes four words.
std::uint64_t word(int cell, int digit) {
    auto number = static_cast<std::uint64_t>(cell) * 64 + static_cast<std::uint64_t>(digit);
    return splitmix64(number);
}

std::uint64_t hash_of(const BoxPermutation& state) {
    std::uint64_t hash = 0;
    for (int cell = 0; cell < state.geometry().num_cells(); ++cell) hash ^= word(cell, state.digit(cell));
    return hash;
}

std::uint64_t hash_change(int first, int first_digit, int second, int second_digit) {
    return word(first, first_digit) ^ word(first, second_digit) ^ word(second, second_digit) ^
           word(second, first_digit);
}

// A set of hashes: open addressing, at most half full.
class HashSet {
public:
    // Returns whether the hash is new.
    bool insert(std::uint64_t hash) {
        if (2 * num_ >= slots_.size()) grow();
        hash |= hash == 0;  // 0 marks a free slot
        std::size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
            if (slots_[slot] == hash) return false;
        }
        slots_[slot] = hash;
        ++num_;
        return true;
    }

    bool contains(std::uint64_t hash) const {
        hash |= hash == 0;
        std::size_t slot = hash & (slots_.size() - 1);
        while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & (slots_.size() - 1);
        return slots_[slot] == hash;
    }

    void clear() {
        slots_.assign(smallest, 0);
        num_ = 0;
    }

private:
    static constexpr std::size_t smallest = 1024;

    void grow() {
        std::vector<std::uint64_t> old(2 * slots_.size(), 0);
        old.swap(slots_);
        num_ = 0;
        for (const std::uint64_t hash : old) {
            if (hash != 0) insert(hash);
        }
    }

    std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(smallest, 0);
    std::size_t num_ = 0;
};

template <class Predicate>
bool any_swap(const BoxPermutation& state, Predicate holds) {
    for (const auto& cells : state.open_cells()) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            for (std::size_t j = i + 1; j < cells.size(); ++j) {
                if (holds(cells[i], cells[j])) return true;
            }
        }
    }
    return false;
}

// A state in the queue: a swap away from an explored one. Its score is computed from integers: running sums of weights
// would drift and make equal states look different.
struct Queued {
    double score;
    std::uint64_t tie_breaker;
    std::int32_t parent;  // index of the explored state
    std::int16_t first;
    std::int16_t second;
    enum : std::int8_t { unknown, yes, no } has_better_successor;

    bool operator<(const Queued& other) const {
        return score != other.score ? score < other.score : tie_breaker < other.tie_breaker;
    }
};

// The priority queue of all states seen but not explored since the last restart, each of them once.
class Queue {
public:
    Queue(std::size_t limit, HillClimbing::Ties ties) : limit_(limit), ties_(ties) {}

    void clear() {
        heap_.clear();
        explored_.clear();
        explored_hashes_.clear();
        seen_.clear();
    }

    // Makes a state the parent of the states pushed next.
    void explore(const BoxPermutation& state) {
        hash_ = hash_of(state);
        explored_.push_back({state.grid(), hash_});
        seen_.insert(hash_);
        explored_hashes_.insert(hash_);
    }

    bool is_explored(const BoxPermutation& state, int first, int second) const {
        const int a = state.digit(first);
        const int b = state.digit(second);
        return explored_hashes_.contains(hash_of(state) ^ hash_change(first, a, second, b));
    }

    // Adds the state after a swap, unless it has been seen before.
    void push(double score, int first, int second, Rng& rng) {
        const Grid& grid = explored_.back().grid;
        if (!seen_.insert(hash_ ^ hash_change(first, grid[at(first)] - 1, second, grid[at(second)] - 1))) return;
        heap_.push_back({score, tie_breaker(rng), static_cast<std::int32_t>(explored_.size() - 1),
                         static_cast<std::int16_t>(first), static_cast<std::int16_t>(second), Queued::unknown});
        std::push_heap(heap_.begin(), heap_.end());
    }

    bool is_empty() const { return heap_.empty(); }
    const Queued& best() const { return heap_.front(); }

    Queued pop() {
        std::pop_heap(heap_.begin(), heap_.end());
        const Queued best = heap_.back();
        heap_.pop_back();
        return best;
    }

    Grid grid_of(const Queued& state) const {
        Grid grid = explored_[at(state.parent)].grid;
        std::swap(grid[at(state.first)], grid[at(state.second)]);
        return grid;
    }

    // The best `number` states, best first, if all have the same score; otherwise nothing.
    std::vector<Queued*> best_if_equal(std::size_t number) {
        std::vector<Queued*> equal;
        if (heap_.size() < number) return equal;
        const auto is_worse = [&](std::size_t a, std::size_t b) { return heap_[a] < heap_[b]; };
        frontier_.assign(1, 0);  // children of the states taken so far; the best of them comes next
        while (equal.size() < number) {
            std::pop_heap(frontier_.begin(), frontier_.end(), is_worse);
            const std::size_t next = frontier_.back();
            frontier_.pop_back();
            if (heap_[next].score != heap_.front().score) return {};
            equal.push_back(&heap_[next]);
            for (std::size_t child = 2 * next + 1; child <= 2 * next + 2 && child < heap_.size(); ++child) {
                frontier_.push_back(child);
                std::push_heap(frontier_.begin(), frontier_.end(), is_worse);
            }
        }
        return equal;
    }

    // Bounds the memory: drops the worst half of a full queue, and forgets explored states that are neither parents nor
    // among the most recent.
    void trim() {
        if (heap_.size() <= limit_ && explored_.size() <= 2 * limit_) return;
        const std::size_t num_kept = std::min(heap_.size(), limit_ / 2);
        const auto is_better = [](const Queued& a, const Queued& b) { return b < a; };
        std::nth_element(heap_.begin(), heap_.begin() + static_cast<std::ptrdiff_t>(num_kept), heap_.end(), is_better);
        heap_.resize(num_kept);

        std::vector<char> is_parent(explored_.size(), 0);
        for (const Queued& state : heap_) is_parent[at(state.parent)] = 1;
        std::vector<std::int32_t> index(explored_.size(), 0);
        std::vector<Explored> kept;
        seen_.clear();
        for (std::size_t i = 0; i < explored_.size(); ++i) {
            const bool is_recent = i + limit_ >= explored_.size();
            if (!is_parent[i] && !is_recent) continue;
            index[i] = static_cast<std::int32_t>(kept.size());
            seen_.insert(explored_[i].hash);
            kept.push_back({is_parent[i] ? std::move(explored_[i].grid) : Grid(), explored_[i].hash});
        }
        explored_ = std::move(kept);
        explored_hashes_.clear();
        for (const Explored& state : explored_) explored_hashes_.insert(state.hash);
        for (Queued& state : heap_) {
            state.parent = index[at(state.parent)];
            const auto& [grid, hash] = explored_[at(state.parent)];
            seen_.insert(hash ^
                         hash_change(state.first, grid[at(state.first)] - 1, state.second, grid[at(state.second)] - 1));
        }
        std::make_heap(heap_.begin(), heap_.end());
    }

private:
    struct Explored {
        Grid grid;  // empty if no state in the queue needs it
        std::uint64_t hash;
    };

    std::uint64_t tie_breaker(Rng& rng) {
        if (ties_ == HillClimbing::Ties::random) return rng.next();
        ++num_pushed_;
        return ties_ == HillClimbing::Ties::newest ? num_pushed_ : ~num_pushed_;
    }

    std::size_t limit_;
    HillClimbing::Ties ties_;
    std::uint64_t num_pushed_ = 0;
    std::vector<Queued> heap_;
    std::vector<Explored> explored_;
    std::uint64_t hash_ = 0;  // of the state explored last
    HashSet seen_;            // explored or queued
    HashSet explored_hashes_;
    std::vector<std::size_t> frontier_;
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
    const auto f2_change = [&](const BoxPermutation& from, int first, int second) {
        const int a = from.digit(first);
        const int b = from.digit(second);
        return clashes.of(first, b) + clashes.of(second, a) - clashes.of(first, a) - clashes.of(second, b);
    };
    const auto initialize = [&](bool is_restart) {
        if (parameters_.greedy) {
            place_greedily(state, clashes, is_restart, rng);
        } else {
            state.fill_at_random(rng);
        }
        if (parameters_.post_swap) swap_away_clashes(state, clashes, rng);
    };

    control.set_cost_columns({"restarts"});
    initialize(false);
    const std::int64_t initial_f1 = perfect_f1 - state.cost();
    const std::int64_t initial_clashes = clashes.total(state);
    Best best(state);
    std::int64_t num_iterations = 0;
    std::int64_t num_restarts = 0;
    const auto row = [&] { return Trace::row(num_iterations, state.cost(), best.cost_with(state), num_restarts); };
    const auto frame = [&] { return frame_of(row(), state); };
    Queue queue(static_cast<std::size_t>(parameters_.queue_limit), parameters_.ties);
    BoxPermutation other = state;
    const bool all_count = parameters_.successors == Successors::all;
    const auto has_better_successor = [&](Queued& queued) {
        // a successor that is unexplored now may be explored at the next test
        const bool is_known =
            queued.has_better_successor == Queued::no || (queued.has_better_successor == Queued::yes && all_count);
        if (!is_known) {
            other.fill(queue.grid_of(queued));
            const int f2 = clashes.total(other);
            const bool has_better = any_swap(other, [&](int first, int second) {
                ++control.num_evaluations;
                const int cost = other.cost() + other.delta(first, second);
                return score_of(cost, f2 + f2_change(other, first, second)) > queued.score &&
                       (all_count || !queue.is_explored(other, first, second));
            });
            queued.has_better_successor = has_better ? Queued::yes : Queued::no;
        }
        return queued.has_better_successor == Queued::yes;
    };
    const auto is_plateau = [&] {
        const std::vector<Queued*> equal = queue.best_if_equal(static_cast<std::size_t>(parameters_.cutoff));
        return !equal.empty() &&
               std::none_of(equal.begin(), equal.end(), [&](Queued* queued) { return has_better_successor(*queued); });
    };

    while (state.cost() > 0 && !control.must_stop(num_iterations, frame) &&
           num_iterations < control.budget.iterations) {
        control.sample(best.cost(), row);
        ++num_iterations;
        queue.explore(state);
        std::optional<std::pair<int, int>> goal;
        const int f2 = clashes.total(state);
        state.for_each_swap([&](int first, int second) {
            const int cost = state.cost() + state.delta(first, second);
            ++control.num_evaluations;
            if (cost == 0) goal = {first, second};
            queue.push(score_of(cost, f2 + f2_change(state, first, second)), first, second, rng);
        });
        if (goal) {
            state.swap(goal->first, goal->second, -state.cost());
        } else if (parameters_.variant == Variant::steepest_ascent) {
            if (queue.is_empty() || queue.best().score <= score_of(state.cost(), f2)) break;
            state.fill(queue.grid_of(queue.best()));
            queue.clear();
        } else if (parameters_.variant == Variant::random_restart && (queue.is_empty() || is_plateau())) {
            initialize(true);
            ++control.num_evaluations;
            queue.clear();
            ++num_restarts;
        } else if (queue.is_empty()) {
            break;
        } else {
            state.fill(queue.grid_of(queue.pop()));
            queue.trim();
        }
        ++control.num_moves;
        best.offer(state);
    }
    control.finish(frame);
    return {best,
            {{"iterations", num_iterations},
             {"restarts", num_restarts},
             {"initial_f1", initial_f1},
             {"initial_clashes", initial_clashes}}};
}

}  // namespace sudokulab
