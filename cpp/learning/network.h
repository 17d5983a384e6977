// Exactly-one constraints on bit sets, with the trail of an assignment and a reason for each of its entries.
//
// A variable is a candidate (a digit in a cell) left open by the givens and the singles that follow from them. A group
// is a set of variables of which exactly one is true: the digits of a cell, or the cells of a digit in a row, column or
// box. Every variable is in one group of each of these four kinds. No constraint is stored as clauses: a group is a
// word with a bit for each member that is not false.
//
//   - A true variable makes the other members of its four groups false. The reason is that variable.
//   - The last member of a group that is not false is true. The reason is the group.
//
// Reasons are stored as one word, and converted to literals only when an analysis needs them.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "grid/search_board.h"

namespace sudokulab::learning {

using Variable = std::uint32_t;
using Literal = std::uint32_t;  // twice the variable, plus one if negated

inline Literal positive(Variable variable) { return 2 * variable; }
inline Literal negative(Variable variable) { return 2 * variable + 1; }
inline Variable variable_of(Literal literal) { return literal >> 1; }
inline bool is_negative(Literal literal) { return (literal & 1) != 0; }

using ClauseRef = std::uint32_t;

// Why a variable has its value, or what cannot be true together.
struct Reason {
    enum Kind : std::uint32_t { decision, placed, group, clause };
    static constexpr std::uint32_t max_index = (1u << 30) - 1;

    Reason() = default;
    Reason(Kind kind, std::uint32_t index) : word(kind << 30 | index) { assert(index <= max_index); }
    Kind kind() const { return static_cast<Kind>(word >> 30); }
    std::uint32_t index() const { return word & max_index; }
    bool operator==(const Reason&) const = default;

    std::uint32_t word = 0;
};

struct Conflict {
    Reason reason;        // a group whose members are all false, a false clause, or a true variable
    Variable variable{};  // for a true variable: another true member of one of its groups
};

class Network {
public:
    static constexpr std::size_t num_kinds = 4;

    // Contains what the board leaves open; unusable if the board has a contradiction.
    explicit Network(const SearchBoard& board);

    std::size_t num_variables() const { return places_.size(); }
    int cell(Variable variable) const { return cells_[variable]; }
    int digit(Variable variable) const { return digits_[variable]; }

    bool is_true(Literal literal) const { return values_[literal] > 0; }
    bool is_false(Literal literal) const { return values_[literal] < 0; }
    bool is_open(Variable variable) const { return values_[positive(variable)] == 0; }
    // The true, or false, one of a variable's two literals; the variable must not be open.
    Literal true_literal(Variable variable) const {
        assert(!is_open(variable));
        return positive(variable) + (is_true(positive(variable)) ? 0 : 1);
    }
    Literal false_literal(Variable variable) const { return true_literal(variable) ^ 1; }
    int level_of(Variable variable) const {
        assert(!is_open(variable) && levels_[variable] <= level());
        return levels_[variable];
    }
    Reason reason_of(Variable variable) const {
        assert(!is_open(variable));
        return reasons_[variable];
    }
    void set_reason(Variable variable, Reason reason) {
        assert(!is_open(variable));
        reasons_[variable] = reason;
    }

    const std::vector<Literal>& trail() const { return trail_; }
    bool is_full() const { return trail_.size() == num_variables(); }
    int level() const { return static_cast<int>(level_starts_.size()); }
    std::size_t start_of_level(int level) const {
        assert(1 <= level && level <= this->level());
        return level_starts_[static_cast<std::size_t>(level) - 1];
    }
    Literal decision_of(int level) const {
        const Literal decision = trail_[start_of_level(level)];
        assert(reason_of(variable_of(decision)).kind() == Reason::decision);
        return decision;
    }

    void begin_level() {
        assert(!has_pending() && !is_full());
        level_starts_.push_back(trail_.size());
    }
    // Makes an open literal true. False if a group runs out of members; see `conflict`.
    bool assign(Literal literal, Reason reason);
    // The next literal of the trail to propagate; call only if `has_pending`.
    bool has_pending() const { return num_propagated_ < trail_.size(); }
    Literal next_pending() {
        assert(has_pending());
        return trail_[num_propagated_++];
    }
    // Makes the peers of a true variable false. False on a conflict.
    bool propagate_placement(Variable variable);
    const Conflict& conflict() const { return conflict_; }
    void set_conflict(Conflict conflict) { conflict_ = conflict; }

