#include "logic/techniques/nested_chains.h"

#include <algorithm>
#include <utility>

#include "logic/techniques/fish.h"
#include "logic/techniques/locked_candidates.h"
#include "logic/techniques/subsets.h"

namespace sudokulab::techniques {
namespace {

int pack(const Candidate& candidate) { return candidate.cell * max_size + candidate.digit; }

std::vector<int> pack_all(const std::vector<Candidate>& candidates) {
    std::vector<int> packed;
    for (const Candidate& candidate : candidates) packed.push_back(pack(candidate));
    std::sort(packed.begin(), packed.end());
    return packed;
}

// Collects the nodes of a chain from its end, and the reasons of its true nodes.
NestedChains::Nodes nodes_of(const std::vector<ChainNode>& path, bool is_cycle, const SimpleChains& simple,
                             const Geometry& geometry, Reasons& reasons) {
    NestedChains::Nodes nodes;
    const auto add = [&](const ChainNode& node, bool is_on) {
        const Candidate& candidate = simple.graph().candidate(node.id);
        nodes.push_back(nested_node(geometry, candidate, is_on));
        if (is_on) reasons.add_link(candidate, node.cause);
    };
    for (auto node = path.rbegin(); node != path.rend(); ++node) {
        if (is_cycle && node + 1 == path.rend()) break;  // the start is the end
        add(*node, node->is_on);
    }
    if (is_cycle) {  // the same in the other direction
        for (std::size_t k = 0; k + 1 < path.size(); ++k) add(path[k], !path[k].is_on);
    }
    return nodes;
}

}  // namespace

bool RemovalFilter::is_useful(const std::vector<Candidate>& removed) const {
    if (std::find(useless_.begin(), useless_.end(), pack_all(removed)) != useless_.end()) return false;
    return std::any_of(removed.begin(), removed.end(), [&](const Candidate& candidate) {
        return std::find(removed_.begin(), removed_.end(), pack(candidate)) == removed_.end();
    });
}

void RemovalFilter::add(const std::vector<Candidate>& removed) {
    for (const Candidate& candidate : removed) removed_.push_back(pack(candidate));
}

void RemovalFilter::add_useless(const std::vector<Candidate>& removed) { useless_.push_back(pack_all(removed)); }

bool report_basic_steps(Reasons& reasons, const TechniqueBoard& current, const ReportRemoval& report,
                        Control& control) {
    bool has_removed = false;
    const auto report_step = [&](const Step& step, const std::vector<Candidate>& own) {
        if (own.empty()) return true;  // the step does not depend on the assumption
        std::vector<Candidate> removed = step.eliminations;
        sort_like_hash_table(removed);
        report(removed, own, -1);
        return has_removed = true;
    };
    const Visitor report_lines = [&](const Step& step) { return report_step(step, reasons.of_lines(step)); };
    const Visitor report_hidden = [&](const Step& step) { return report_step(step, reasons.of_hidden(step)); };
    const Visitor report_naked = [&](const Step& step) { return report_step(step, reasons.of_naked(step)); };
    find_locked_candidates(current, report_lines);
    if (!has_removed) find_hidden_subsets(current, 2, Coverage::explainer, report_hidden);
    if (!has_removed) find_naked_subsets(current, 2, Coverage::explainer, report_naked);
    if (!has_removed) find_fish(current, 2, Coverage::explainer, control, report_lines);
    return has_removed;
}

bool report_simple_chains(SimpleChains& simple, NestedChains& nested, Reasons& reasons, const TechniqueBoard& current,
                          const ReportRemoval& report, Control& control) {
    RemovalFilter filter;
    for (const SimpleChain& chain : simple.find_all(current, control)) {
        std::vector<Candidate> removed = simple.eliminations(chain);
        if (!filter.is_useful(removed)) continue;
        const bool is_cycle = !chain.path.empty();
        reasons.clear();
        NestedChains::Nodes nodes = nodes_of(simple.path(chain), is_cycle, simple, current.geometry(), reasons);
        if (reasons.candidates().empty()) {
            filter.add_useless(removed);
            continue;
        }
        sort_like_hash_table(removed);
        filter.add(removed);
        report(removed, reasons.candidates(), nested.number(std::move(nodes), chain.length));
    }
    return filter.has_removed();
}

}  // namespace sudokulab::techniques
