#include "logic/techniques/implications.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace sudokulab::techniques {

void Implications::collect(int position, std::vector<int>& positions) const {
    const std::size_t first = positions.size();
    std::vector<bool> is_known(nodes.size());
    positions.push_back(position);
    is_known[static_cast<std::size_t>(position)] = true;
    for (std::size_t k = first; k < positions.size(); ++k) {
        for (const std::uint16_t parent : parents_of(node(positions[k]))) {
            if (is_known[parent]) continue;
            is_known[parent] = true;
            positions.push_back(parent);
        }
    }
}

int Implications::size(int position, std::vector<char>& is_reason) const {
    assert(0 <= position && position < static_cast<int>(nodes.size()));
    if (is_tree) return node(position).depth;
    // Parents come before their children, so one sweep backwards finds them all.
    is_reason.assign(static_cast<std::size_t>(position) + 1, 0);
    is_reason.back() = 1;
    int size = 0;
    for (int k = position; k >= 0; --k) {
        if (is_reason[static_cast<std::size_t>(k)] == 0) continue;
        ++size;
        for (const std::uint16_t parent : parents_of(node(k))) is_reason[parent] = 1;
    }
    return size;
}

void Propagator::run(const TechniqueBoard& board, const LinkGraph& graph, int id, bool is_on, Control& control,
                     Implications& result) {
    board_ = &board;
    graph_ = &graph;
    result_ = &result;
    result.nodes.clear();
    result.parents.clear();
    result.where.assign(static_cast<std::size_t>(2 * graph.size()), 0);
    result.clash_on = result.clash_off = -1;
    if (mode_.is_dynamic) {
        if (current_.empty()) {
            current_.push_back(board);
        } else {
            current_[0] = board;
        }
    }
    result.is_tree = !mode_.is_dynamic;
    pending_on_.clear();
    pending_off_.clear();
    next_on_ = next_off_ = 0;
    reasons_.clear();
    register_node(add(id, is_on, Cause::none, -1));
    while (!control.must_stop()) {
        if (next_on_ < pending_on_.size()) {
            const int position = pending_on_[next_on_++];
            if (!(mode_.is_dynamic ? expand_on(position) : expand_static(position))) return;
        } else if (next_off_ < pending_off_.size()) {
            const int position = pending_off_[next_off_++];
            if (!(mode_.is_dynamic ? expand_off(position) : expand_static(position))) return;
        } else if (!further_ || !apply_further_rules()) {
            return;
        }
    }
}

// Adds a node with the reasons in reasons_.
int Propagator::add(int id, bool is_on, Cause cause, int nested) {
    Implications& result = *result_;
    const auto position = result.nodes.size();
    assert(0 <= id && id < graph_->size() && position < std::numeric_limits<std::uint16_t>::max());
    Implications::Node node{static_cast<std::uint16_t>(id),
                            is_on,
                            cause,
                            nested >= 0,
                            static_cast<std::uint16_t>(reasons_.size()),
                            static_cast<std::uint32_t>(result.parents.size()),
                            1,
                            nested};
    result.parents.insert(result.parents.end(), reasons_.begin(), reasons_.end());
    for (const std::uint16_t parent : reasons_) {
        assert(parent < position);
        const Implications::Node& other = result.nodes[parent];
        node.has_nested |= other.has_nested;
        node.depth = std::max(node.depth, other.depth + 1);
    }
    result.nodes.push_back(node);
    return static_cast<int>(position);
}

void Propagator::register_node(int position) {
    const Implications::Node& node = result_->node(position);
    auto& where = result_->where[static_cast<std::size_t>(2 * node.id + (node.is_on ? 1 : 0))];
    assert(where == 0);
    where = static_cast<std::uint16_t>(position + 1);
    (node.is_on ? pending_on_ : pending_off_).push_back(position);
}

// Makes a candidate false; false if it is true as well.
bool Propagator::add_off(int id, int parent) {
    const int clash = result_->find(id, true);
    if (clash < 0 && result_->find(id, false) >= 0) return true;
    reasons_.assign(1, static_cast<std::uint16_t>(parent));
    const int position = add(id, false, Cause::none, -1);
    if (clash < 0) {
        register_node(position);
        return true;
    }
    result_->clash_on = clash;
    result_->clash_off = position;
    return false;
}

// Makes a candidate true, with the reasons in reasons_; false if it is false as well.
bool Propagator::add_on(int id, Cause cause) {
    const int clash = result_->find(id, false);
    if (clash < 0 && result_->find(id, true) >= 0) return true;
    const int position = add(id, true, cause, -1);
    if (clash < 0) {
        register_node(position);
        return true;
    }
    result_->clash_on = position;
    result_->clash_off = clash;
    return false;
}

bool Propagator::expand_static(int position) {
    const Implications::Node node = result_->node(position);
    if (node.is_on) {
        for (const LinkGraph::Target& target : graph_->weak(node.id)) {
            if (!add_off(target.id, position)) return false;
        }
        return true;
    }
    for (const LinkGraph::Target& target : graph_->strong(node.id)) {
        reasons_.assign(1, static_cast<std::uint16_t>(position));
        if (!add_on(target.id, target.cause)) return false;
    }
    return true;
}

