#include "logic/techniques/inference_graph.h"

#include <algorithm>

namespace sudokulab::techniques {
namespace {

// What a link out of a set adds to the length of a chain.
int set_penalty(const AlmostLockedSet& set) { return 2 * (num_bits(set.digits) - 1); }

}  // namespace

InferenceGraph::InferenceGraph(const TechniqueBoard& board, ChainScope scope, Control& control)
    : board_(board), map_(board), control_(control) {
    const Geometry& geometry = board.geometry();
    ids_.assign(static_cast<std::size_t>(geometry.num_cells() * geometry.size()), -1);
    groups_.resize(static_cast<std::size_t>(geometry.size()));
    set_nodes_.resize(static_cast<std::size_t>(geometry.size()));
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        if (scope == ChainScope::xy && board.num_candidates(cell) != 2) continue;
        for_each_bit(board.candidates(cell), [&](int digit) {
            Node node{cell, digit, {}};
            node.cells.add(cell);
            ids_[static_cast<std::size_t>(cell * geometry.size() + digit)] = add_node(node);
        });
    }
    num_candidates_ = static_cast<int>(nodes_.size());
    link_candidates(scope);
    if (scope < ChainScope::groups) return;
    add_groups();
    link_groups();
    if (scope < ChainScope::sets) return;
    add_sets();
    link_sets();
}

CellSet InferenceGraph::cells_with(const Node& node, int digit) const {
    return node.set < 0 ? node.cells : set(node.set).with[static_cast<std::size_t>(digit)];
}

int InferenceGraph::add_node(const Node& node) {
    nodes_.push_back(node);
    targets_.resize(2 * nodes_.size());
    return static_cast<int>(nodes_.size()) - 1;
}

void InferenceGraph::link(int from, bool from_on, int to, bool to_on, int cost) {
    std::vector<Target>& targets = targets_[static_cast<std::size_t>(state(from, from_on))];
    const State target = state(to, to_on);
    // Two units may link the same nodes; links of sets are never repeated.
    const bool is_known =
        num_without_sets_ == 0 &&
        std::any_of(targets.begin(), targets.end(), [&](const Target& known) { return known.state == target; });
    if (!is_known) targets.push_back({target, cost});
}

void InferenceGraph::link_candidates(ChainScope scope) {
    const Geometry& geometry = board_.geometry();
    for (int own = 0; own < num_candidates_ && !control_.must_stop(); ++own) {
        const auto [cell, digit] =
            Candidate{nodes_[static_cast<std::size_t>(own)].cell, nodes_[static_cast<std::size_t>(own)].digit};
        const std::uint64_t others = board_.candidates(cell) & ~bit(digit);
        if (scope != ChainScope::x) {
            if (scope != ChainScope::xy)
                for_each_bit(others, [&, cell = cell](int other) { link(own, true, id(cell, other), false); });
            if (has_one_bit(others)) link(own, false, id(cell, lowest_bit(others)), true);
        }
        for (const UnitKind kind : {UnitKind::row, UnitKind::column, UnitKind::box}) {
            const int unit = board_.unit(kind, cell);
            const std::uint64_t positions = board_.positions(unit, digit) & ~bit(board_.position(kind, cell));
            for_each_bit(positions, [&, digit = digit](int position) {
                const int peer = id(geometry.cell(unit, position), digit);
                if (peer >= 0) link(own, true, peer, false);
            });
            if (scope != ChainScope::xy && has_one_bit(positions)) {
                link(own, false, id(geometry.cell(unit, lowest_bit(positions)), digit), true);
            }
        }
    }
}

void InferenceGraph::add_groups() {
    const Geometry& geometry = board_.geometry();
    for (int line = 0; line < 2 * geometry.size(); ++line) {
        for (int digit = 0; digit < geometry.size(); ++digit) {
            for (int box = 2 * geometry.size(); box < geometry.num_units(); ++box) {
                const CellSet cells = map_.unit(line) & map_.unit(box) & map_.of(digit);
                if (cells.size() < 2) continue;
                Node node{cells.first(), digit, cells};
                node.is_group = true;
                groups_[static_cast<std::size_t>(digit)].push_back(add_node(node));
            }
        }
    }
}

