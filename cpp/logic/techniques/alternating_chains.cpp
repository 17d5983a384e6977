#include "logic/techniques/alternating_chains.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace sudokulab::techniques {
namespace {

constexpr int min_links = 3;
constexpr int max_simple_links = 20;

class Finder {
public:
    using State = InferenceGraph::State;
    using Node = InferenceGraph::Node;

    Finder(const TechniqueBoard& board, ChainScope scope, Control& control)
        : board_(board),
          scope_(scope),
          control_(control),
          graph_(board, scope, control),
          distance_(static_cast<std::size_t>(graph_.num_states())),
          parent_(static_cast<std::size_t>(graph_.num_states())) {}

    bool find(const Visitor& visit) {
        const bool has_loops = scope_ > ChainScope::xy;
        if (has_loops) for_each_premise(true, [&] { check_loops(); });
        for_each_premise(false, [&] {
            if (has_loops) check_loops();
            check_ends();
        });
        if (control_.must_stop()) return false;
        std::vector<const Found*> chains;
        for (const auto& [outcome, loop] : loops_) chains.push_back(&loop);
        for (const auto& [outcome, chain] : chains_) {
            const auto loop = loops_.find(outcome);
            if (loop == loops_.end() || loop->second.step.length > chain.step.length) chains.push_back(&chain);
        }
        std::sort(chains.begin(), chains.end(), [](const Found* one, const Found* other) {
            return std::tie(one->step.length, one->order) < std::tie(other->step.length, other->order);
        });
        return std::all_of(chains.begin(), chains.end(), [&](const Found* chain) { return visit(chain->step); });
    }

private:
    enum class Kind : std::uint8_t { continuous_loop, discontinuous_loop, chain };  // in the order of `Technique`
    using Outcome = std::vector<std::pair<int, int>>;                               // the eliminations in order
    struct Found {
        Step step;
        int order;  // of discovery
    };

    static Outcome outcome(const Step& step) {
        Outcome sorted;
        for (const Candidate& candidate : step.eliminations) sorted.push_back({candidate.cell, candidate.digit});
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }

    template <class Check>
    void for_each_premise(bool is_on, Check check) {
        for (int node = 0; node < graph_.num_candidates() && !control_.must_stop(); ++node) {
            premise_ = InferenceGraph::state(node, is_on);
            search();
            check();
        }
    }

    // What follows from the premise, breadth first. A longer way to a state may be replaced later by a shorter one,
    // because not all links are equally long; direct consequences stay.
    void search() {
        constexpr int unreached = std::numeric_limits<int>::max();
        std::fill(distance_.begin(), distance_.end(), unreached);
        reached_.assign(1, premise_);
        at(distance_, premise_) = 0;
        at(parent_, premise_) = -1;
        for (std::size_t current = 0; current < reached_.size(); ++current) {
            if (control_.must_stop()) return;
            const State from = reached_[current];
            for (const InferenceGraph::Target& target : graph_.targets(from)) {
                const int length = at(distance_, from) + target.cost;
                if (at(distance_, target.state) == unreached) {
                    reached_.push_back(target.state);
                } else if (at(distance_, target.state) <= length || at(parent_, target.state) == premise_ ||
                           target.state == premise_) {
                    continue;
                }
                at(distance_, target.state) = length;
                at(parent_, target.state) = from;
            }
        }
    }

    // Sets path_ to the states from the premise to the last one; false if it crosses itself.
    bool trace(State last, bool is_loop) {
        path_.clear();
        for (State state = last; state >= 0; state = at(parent_, state)) path_.push_back(state);
        std::reverse(path_.begin(), path_.end());
        const int first_cell = graph_.node(premise_).cell;
        CellSet visited;
        for (std::size_t k = 0; k < path_.size(); ++k) {
            if (visited.has(graph_.node(path_[k]).cell)) return false;
            if (k == 0) continue;
            const Node& previous = graph_.node(path_[k - 1]);
            // A loop may return to its first cell.
            if (previous.cell != first_cell || !is_loop) visited |= previous.cells;
        }
        return true;
    }

    static bool is_same_cell(const Node& one, const Node& other) {
        return one.is_candidate() && other.is_candidate() && one.cell == other.cell;
    }