bool Propagator::expand_on(int position) {
    const TechniqueBoard& board = current_[0];
    const Geometry& geometry = board.geometry();
    const auto [cell, digit] = graph_->candidate(result_->node(position).id);
    if (mode_.has_cells) {
        for (std::uint64_t others = board.candidates(cell) & ~bit(digit); others != 0; others &= others - 1) {
            if (!add_off(graph_->id(cell, lowest_bit(others)), position)) return false;
        }
    }
    const int box = board.unit(UnitKind::box, cell);
    for (const UnitKind kind : {UnitKind::box, UnitKind::row, UnitKind::column}) {
        const int unit = board.unit(kind, cell);
        std::uint64_t others = board.positions(unit, digit) & ~bit(board.position(kind, cell));
        for (; others != 0; others &= others - 1) {
            const int other = geometry.cell(unit, lowest_bit(others));
            if (kind != UnitKind::box && board.unit(UnitKind::box, other) == box) continue;
            if (!add_off(graph_->id(other, digit), position)) return false;
        }
    }
    return true;
}

bool Propagator::expand_off(int position) {
    conclusions_.clear();
    reasons_.clear();
    if (mode_.has_cells) conclude_in_cell(position);
    conclude_in_units(position);
    const auto [cell, digit] = graph_->candidate(result_->node(position).id);
    current_[0].remove(cell, digit);
    const std::vector<std::uint16_t> all = reasons_;
    for (std::size_t k = 0; k < conclusions_.size(); ++k) {
        const Conclusion& conclusion = conclusions_[k];
        const std::size_t end = k + 1 < conclusions_.size() ? conclusions_[k + 1].first_reason : all.size();
        reasons_.assign(all.begin() + static_cast<std::ptrdiff_t>(conclusion.first_reason),
                        all.begin() + static_cast<std::ptrdiff_t>(end));
        if (!add_on(conclusion.id, conclusion.cause)) return false;
    }
    return true;
}

void Propagator::conclude_in_cell(int position) {
    const TechniqueBoard& board = current_[0];
    const auto [cell, digit] = graph_->candidate(result_->node(position).id);
    const std::uint64_t others = board.candidates(cell) & ~bit(digit);
    if (!has_one_bit(others)) return;
    begin_conclusion(cell, lowest_bit(others), Cause::cell, position);
    add_reasons(cell, board_->candidates(cell) & ~board.candidates(cell));
}

void Propagator::conclude_in_units(int position) {
    const TechniqueBoard& board = current_[0];
    const Geometry& geometry = board.geometry();
    const auto [cell, digit] = graph_->candidate(result_->node(position).id);
    const std::size_t first = conclusions_.size();
    for (const UnitKind kind : {UnitKind::box, UnitKind::row, UnitKind::column}) {
        const int unit = board.unit(kind, cell);
        const std::uint64_t others = board.positions(unit, digit) & ~bit(board.position(kind, cell));
        if (!has_one_bit(others)) continue;
        const int other = geometry.cell(unit, lowest_bit(others));
        bool is_known = false;
        for (std::size_t k = first; k < conclusions_.size(); ++k) {
            is_known |= conclusions_[k].id == graph_->id(other, digit);
        }
        if (is_known) continue;
        begin_conclusion(other, digit, cause_of(kind), position);
        for_each_bit(board_->positions(unit, digit) & ~board.positions(unit, digit),
                     [&, digit = digit](int k) { add_reasons(geometry.cell(unit, k), bit(digit)); });
    }
}

// Starts a conclusion whose first reason is the false candidate at this position.
void Propagator::begin_conclusion(int cell, int digit, Cause cause, int position) {
    conclusions_.push_back({graph_->id(cell, digit), cause, reasons_.size()});
    reasons_.push_back(static_cast<std::uint16_t>(position));
}

// Adds candidates of the cell that were removed before as reasons.
void Propagator::add_reasons(int cell, std::uint64_t digits) {
    for_each_bit(digits, [&](int digit) {
        const int reason = result_->find(graph_->id(cell, digit), false);
        assert(reason >= 0);
        reasons_.push_back(static_cast<std::uint16_t>(reason));
    });
}

bool Propagator::apply_further_rules() {
    bool has_new = false;
    further_(*board_, current_[0],
             [&](std::span<const Candidate> removed, std::span<const Candidate> reasons, int nested) {
                 reasons_.clear();
                 for (const Candidate& reason : reasons) add_reasons(reason.cell, bit(reason.digit));
                 for (const Candidate& candidate : removed) {
                     const int id = graph_->id(candidate.cell, candidate.digit);
                     if (result_->find(id, false) >= 0) continue;
                     register_node(add(id, false, Cause::none, nested));
                     has_new = true;
                 }
             });
    return has_new;
}

}  // namespace sudokulab::techniques
