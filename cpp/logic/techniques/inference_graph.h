// The inferences between candidates, groups and almost locked sets: the links of alternating chains.
//
// A node is a candidate, a group (all candidates of a digit where a line meets a box, at least two), or an almost
// locked set together with the digit that leaves it. A node is true or false; a group is true if one of its candidates
// is, and a set is only ever false: its digit has left, and the other digits are locked in it.
//
// - Weak links lead from a true node to false ones: other digits of the cell, and nodes of the same digit that see the
//   whole node. A set becomes false through a candidate or group that sees all its cells with the digit.
// - Strong links lead from a false node to a true one: the only other digit of the cell, or the only other candidate or
//   group of the digit in a unit.
// - A false set makes candidates and groups false that see all its cells with one of the locked digits, and other,
//   disjoint sets if all their cells with the digit are among these; a cell left with one candidate becomes true.
//
// Order of links (HoDoKu): cell, row, column, box; then groups; then sets. A link out of a set counts as several,
// because locked sets are harder to see than single links.
#pragma once

#include <cstdint>
#include <span>

#include "logic/techniques/almost_locked_sets.h"

namespace sudokulab::techniques {

// The nodes and links of a graph: one digit per chain, cells with two candidates only, all candidates, also groups,
// also almost locked sets.
enum class ChainScope : std::uint8_t { x, xy, candidates, groups, sets };

class InferenceGraph {
public:
    struct Node {
        int cell;       // the first one; of a set: with the digit
        int digit;      // of a set: the one that leaves
        CellSet cells;  // of a set: all of them
        int set = -1;   // the number of the almost locked set

        bool is_candidate() const { return set < 0 && !is_group; }
        bool is_group = false;
    };
    // A node that is true (on) or false, as one number.
    using State = int;
    struct Target {
        State state;
        int cost;
    };

    // Incomplete if the control stopped it.
    InferenceGraph(const TechniqueBoard& board, ChainScope scope, Control& control);

    static State state(int node, bool is_on) { return 2 * node + (is_on ? 1 : 0); }
    static bool is_on(State state) { return state % 2 != 0; }
    const Node& node(State state) const { return nodes_[static_cast<std::size_t>(state / 2)]; }
    int num_states() const { return 2 * static_cast<int>(nodes_.size()); }
    // Candidates are numbered by cell, then digit, and come before all other nodes.
    int num_candidates() const { return num_candidates_; }
    std::span<const Target> targets(State state) const { return targets_[static_cast<std::size_t>(state)]; }

    const CellMap& map() const { return map_; }
    const AlmostLockedSet& set(int number) const { return sets_[static_cast<std::size_t>(number)]; }
    // The cells of a node that have the digit.
    CellSet cells_with(const Node& node, int digit) const;

private:
    int add_node(const Node& node);
    int id(int cell, int digit) const {
        return ids_[static_cast<std::size_t>(cell * board_.geometry().size() + digit)];
    }
    void link(int from, bool from_on, int to, bool to_on, int cost = 1);
    void link_candidates(ChainScope scope);
    void add_groups();
    void link_groups();
    void add_sets();
    void link_sets();
    void link_set(int node);

    const TechniqueBoard& board_;
    const CellMap map_;
    Control& control_;
    int num_candidates_ = 0;
    int num_without_sets_ = 0;  // nodes; 0 until all links without sets are made
    std::vector<AlmostLockedSet> sets_;
    std::vector<Node> nodes_;
    std::vector<int> ids_;                      // by cell and digit
    std::vector<std::vector<int>> groups_;      // by digit: the nodes
    std::vector<std::vector<int>> set_nodes_;   // by digit
    std::vector<std::vector<Target>> targets_;  // by state
};

}  // namespace sudokulab::techniques