    void check_loops() {
        const Node& start = graph_.node(premise_);
        for (std::size_t k = 1; k < reached_.size(); ++k) {
            const State last = reached_[k];
            const Node& end = graph_.node(last);
            if (!end.is_candidate() || end.cell != start.cell || at(distance_, last) < min_links) continue;
            if (!trace(last, true)) continue;
            // The first and the last link must leave the cell.
            if (graph_.node(path_[1]).cell == start.cell) continue;
            if (graph_.node(path_[path_.size() - 2]).cell == start.cell) continue;
            check_loop(start, end);
        }
    }

    void check_loop(const Node& start, const Node& end) {
        const bool is_first_strong = !InferenceGraph::is_on(premise_);
        const bool is_last_strong = InferenceGraph::is_on(path_.back());
        step_ = {};
        bool is_continuous = false;
        if (start.digit == end.digit) {
            if (is_last_strong) {  // the candidate is true
                step_.placements = {{start.cell, start.digit}};
                eliminate(start.cell, board_.candidates(start.cell) & ~bit(start.digit));
            } else {
                eliminate(start.cell, bit(start.digit));
            }
        } else if (is_first_strong != is_last_strong) {
            eliminate(start.cell, bit(is_first_strong ? end.digit : start.digit));
        } else {  // both links are strong: a weak one leads directly to the other digits of the cell
            is_continuous = true;
            eliminate_around(start, end);
        }
        report(is_continuous ? Kind::continuous_loop : Kind::discontinuous_loop);
    }

    // What a continuous loop removes.
    void eliminate_around(const Node& start, const Node& end) {
        CellSet own;
        for (const State state : path_) own |= graph_.node(state).cells;
        eliminate(start.cell, board_.candidates(start.cell) & ~bit(start.digit) & ~bit(end.digit));
        for (std::size_t k = 1; k < path_.size(); ++k) {
            if (InferenceGraph::is_on(path_[k])) continue;
            const Node& from = graph_.node(path_[k - 1]);
            const Node& to = graph_.node(path_[k]);
            if (is_same_cell(from, to)) {
                eliminate(to.cell, board_.candidates(to.cell) & ~bit(from.digit) & ~bit(to.digit));
                continue;
            }
            const CellSet both = graph_.cells_with(from, to.digit) | graph_.cells_with(to, to.digit);
            eliminate((graph_.map().common_peers(both) & graph_.map().of(to.digit)) - own, to.digit);
            if (to.set >= 0) eliminate_locked(to, path_[k + 1]);
        }
    }

    // What the digits of a locked set remove that are not part of the loop.
    void eliminate_locked(const Node& node, State next) {
        const AlmostLockedSet& locked = graph_.set(node.set);
        const Node& exit = graph_.node(next);
        const bool is_forced = InferenceGraph::is_on(next);
        // A forced cell is reached by all its other candidates.
        const std::uint64_t exits = is_forced ? board_.candidates(exit.cell) & ~bit(exit.digit) : bit(exit.digit);
        for_each_bit(locked.digits & ~bit(node.digit) & ~exits,
                     [&](int digit) { eliminate(locked.seen[static_cast<std::size_t>(digit)], digit); });
        if (!is_forced) return;
        for_each_bit(exits, [&](int digit) {
            eliminate(locked.seen[static_cast<std::size_t>(digit)] & graph_.map().peers(exit.cell), digit);
        });
    }

    // Chains with different ends: of one digit, or of two in cells that see each other.
    void check_ends() {
        const Node& start = graph_.node(premise_);
        const bool is_simple = scope_ <= ChainScope::xy;
        for (std::size_t k = 1; k < reached_.size(); ++k) {
            const State last = reached_[k];
            const Node& end = graph_.node(last);
            if (!end.is_candidate() || !InferenceGraph::is_on(last) || end.cell == start.cell) continue;
            const int length = at(distance_, last);
            if (length < min_links || (is_simple && length > max_simple_links)) continue;
            step_ = {};
            if (end.digit == start.digit) {
                const CellSet both = graph_.map().peers(start.cell) & graph_.map().peers(end.cell);
                eliminate(both & graph_.map().of(start.digit), start.digit);
                // A single elimination is a nice loop of the cell that loses the candidate.
                if (!is_simple && step_.eliminations.size() < 2) continue;
            } else if (!is_simple) {
                const bool is_crossed = board_.sees(start.cell, end.cell) && board_.has(start.cell, end.digit) &&
                                        board_.has(end.cell, start.digit);
                if (!is_crossed) continue;
                eliminate(start.cell, bit(end.digit));
                eliminate(end.cell, bit(start.digit));
            }
            if (step_.eliminations.empty() || !trace(last, false)) continue;
            report(Kind::chain);
        }
    }

