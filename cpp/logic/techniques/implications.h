// The consequences of an assumption: all candidates that become true or false if one candidate is true or false.
//
// Static: links are those of the board. Dynamic: candidates that have become false are taken off the board, which gives
// rise to new strong links; the conclusion then depends on all candidates removed from the cell or unit. Where links
// end, further rules can remove candidates from that board ("advanced" conclusions). The propagation stops at the first
// candidate that becomes both true and false.
//
// Source: Sudoku Explainer, whose order is followed exactly: true candidates first, then one false candidate at a time,
// then the further rules. A candidate keeps its first reason.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "logic/techniques/links.h"
#include "search/control.h"

namespace sudokulab::techniques {

// The consequences of one assumption, in the order they were found. Candidates are numbers of a `LinkGraph`.
struct Implications {
    struct Node {
        std::uint16_t id;
        bool is_on;
        Cause cause;      // of the link that made the candidate true
        bool has_nested;  // whether a nested chain is among its reasons
        std::uint16_t num_parents;
        std::uint32_t first_parent;
        int depth;   // the number of nodes on the longest path to it, a lower bound of its size
        int nested;  // the number of the nested chain that removed it, or -1
    };

    std::vector<Node> nodes;             // the first is the assumption
    std::vector<std::uint16_t> parents;  // positions in `nodes`
    std::vector<std::uint16_t> where;    // by candidate and state: position in `nodes` + 1, or 0
    bool is_tree = false;                // whether every node has one parent at most
    int clash_on = -1;                   // the nodes of the candidate that is both true and false, or -1
    int clash_off = -1;

    int find(int id, bool is_on) const { return where[static_cast<std::size_t>(2 * id + (is_on ? 1 : 0))] - 1; }
    const Node& node(int position) const { return nodes[static_cast<std::size_t>(position)]; }
    std::span<const std::uint16_t> parents_of(const Node& node) const {
        return std::span(parents).subspan(node.first_parent, node.num_parents);
    }

    // The node and all its reasons, each once, level by level.
    void collect(int position, std::vector<int>& positions) const;
    // The number of nodes that a node depends on, with itself.
    int size(int position, std::vector<char>& scratch) const;
};

// Reports candidates removed by further rules: the candidates, those that had to be removed before, and the number of a
// nested chain or -1.
using ReportRemoval =
    std::function<void(std::span<const Candidate> removed, std::span<const Candidate> reasons, int nested)>;
// Looks for further conclusions on the current board; `source` is the board before the assumption.
using FurtherRules =
    std::function<void(const TechniqueBoard& source, const TechniqueBoard& current, const ReportRemoval& report)>;

class Propagator {
public:
    struct Mode {
        bool is_dynamic;
        bool has_cells;  // whether links within cells are used
    };

    Propagator(Mode mode, FurtherRules further) : mode_(mode), further_(std::move(further)) {}

    // The consequences are incomplete if the control stopped it.
    void run(const TechniqueBoard& board, const LinkGraph& graph, int id, bool is_on, Control& control,
             Implications& result);

private:
    int add(int id, bool is_on, Cause cause, int nested);
    void register_node(int position);
    bool expand_on(int position);
    bool expand_off(int position);
    bool expand_static(int position);
    bool add_off(int id, int parent);
    bool add_on(int id, Cause cause);
    bool apply_further_rules();
    void conclude_in_cell(int position);
    void conclude_in_units(int position);
    void begin_conclusion(int cell, int digit, Cause cause, int position);
    void add_reasons(int cell, std::uint64_t digits);

    const Mode mode_;
    const FurtherRules further_;
    const TechniqueBoard* board_ = nullptr;
    const LinkGraph* graph_ = nullptr;
    Implications* result_ = nullptr;
    std::vector<TechniqueBoard> current_;        // at most one
    std::vector<int> pending_on_, pending_off_;  // positions of nodes
    std::size_t next_on_ = 0, next_off_ = 0;
    std::vector<std::uint16_t> reasons_;  // of the node to be added
    struct Conclusion {
        int id;
        Cause cause;
        std::size_t first_reason;
    };
    std::vector<Conclusion> conclusions_;  // of one false candidate, with their reasons one after the other
};

}  // namespace sudokulab::techniques
