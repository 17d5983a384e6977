#include "logic/techniques/simple_chains.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace sudokulab::techniques {
namespace {

bool is_easier(const SimpleChain& one, const SimpleChain& other) {
    return std::tie(one.difficulty, one.length, one.preference, one.order) <
           std::tie(other.difficulty, other.length, other.preference, other.order);
}

int preference_of(const LinkChoice& links) { return links.has_cells && links.has_units ? 4 : links.has_cells ? 3 : 2; }

Technique cycle_of(const LinkChoice& links) {
    if (!links.has_cells) return Technique::x_cycle;
    return links.has_units ? Technique::xy_cycle : Technique::y_cycle;
}

bool has_single(const LinkGraph& graph, const TechniqueBoard& board) {
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (graph.first_id(cell + 1) - graph.first_id(cell) == 1) return true;
    }
    return false;
}

constexpr int unlimited = std::numeric_limits<int>::max();
// Of two chains that are equal otherwise, the one of the earlier pass comes first, then that of the earlier start.
constexpr int orders_per_start = 1 << 12;
constexpr int orders_per_pass = 1 << 26;

}  // namespace

double chain_length_difficulty(int length) {
    double added = 0;
    int limit = 4;
    for (bool is_odd = false; length - 2 > limit; is_odd = !is_odd) {
        added += 0.1;
        limit = is_odd ? limit * 4 / 3 : limit * 3 / 2;
    }
    return added;
}

double chain_difficulty(Technique technique, int length) {
    const bool is_general = technique == Technique::forcing_chain || technique == Technique::xy_cycle;
    return (is_general ? 7.0 : technique == Technique::forcing_x_chain ? 6.6 : 6.5) + chain_length_difficulty(length);
}

std::optional<Step> SimpleChains::find_easiest(const TechniqueBoard& board, Control& control) {
    search(board, false, control);
    if (found_.empty()) return std::nullopt;
    return step_of(found_[0]);
}

void SimpleChains::visit_all(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    for (const SimpleChain& chain : find_all(board, control)) {
        if (control.must_stop() || !visit(step_of(chain))) return;
    }
}

Step SimpleChains::step_of(const SimpleChain& chain) {
    Step step;
    step.technique = chain.technique;
    step.length = chain.length;
    const std::vector<ChainNode> nodes = path(chain);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const Candidate& own = graph_.candidate(nodes[k].id);
        step.cells.push_back(own.cell);
        step.pattern.push_back(own);
        if (k > 0) step.links.push_back({graph_.candidate(nodes[k - 1].id), own, nodes[k].is_on});
    }
    remove_repeats(step);
    if (chain.is_on) step.placements = {graph_.candidate(chain.start)};
    step.eliminations = eliminations(chain);
    return step;
}

const std::vector<SimpleChain>& SimpleChains::find_all(const TechniqueBoard& board, Control& control) {
    search(board, true, control);
    std::sort(found_.begin(), found_.end(), is_easier);
    return found_;
}

void SimpleChains::search(const TechniqueBoard& board, bool is_complete, Control& control) {
    control_ = &control;
    board_ = &board;
    is_complete_ = is_complete;
    found_.clear();
    graph_.build(board);
    reached_.resize(static_cast<std::size_t>(graph_.size()));
    search_graph();
    if (control.must_stop()) found_.clear();
}

void SimpleChains::search_graph() {
    constexpr LinkChoice x{false, true};
    constexpr LinkChoice y{true, false};
    constexpr LinkChoice both{true, true};
    // A candidate that a cycle removes is the start of a forcing chain, through the cycle and back, which is longer by
    // two at most. So without forcing chains there are no cycles, and without general chains nothing at all.
    const bool needs_all = is_complete_ || has_single(graph_, *board_);  // chains do not start in singles
    if (!contradictions_.search(graph_, both, unlimited, needs_all, *control_)) return;
    graph_.build_weak_links(*board_);
    if (x_contradictions_.search(graph_, x, unlimited, needs_all, *control_)) {
        offer_forcing_chains(x_contradictions_, x, 0);
        search_cycles(x, 0, x_contradictions_.nearest());
    }
    search_cycles(y, 1, contradictions_.nearest());
    offer_forcing_chains(contradictions_, both, 2);
    search_cycles(both, 2, contradictions_.nearest());
}

// The length up to which a chain can be easier than the one found, or at least be preferred because of its order.
int SimpleChains::max_length(Technique technique, int preference) {
    if (is_complete_ || found_.empty()) return unlimited;
    const SimpleChain& best = found_[0];
    int length = 2;
    while (true) {
        const double difficulty = chain_difficulty(technique, length + 2);
        const int next = length + 2;
        if (std::tie(difficulty, next, preference) > std::tie(best.difficulty, best.length, best.preference)) {
            return length;
        }
        length = next;
    }
}

