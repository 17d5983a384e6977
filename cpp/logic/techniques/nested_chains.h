// What nested forcing chains add to the propagation of an assumption (see forcing_chains.h): steps on the board that
// the assumption has left, each with the candidates whose removal it depends on.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "logic/techniques/implications.h"
#include "logic/techniques/reasons.h"
#include "logic/techniques/simple_chains.h"

namespace sudokulab::techniques {

// The nested chains of a search, each counted once even if it is found several times.
class NestedChains {
public:
    using Nodes = std::vector<std::uint16_t>;

    void clear() {
        numbers_.clear();
        lengths_.clear();
    }
    // Chains are equal if they contain the same nodes in the same order.
    int number(Nodes nodes, int length) {
        const auto [entry, is_new] = numbers_.try_emplace(std::move(nodes), static_cast<int>(lengths_.size()));
        if (is_new) lengths_.push_back(length);
        return entry->second;
    }
    int length(int number) const { return lengths_[static_cast<std::size_t>(number)]; }

private:
    std::map<Nodes, int> numbers_;
    std::vector<int> lengths_;
};

// A candidate that is true (on) or false, as a node of a nested chain.
inline std::uint16_t nested_node(const Geometry& geometry, const Candidate& candidate, bool is_on) {
    return static_cast<std::uint16_t>(2 * (candidate.cell * geometry.size() + candidate.digit) + (is_on ? 1 : 0));
}
inline constexpr std::uint16_t end_of_branch = std::numeric_limits<std::uint16_t>::max();  // no node

// Decides which of many chains are worth a report: those that remove something new.
class RemovalFilter {
public:
    bool is_useful(const std::vector<Candidate>& removed) const;
    void add(const std::vector<Candidate>& removed);
    // Chains with these eliminations do not depend on the assumption.
    void add_useless(const std::vector<Candidate>& removed);
    bool has_removed() const { return !removed_.empty(); }

private:
    std::vector<int> removed_;
    std::vector<std::vector<int>> useless_;
};

// Both report the steps that depend on the assumption, and return whether there are any.

// The first of the locked candidates, hidden pairs, naked pairs and X-wings.
bool report_basic_steps(Reasons& reasons, const TechniqueBoard& current, const ReportRemoval& report, Control& control);
// All simple chains and cycles.
bool report_simple_chains(SimpleChains& simple, NestedChains& nested, Reasons& reasons, const TechniqueBoard& current,
                          const ReportRemoval& report, Control& control);

}  // namespace sudokulab::techniques