void InferenceGraph::link_groups() {
    const int num_nodes = static_cast<int>(nodes_.size());
    for (int own = num_candidates_; own < num_nodes && !control_.must_stop(); ++own) {
        const Node& group = nodes_[static_cast<std::size_t>(own)];
        (map_.common_peers(group.cells) & map_.of(group.digit)).for_each([&](int cell) {
            link(own, true, id(cell, group.digit), false);
            link(id(cell, group.digit), true, own, false);
        });
        // The box and the line of the group, as far as they hold the digit elsewhere.
        for (const UnitKind kind : {UnitKind::box, UnitKind::row, UnitKind::column}) {
            const CellSet& unit = map_.unit(board_.unit(kind, group.cell));
            if (!group.cells.is_within(unit)) continue;
            const CellSet rest = (unit & map_.of(group.digit)) - group.cells;
            if (rest.size() == 1) {
                link(own, false, id(rest.first(), group.digit), true);
                link(id(rest.first(), group.digit), false, own, true);
            }
        }
        for (const int other : groups_[static_cast<std::size_t>(group.digit)]) {
            const Node& mate = nodes_[static_cast<std::size_t>(other)];
            if (mate.cells.meets(group.cells)) continue;
            for (const UnitKind kind : {UnitKind::row, UnitKind::column, UnitKind::box}) {
                const CellSet& unit = map_.unit(board_.unit(kind, group.cell));
                if (!group.cells.is_within(unit) || !mate.cells.is_within(unit)) continue;
                link(own, true, other, false);
                if (((unit & map_.of(group.digit)) - group.cells - mate.cells).is_empty())
                    link(own, false, other, true);
            }
        }
    }
}

void InferenceGraph::add_sets() {
    num_without_sets_ = static_cast<int>(nodes_.size());
    sets_ = almost_locked_sets(board_, map_, 2, control_);
    for (int number = 0; number < static_cast<int>(sets_.size()); ++number) {
        for_each_bit(set(number).digits, [&](int digit) {
            Node node{set(number).with[static_cast<std::size_t>(digit)].first(), digit, set(number).cells};
            node.set = number;
            set_nodes_[static_cast<std::size_t>(digit)].push_back(add_node(node));
        });
    }
}

void InferenceGraph::link_sets() {
    const int num_nodes = static_cast<int>(nodes_.size());
    for (int own = num_without_sets_; own < num_nodes && !control_.must_stop(); ++own) link_set(own);
}

void InferenceGraph::link_set(int own) {
    const Node& node = nodes_[static_cast<std::size_t>(own)];
    const AlmostLockedSet& locked = set(node.set);
    const int cost = 1 + set_penalty(locked);
    const CellSet& entries = locked.seen[static_cast<std::size_t>(node.digit)];
    entries.for_each([&](int cell) { link(id(cell, node.digit), true, own, false); });
    for (const int group : groups_[static_cast<std::size_t>(node.digit)]) {
        if (nodes_[static_cast<std::size_t>(group)].cells.is_within(entries)) link(group, true, own, false);
    }

    const std::uint64_t digits = locked.digits & ~bit(node.digit);
    const auto seen = [&](int digit) -> const CellSet& { return locked.seen[static_cast<std::size_t>(digit)]; };
    CellSet touched;
    for_each_bit(digits, [&](int digit) {
        touched |= seen(digit);
        seen(digit).for_each([&](int cell) { link(own, false, id(cell, digit), false, cost); });
        for (const int group : groups_[static_cast<std::size_t>(digit)]) {
            const Node& exit = nodes_[static_cast<std::size_t>(group)];
            if (exit.cells.is_within(seen(digit))) link(own, false, group, false, cost);
        }
    });
    for_each_bit(digits, [&](int digit) {
        for (const int other : set_nodes_[static_cast<std::size_t>(digit)]) {
            const Node& exit = nodes_[static_cast<std::size_t>(other)];
            if (!seen(digit).has(exit.cell) || exit.cells.meets(node.cells)) continue;
            if (set(exit.set).with[static_cast<std::size_t>(digit)].is_within(seen(digit))) {
                link(own, false, other, false, cost);
            }
        }
    });
    touched.for_each([&](int cell) {
        std::uint64_t left = board_.candidates(cell);
        if (num_bits(left) == 2) return;  // reached by the links of the cell
        for_each_bit(left & digits, [&](int digit) {
            if (seen(digit).has(cell)) left &= ~bit(digit);
        });
        if (has_one_bit(left)) link(own, false, id(cell, lowest_bit(left)), true, cost + 1);
    });
}

}  // namespace sudokulab::techniques