void SimpleChains::offer(SimpleChain chain) {
    if (is_complete_ || found_.empty()) {
        found_.push_back(std::move(chain));
    } else if (is_easier(chain, found_[0])) {
        found_[0] = std::move(chain);
    }
}

void SimpleChains::offer_forcing_chains(const Contradictions& contradictions, const LinkChoice& links, int pass) {
    const Technique technique = links.has_cells ? Technique::forcing_chain : Technique::forcing_x_chain;
    const int preference = preference_of(links);
    for (int start = 0; start < graph_.size(); ++start) {
        if (board_->num_candidates(graph_.candidate(start).cell) < 2) continue;
        for (const bool is_on : {false, true}) {  // the outcome
            const int length = 2 * contradictions.depth(start, !is_on);
            if (length == 0) continue;
            const int order = pass * orders_per_pass + (start + 1) * orders_per_start - (is_on ? 1 : 2);
            offer({.technique = technique,
                   .difficulty = chain_difficulty(technique, length),
                   .length = length,
                   .preference = preference,
                   .order = order,
                   .start = start,
                   .is_on = is_on});
        }
    }
}

std::vector<ChainNode> SimpleChains::forcing_path(int start, bool is_on, const LinkChoice& links) {
    struct Visit {
        ChainNode node;
        int parent;
    };
    is_on_.reset(graph_.size());
    is_off_.reset(graph_.size());
    std::vector<Visit> visits{{{start, is_on, Cause::none}, -1}};
    (is_on ? is_on_ : is_off_).add(start);
    for (std::size_t current = 0; current < visits.size(); ++current) {
        const ChainNode from = visits[current].node;
        CandidateSet& seen = from.is_on ? is_off_ : is_on_;
        for (const LinkGraph::Target& to : from.is_on ? links.weak(graph_, from.id) : links.strong(graph_, from.id)) {
            const Visit visit{{to.id, !from.is_on, to.cause}, static_cast<int>(current)};
            if (to.id == start && visit.node.is_on != is_on) {
                std::vector<ChainNode> path{visit.node};
                for (int k = visit.parent; k >= 0; k = visits[static_cast<std::size_t>(k)].parent) {
                    path.push_back(visits[static_cast<std::size_t>(k)].node);
                }
                std::reverse(path.begin(), path.end());
                return path;
            }
            if (seen.has(to.id)) continue;
            seen.add(to.id);
            visits.push_back(visit);
        }
    }
    return {};
}

void SimpleChains::search_cycles(const LinkChoice& links, int pass, int nearest) {
    const int shortest = std::max(4, 2 * nearest - 2);
    for (int start = 0; start < graph_.size(); ++start) {
        const int count = board_->num_candidates(graph_.candidate(start).cell);
        if (count < 2 || (!links.has_units && count > 2)) continue;
        if (links.strong(graph_, start).empty()) continue;  // nothing closes the cycle
        search_cycles_from(start, links, pass, shortest);
    }
}

void SimpleChains::search_cycles_from(int start, const LinkChoice& links, int pass, int shortest) {
    const int limit = max_length(cycle_of(links), preference_of(links));
    if (limit < shortest) return;
    is_on_.reset(graph_.size());
    is_off_.reset(graph_.size());
    is_closing_.reset(graph_.size());
    for (const LinkGraph::Target& target : links.strong(graph_, start)) is_closing_.add(target.id);
    is_on_.add(start);
    frontier_.assign(1, start);
    int order = pass * orders_per_pass + start * orders_per_start;
    for (int length = 2; length <= limit && !frontier_.empty(); length += 2) {
        next_.clear();
        const bool can_close = length >= shortest;
        const bool is_last = length + 2 > limit;
        for (const int id : frontier_) {
            if (control_->must_stop()) return;
            if (!leads_on(id, links, can_close, is_last)) continue;
            for (const LinkGraph::Target& to_off : links.weak(graph_, id)) {
                const bool is_first = !is_last && !is_off_.has(to_off.id);
                const bool is_closing = can_close && is_closing_.has(to_off.id);
                if ((!is_first && !is_closing) || is_on_path(start, id, to_off.id)) continue;
                is_off_.add(to_off.id);
                for (const LinkGraph::Target& to_on : links.strong(graph_, to_off.id)) {
                    if (to_on.id == start) {
                        if (is_closing) close_cycle(start, id, to_off, to_on, links, length, order++);
                    } else if (is_first && !is_on_.has(to_on.id)) {
                        is_on_.add(to_on.id);
                        reached_[to_on.id] = {id, to_off, to_on.cause};
                        next_.push_back(to_on.id);
                    }
                }
            }
        }
        std::swap(frontier_, next_);
    }
}