    // Unassigns everything above a level; calls `on_open` with each literal that was true.
    template <class OnOpen>
    void backtrack(int level, OnOpen on_open);

    // Calls `visit` with each member of a group that was not false at level 0.
    template <class Visit>
    void visit_group(std::uint32_t group, Visit visit) const;
    // Whether a predicate holds for all these members; stops at the first for which it does not.
    template <class Predicate>
    bool all_of_group(std::uint32_t group, Predicate predicate) const;
    // At level 0: stop visiting members that are permanently false.
    void forget_false_members() {
        assert(level() == 0);
        members_ever_ = open_;
    }

    std::uint32_t group(Variable variable, std::size_t kind) const { return places_[variable].group[kind]; }
    int num_open(std::uint32_t group) const { return std::popcount(open_[group]); }
    // Calls `visit` with each member of a group that is not false, or only with those in a mask of `bit`s.
    template <class Visit>
    void visit_open(std::uint32_t group, Visit visit, std::uint64_t mask = ~std::uint64_t{0}) const;
    // The bit of a variable in the word of its group.
    std::uint64_t bit(Variable variable, std::size_t kind) const {
        return std::uint64_t{1} << places_[variable].position[kind];
    }
    // Whether two variables cannot both be true.
    bool are_peers(Variable a, Variable b) const;
    // The true member of a variable's group, or `no_variable` if none is true yet.
    static constexpr Variable no_variable = ~Variable{0};
    Variable settled_by(Variable variable, std::size_t kind) const;

private:
    struct Place {
        std::array<std::uint32_t, num_kinds> group;
        std::array<std::uint8_t, num_kinds> position;
    };

    Variable member(std::uint32_t group, std::uint64_t mask) const {
        assert(mask != 0 && static_cast<std::size_t>(std::countr_zero(mask)) < size_);
        return members_[group * size_ + static_cast<std::size_t>(std::countr_zero(mask))];
    }
    void put(Literal literal, Reason reason);
    // Makes a variable false that is already crossed out in one of its groups.
    bool make_false(Variable variable, Reason reason, std::size_t crossed_out);

    std::size_t size_;
    std::vector<Place> places_;  // by variable
    std::vector<std::uint16_t> cells_;
    std::vector<std::uint8_t> digits_;
    std::vector<Variable> members_;            // by group and position
    std::vector<std::uint64_t> open_;          // by group: the members that are not false
    std::vector<std::uint64_t> members_ever_;  // by group: the members that were not false at level 0
    std::vector<std::int8_t> values_;          // by literal: 1 true, -1 false, 0 open
    std::vector<int> levels_;                  // by variable
    std::vector<Reason> reasons_;              // by variable
    std::vector<Literal> trail_;
    std::vector<std::size_t> level_starts_;
    std::size_t num_propagated_ = 0;
    Conflict conflict_;
};

template <class OnOpen>
void Network::backtrack(int level, OnOpen on_open) {
    assert(level >= 0);
    if (this->level() <= level) return;
    const std::size_t start = start_of_level(level + 1);
    for (std::size_t i = trail_.size(); i-- > start;) {
        const Literal literal = trail_[i];
        const Variable variable = variable_of(literal);
        assert(is_true(literal) && levels_[variable] > level);
        values_[literal] = values_[literal ^ 1] = 0;
        if (is_negative(literal)) {
            const Place& place = places_[variable];
            for (std::size_t kind = 0; kind < num_kinds; ++kind) {
                assert((open_[place.group[kind]] >> place.position[kind] & 1) == 0);
                open_[place.group[kind]] |= std::uint64_t{1} << place.position[kind];
            }
        }
        on_open(literal);
    }
    trail_.resize(start);
    level_starts_.resize(static_cast<std::size_t>(level));
    num_propagated_ = start;
}

template <class Visit>
void Network::visit_group(std::uint32_t group, Visit visit) const {
    for (std::uint64_t left = members_ever_[group]; left != 0; left &= left - 1) visit(member(group, left));
}

template <class Predicate>
bool Network::all_of_group(std::uint32_t group, Predicate predicate) const {
    for (std::uint64_t left = members_ever_[group]; left != 0; left &= left - 1) {
        if (!predicate(member(group, left))) return false;
    }
    return true;
}

template <class Visit>
void Network::visit_open(std::uint32_t group, Visit visit, std::uint64_t mask) const {
    for (std::uint64_t left = open_[group] & mask; left != 0; left &= left - 1) visit(member(group, left));
}

}  // namespace sudokulab::learning
