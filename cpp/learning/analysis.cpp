#include "learning/analysis.h"

#include <algorithm>
#include <cassert>

namespace sudokulab::learning {
namespace {

constexpr int max_depth = 500;                  // of the recursion that looks for implied literals
constexpr std::uint32_t in_clause = 1u << 20;   // marks a placement that is in the clause: beyond any count
constexpr std::uint32_t worth_a_placement = 2;  // a placement must cross out this many literals to replace them

}  // namespace

Analysis::Analysis(const Network& network, Clauses& clauses)
    : network_(network),
      clauses_(clauses),
      marks_(network.num_variables(), Mark::none),
      level_seen_(network.num_variables() + 2),
      num_covered_(network.num_variables()) {}

const Lesson& Analysis::learn() {
    assert(network_.level() > 0 && marked_.empty() && covers_.empty());
    collect();
    count_levels();
    drop_implied();
    drop_peers_of_first();
    cover_by_placements();
    lesson_.num_levels = count_levels();
    put_second_in_place();
    assert(is_asserting());
    for (const Variable variable : marked_) marks_[variable] = Mark::none;
    marked_.clear();
    return lesson_;
}

// Whether all literals of the lesson are false, and only the first one is of the current level.
bool Analysis::is_asserting() const {
    const auto& literals = lesson_.literals;
    const auto is_earlier = [&](Literal literal) { return network_.level_of(variable_of(literal)) <= lesson_.level; };
    return network_.level_of(variable_of(literals[0])) == network_.level() && lesson_.level < network_.level() &&
           std::all_of(
               literals.begin(), literals.end(), [&](Literal literal) { return network_.is_false(literal); }) &&
           std::all_of(literals.begin() + 1, literals.end(), is_earlier);
}

void Analysis::collect() {
    lesson_.literals.assign(1, 0);
    lesson_.involved.clear();
    int num_open_paths = 0;
    const auto visit = [&](Variable variable) {
        if (marks_[variable] != Mark::none || network_.level_of(variable) == 0) return;
        mark(variable, Mark::in_clause);
        lesson_.involved.push_back(variable);
        if (network_.level_of(variable) == network_.level()) {
            ++num_open_paths;
        } else {
            lesson_.literals.push_back(network_.false_literal(variable));
        }
    };
    visit_conflict(visit);
    for (auto step = network_.trail().rbegin();; ++step) {
        assert(step != network_.trail().rend() && num_open_paths > 0);
        const Variable variable = variable_of(*step);
        if (marks_[variable] == Mark::none) continue;
        if (--num_open_paths == 0) {
            lesson_.literals[0] = *step ^ 1;
            return;
        }
        visit_antecedents(variable, visit);
    }
}

void Analysis::drop_implied() {
    const auto first = lesson_.literals.begin() + 1;
    lesson_.literals.erase(std::remove_if(first, lesson_.literals.end(),
                                          [&](Literal literal) {
                                              const Variable variable = variable_of(literal);
                                              if (network_.reason_of(variable).kind() == Reason::decision) return false;
                                              return are_antecedents_implied(variable, 1);
                                          }),
                           lesson_.literals.end());
}

bool Analysis::is_implied(Variable variable, int depth) {
    const int level = network_.level_of(variable);
    if (level == 0 || marks_[variable] == Mark::in_clause || marks_[variable] == Mark::implied) return true;
    if (marks_[variable] == Mark::needed || network_.reason_of(variable).kind() == Reason::decision) return false;
    if (depth == max_depth || level_seen_[static_cast<std::size_t>(level)] != num_counts_) return false;
    const bool is_implied = are_antecedents_implied(variable, depth + 1);
    mark(variable, is_implied ? Mark::implied : Mark::needed);
    return is_implied;
}

// Stops at the first antecedent that is not implied. Clauses visited here do not count as used.
bool Analysis::are_antecedents_implied(Variable variable, int depth) {
    const auto is_fine = [&](Variable antecedent) { return antecedent == variable || is_implied(antecedent, depth); };
    const Reason reason = network_.reason_of(variable);
    switch (reason.kind()) {
        case Reason::decision:
            return true;
        case Reason::placed:
            return is_fine(reason.index());
        case Reason::group:
            return network_.all_of_group(reason.index(), is_fine);
        case Reason::clause:
            break;
    }
    const auto literals = clauses_.literals(reason.index());
    return std::all_of(literals.begin(), literals.end(),
                       [&](Literal literal) { return is_fine(variable_of(literal)); });
}

// The first literal says that a placement is wrong. Its peers need not be mentioned: if one of them were right, the
// placement would be wrong anyway.
void Analysis::drop_peers_of_first() {
    auto& literals = lesson_.literals;
    if (!is_negative(literals[0])) return;
    const Variable placed = variable_of(literals[0]);
    literals.erase(std::remove_if(literals.begin() + 1, literals.end(),
                                  [&](Literal literal) {
                                      return !is_negative(literal) && network_.are_peers(variable_of(literal), placed);
                                  }),
                   literals.end());
}

void Analysis::cover_by_placements() {
    for (const Literal literal : lesson_.literals) {
        if (!is_negative(literal)) continue;
        num_covered_[variable_of(literal)] = in_clause;
        covers_.push_back(variable_of(literal));
    }
    const auto first = lesson_.literals.begin() + 1;
    for (auto literal = first; literal != lesson_.literals.end(); ++literal) {
        if (is_negative(*literal)) continue;
        visit_covers(variable_of(*literal), [&](Variable placed) {
            if (num_covered_[placed]++ == 0) covers_.push_back(placed);
        });
    }
    covered_.assign(1, lesson_.literals[0]);
    for (auto literal = first; literal != lesson_.literals.end(); ++literal) {
        Variable best = Network::no_variable;
        if (!is_negative(*literal)) {
            std::uint32_t most = worth_a_placement - 1;
            visit_covers(variable_of(*literal), [&](Variable placed) {
                if (num_covered_[placed] > most) {
                    best = placed;
                    most = num_covered_[placed];
                }
            });
        }
        if (best == Network::no_variable) {
            covered_.push_back(*literal);
        } else if (num_covered_[best] < in_clause) {
            num_covered_[best] += in_clause;
            covered_.push_back(negative(best));
        }
    }
    lesson_.literals.swap(covered_);
    for (const Variable placed : covers_) num_covered_[placed] = 0;
    covers_.clear();
}

void Analysis::put_second_in_place() {
    auto& literals = lesson_.literals;
    lesson_.level = 0;
    if (literals.size() == 1) return;
    const auto highest = std::max_element(literals.begin() + 1, literals.end(), [&](Literal a, Literal b) {
        return network_.level_of(variable_of(a)) < network_.level_of(variable_of(b));
    });
    std::swap(literals[1], *highest);
    lesson_.level = network_.level_of(variable_of(literals[1]));
}

int Analysis::count_levels() {
    ++num_counts_;
    int number = 0;
    for (const Literal literal : lesson_.literals) {
        auto& seen = level_seen_[static_cast<std::size_t>(network_.level_of(variable_of(literal)))];
        if (seen != num_counts_) ++number;
        seen = num_counts_;
    }
    return number;
}

void Analysis::mark(Variable variable, Mark mark) {
    marks_[variable] = mark;
    marked_.push_back(variable);
}

template <class Visit>
void Analysis::visit_conflict(Visit visit) {
    const Conflict& conflict = network_.conflict();
    visit_reason(conflict.reason, visit);
    if (conflict.reason.kind() == Reason::placed) visit(conflict.variable);
}

template <class Visit>
void Analysis::visit_antecedents(Variable variable, Visit visit) {
    visit_reason(network_.reason_of(variable), [&](Variable antecedent) {
        if (antecedent != variable) visit(antecedent);
    });
}

template <class Visit>
void Analysis::visit_reason(Reason reason, Visit visit) {
    switch (reason.kind()) {
        case Reason::decision:
            break;
        case Reason::placed:
            visit(reason.index());
            break;
        case Reason::group:
            network_.visit_group(reason.index(), visit);
            break;
        case Reason::clause:
            clauses_.mark_used(reason.index());
            for (const Literal literal : clauses_.literals(reason.index())) visit(variable_of(literal));
            break;
    }
}

template <class Visit>
void Analysis::visit_covers(Variable variable, Visit visit) const {
    for (std::size_t kind = 0; kind < Network::num_kinds; ++kind) {
        const Variable placed = network_.settled_by(variable, kind);
        if (placed != Network::no_variable && network_.level_of(placed) < network_.level() &&
            network_.level_of(placed) > 0) {
            visit(placed);
        }
    }
}

}  // namespace sudokulab::learning