// Whether a candidate is false on the path from the start to a true candidate.
bool SimpleChains::is_on_path(int start, int id, int off) const {
    for (; id != start; id = reached_[static_cast<std::size_t>(id)].previous) {
        if (reached_[static_cast<std::size_t>(id)].to_off.id == off) return true;
    }
    return false;
}

// Whether a true candidate makes another one false for the first time, or one that closes the cycle.
bool SimpleChains::leads_on(int id, const LinkChoice& links, bool can_close, bool is_last) const {
    const std::uint64_t* next = links.has_cells ? graph_.neighbours(id) : graph_.peers(id);
    const std::vector<std::uint64_t>& off = is_off_.words();
    const std::vector<std::uint64_t>& closing = is_closing_.words();
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < off.size(); ++word) {
        any |= next[word] & ((is_last ? 0 : ~off[word]) | (can_close ? closing[word] : 0));
    }
    return any != 0;
}

void SimpleChains::close_cycle(int start, int last, const LinkGraph::Target& to_off, const LinkGraph::Target& to_on,
                               const LinkChoice& links, int length, int order) {
    const Technique technique = cycle_of(links);
    SimpleChain chain{.technique = technique,
                      .difficulty = chain_difficulty(technique, length),
                      .length = length,
                      .preference = preference_of(links),
                      .order = order,
                      .start = start};
    if (!is_complete_ && !found_.empty() && !is_easier(chain, found_[0])) return;
    chain.path.push_back({start, true, to_on.cause});
    chain.path.push_back({to_off.id, false, to_off.cause});
    for (int id = last; id != start;) {
        const Reached& step = reached_[static_cast<std::size_t>(id)];
        chain.path.push_back({id, true, step.cause});
        chain.path.push_back({step.to_off.id, false, step.to_off.cause});
        id = step.previous;
    }
    chain.path.push_back({start, true, Cause::none});
    std::reverse(chain.path.begin(), chain.path.end());
    if (has_eliminations(chain.path)) offer(std::move(chain));
}

// Collects the removed candidates in seen_by_on_.
bool SimpleChains::has_eliminations(const std::vector<ChainNode>& path) {
    const auto num_words = static_cast<std::size_t>(graph_.num_words());
    seen_by_on_.assign(num_words, 0);
    seen_by_off_.assign(num_words, 0);
    for (std::size_t k = 1; k < path.size(); ++k) {
        std::vector<std::uint64_t>& seen = path[k].is_on ? seen_by_on_ : seen_by_off_;
        const std::uint64_t* row = graph_.peers(path[k].id);
        for (std::size_t word = 0; word < num_words; ++word) seen[word] |= row[word];
    }
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < num_words; ++word) any |= seen_by_on_[word] &= seen_by_off_[word];
    if (any == 0) return false;
    for (const ChainNode& node : path) {
        const int cell = graph_.candidate(node.id).cell;
        for (int id = graph_.first_id(cell); id < graph_.first_id(cell + 1); ++id) {
            seen_by_on_[static_cast<std::size_t>(id) >> 6] &= ~bit(id & 63);
        }
    }
    return std::any_of(seen_by_on_.begin(), seen_by_on_.end(), [](std::uint64_t word) { return word != 0; });
}

std::vector<ChainNode> SimpleChains::path(const SimpleChain& chain) {
    if (!chain.path.empty()) return chain.path;
    const LinkChoice links{chain.technique == Technique::forcing_chain, true};
    return forcing_path(chain.start, !chain.is_on, links);
}

std::vector<Candidate> SimpleChains::eliminations(const SimpleChain& chain) {
    std::vector<Candidate> removed;
    const Candidate& own = graph_.candidate(chain.start);
    if (chain.path.empty()) {
        if (!chain.is_on) return {own};
        for_each_bit(board_->candidates(own.cell) & ~bit(own.digit),
                     [&](int digit) { removed.push_back({own.cell, digit}); });
        return removed;
    }
    has_eliminations(chain.path);
    for (auto node = chain.path.rbegin(); node + 1 != chain.path.rend(); ++node) {
        if (!node->is_on) continue;
        const std::uint64_t* row = graph_.peers(node->id);
        for (std::size_t word = 0; word < seen_by_on_.size(); ++word) {
            for_each_bit(row[word] & seen_by_on_[word],
                         [&](int k) { removed.push_back(graph_.candidate(static_cast<int>(word) * 64 + k)); });
            seen_by_on_[word] &= ~row[word];
        }
    }
    return removed;
}

}  // namespace sudokulab::techniques
