// Simple chains and cycles: alternating links from a candidate back to itself.
//
// - A cycle starts with a true candidate, alternates weak and strong links, and returns to the same true candidate.
//   Then every weak link of the cycle is also strong, and candidates outside its cells that see both ends of one are
//   removed.
// - A forcing chain leads from a true candidate to the same candidate being false, which removes it, or from a false
//   candidate to the same candidate being true, which proves it and removes all others in its cell.
//
// X-cycles and X-chains use the positions of one digit only. Y-cycles use only cells with two candidates for their
// strong links. Both are special cases of general cycles and chains, but shorter to explain. Their length is the number
// of different true and false candidates they contain.
//
// Source: Sudoku Explainer ("forcing chains and cycles"), whose search is followed exactly, because a chain depends on
// the order in which links are tried. It is a breadth-first search from every candidate in turn. A candidate becomes
// true once, but may become false several times on the way to closing a cycle, if not twice on one path.
#pragma once

#include <optional>

#include "logic/techniques/contradictions.h"
#include "logic/techniques/links.h"
#include "logic/techniques/step.h"

namespace sudokulab::techniques {

// How hard a simple chain or cycle is on the scale of Sudoku Explainer, which decides between several.
double chain_difficulty(Technique technique, int length);
// The part that depends on the length. Chains are harder by a tenth for each of these limits they exceed: 4, 6, 8, 12,
// 16, 24, 32 ... Added up in floating point, like the base, because the rounding decides between chains of the same
// difficulty.
double chain_length_difficulty(int length);

// One step of a chain: a candidate that becomes true (on) or false, and the kind of link that leads there.
struct ChainNode {
    int id;
    bool is_on;
    Cause cause;
};

struct SimpleChain {
    Technique technique{};
    double difficulty = 0;
    int length = 0;
    int preference = 0;  // the lower comes first if difficulty and length are equal
    int order = 0;       // the lower comes first if everything else is equal
    int start = 0;       // the number of the candidate
    bool is_on = false;  // for forcing chains: the candidate that starts and ends the chain is true in the end
    std::vector<ChainNode> path{};  // for cycles: from the start to the start
};

class SimpleChains {
public:
    // None if there is no chain, or if the control stopped the search.
    std::optional<Step> find_easiest(const TechniqueBoard& board, Control& control);
    // The easiest first, until the visitor or the control stops it; none if the control stopped the search.
    void visit_all(const TechniqueBoard& board, Control& control, const Visitor& visit);
    // All chains, the easiest first; none if the control stopped the search.
    const std::vector<SimpleChain>& find_all(const TechniqueBoard& board, Control& control);

    // The following refer to the board of the last search.
    const LinkGraph& graph() const { return graph_; }
    // From the start to the end of a chain. The first node has no cause.
    std::vector<ChainNode> path(const SimpleChain& chain);
    // In the order in which Sudoku Explainer collects them.
    std::vector<Candidate> eliminations(const SimpleChain& chain);

private:
    Step step_of(const SimpleChain& chain);
    void search(const TechniqueBoard& board, bool is_complete, Control& control);
    void search_graph();
    void offer_forcing_chains(const Contradictions& contradictions, const LinkChoice& links, int pass);
    void search_cycles(const LinkChoice& links, int pass, int nearest);
    void search_cycles_from(int start, const LinkChoice& links, int pass, int shortest);
    bool is_on_path(int start, int id, int off) const;
    bool leads_on(int id, const LinkChoice& links, bool can_close, bool is_last) const;
    void close_cycle(int start, int last, const LinkGraph::Target& to_off, const LinkGraph::Target& to_on,
                     const LinkChoice& links, int length, int order);
    bool has_eliminations(const std::vector<ChainNode>& path);
    std::vector<ChainNode> forcing_path(int start, bool is_on, const LinkChoice& links);
    void offer(SimpleChain chain);
    int max_length(Technique technique, int preference);

    Control* control_ = nullptr;
    const TechniqueBoard* board_ = nullptr;
    LinkGraph graph_;
    bool is_complete_ = false;
    std::vector<SimpleChain> found_;

    // Scratch space of the searches; numbers of candidates throughout.
    struct Reached {
        int previous;              // the candidate that was true before
        LinkGraph::Target to_off;  // the candidate that it made false
        Cause cause;               // of the strong link from there
    };
    std::vector<Reached> reached_;  // by true candidate
    CandidateSet is_on_, is_off_, is_closing_;
    Contradictions x_contradictions_, contradictions_;
    std::vector<int> frontier_, next_;
    std::vector<std::uint64_t> seen_by_on_, seen_by_off_;
};

}  // namespace sudokulab::techniques