    void eliminate(int cell, std::uint64_t digits) {
        for_each_bit(digits, [&](int digit) { add_once(step_.eliminations, {cell, digit}); });
    }
    void eliminate(const CellSet& cells, int digit) {
        cells.for_each([&](int cell) { add_once(step_.eliminations, {cell, digit}); });
    }

    void report(Kind kind) {
        if (step_.eliminations.empty()) return;
        bool has_groups = false;
        int num_sets = 0;
        for (const State state : path_) {
            has_groups |= graph_.node(state).is_group;
            if (graph_.node(state).set >= 0) ++num_sets;
        }
        const bool has_sets = num_sets > 0;
        if (scope_ == ChainScope::groups && !has_groups) return;
        if (scope_ == ChainScope::sets && !has_groups && !has_sets) return;
        const int length = static_cast<int>(path_.size()) - 1 + 5 * num_sets / 2;
        const auto [known, is_new] = (kind == Kind::chain ? chains_ : loops_).insert({outcome(step_), {}});
        if (!is_new && known->second.step.length <= length) return;
        const Technique first = has_sets                   ? Technique::als_continuous_nice_loop
                                : has_groups               ? Technique::grouped_continuous_nice_loop
                                : scope_ == ChainScope::x  ? Technique::x_chain
                                : scope_ == ChainScope::xy ? Technique::xy_chain
                                                           : Technique::continuous_nice_loop;
        step_.technique =
            scope_ <= ChainScope::xy ? first : static_cast<Technique>(static_cast<int>(first) + static_cast<int>(kind));
        step_.length = length;
        set_pattern();
        known->second = {step_, num_found_++};
    }

    void set_pattern() {
        for (std::size_t k = 0; k < path_.size(); ++k) {
            const Node& node = graph_.node(path_[k]);
            node.cells.for_each([&](int cell) { step_.cells.push_back(cell); });
            std::vector<Candidate>& own = step_.nodes.emplace_back();
            graph_.cells_with(node, node.digit).for_each([&](int cell) { own.push_back({cell, node.digit}); });
            if (node.set >= 0) {
                node.cells.for_each([&](int cell) {
                    for_each_bit(board_.candidates(cell) & ~bit(node.digit),
                                 [&](int digit) { own.push_back({cell, digit}); });
                });
            }
            step_.pattern.insert(step_.pattern.end(), own.begin(), own.end());
            if (k > 0) {
                const Candidate from = exit_of(step_.nodes[k - 1], node.digit);
                step_.links.push_back({from, own.front(), InferenceGraph::is_on(path_[k])});
            }
        }
        remove_repeats(step_);
    }

    // The candidate of a node that a link to this digit starts from: a set passes on any of its locked digits.
    static Candidate exit_of(const std::vector<Candidate>& node, int digit) {
        const auto found = std::find_if(node.begin(), node.end(),
                                        [&](const Candidate& candidate) { return candidate.digit == digit; });
        return found != node.end() ? *found : node.front();
    }

    static int& at(std::vector<int>& by_state, State state) { return by_state[static_cast<std::size_t>(state)]; }

    const TechniqueBoard& board_;
    const ChainScope scope_;
    Control& control_;
    const InferenceGraph graph_;
    State premise_ = 0;
    std::vector<int> distance_;   // by state
    std::vector<State> parent_;   // by state
    std::vector<State> reached_;  // in the order of the search
    std::vector<State> path_;
    Step step_;
    int num_found_ = 0;
    std::map<Outcome, Found> loops_;   // the shortest one of each outcome
    std::map<Outcome, Found> chains_;  // with two ends
};

}  // namespace

bool find_alternating_chains(const TechniqueBoard& board, ChainScope scope, Control& control, const Visitor& visit) {
    return Finder(board, scope, control).find(visit);
}

}  // namespace sudokulab::techniques
