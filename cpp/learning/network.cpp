#include "learning/network.h"

#include <cassert>

namespace sudokulab::learning {

Network::Network(const SearchBoard& board) : size_(static_cast<std::size_t>(board.geometry().size())) {
    const Geometry& geometry = board.geometry();
    const auto num_cells = static_cast<std::uint32_t>(geometry.num_cells());
    const auto size = static_cast<std::uint32_t>(geometry.size());
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> number_of(num_kinds * num_cells, none);  // cells, then the digits of each unit
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        if (board.is_placed(cell)) continue;
        for (std::uint64_t left = board.candidates(cell); left != 0; left &= left - 1) {
            const int digit = std::countr_zero(left);
            const auto variable = static_cast<Variable>(places_.size());
            Place place{};
            for (std::size_t kind = 0; kind < num_kinds; ++kind) {
                const auto unit_digit = kind == 0 ? 0 : geometry.units(cell).row_of_unit[kind - 1] + digit;
                auto& group = number_of[kind == 0 ? static_cast<std::uint32_t>(cell)
                                                  : num_cells + static_cast<std::uint32_t>(unit_digit)];
                if (group == none) {
                    group = static_cast<std::uint32_t>(open_.size());
                    open_.push_back(0);
                    members_.resize(members_.size() + size);
                }
                const int position = std::popcount(open_[group]);
                assert(position < geometry.size());
                open_[group] |= std::uint64_t{1} << position;
                members_[group * size + static_cast<std::uint32_t>(position)] = variable;
                place.group[kind] = group;
                place.position[kind] = static_cast<std::uint8_t>(position);
            }
            places_.push_back(place);
            cells_.push_back(static_cast<std::uint16_t>(cell));
            digits_.push_back(static_cast<std::uint8_t>(digit));
        }
    }
    members_ever_ = open_;
    values_.resize(2 * num_variables());
    levels_.resize(num_variables());
    reasons_.resize(num_variables());
    trail_.reserve(num_variables());
}

void Network::put(Literal literal, Reason reason) {
    assert(is_open(variable_of(literal)) && trail_.size() < num_variables());
    assert(level() == 0 || trail_.size() > start_of_level(level()) || reason.kind() == Reason::decision);
    values_[literal] = 1;
    values_[literal ^ 1] = -1;
    levels_[variable_of(literal)] = level();
    reasons_[variable_of(literal)] = reason;
    trail_.push_back(literal);
}

bool Network::assign(Literal literal, Reason reason) {
    if (is_negative(literal)) return make_false(variable_of(literal), reason, num_kinds);
    put(literal, reason);
    return true;
}

bool Network::make_false(Variable variable, Reason reason, std::size_t crossed_out) {
    put(negative(variable), reason);
    const Place& place = places_[variable];
    bool is_consistent = true;
    for (std::size_t kind = 0; kind < num_kinds; ++kind) {
        const std::uint32_t group = place.group[kind];
        assert((open_[group] >> place.position[kind] & 1) == (kind == crossed_out ? 0 : 1));
        if (kind == crossed_out) continue;
        const std::uint64_t left = open_[group] &= ~(std::uint64_t{1} << place.position[kind]);
        if ((left & (left - 1)) != 0) continue;
        if (left == 0) {  // the others are crossed out nevertheless, as `backtrack` expects
            conflict_ = {{Reason::group, group}, 0};
            is_consistent = false;
        } else if (const Variable last = member(group, left); is_open(last)) {
            put(positive(last), {Reason::group, group});
        } else {
            assert(is_true(positive(last)));
        }
    }
    return is_consistent;
}

bool Network::propagate_placement(Variable variable) {
    assert(is_true(positive(variable)));
    const Place& place = places_[variable];
    for (std::size_t kind = 0; kind < num_kinds; ++kind) {
        const std::uint32_t group = place.group[kind];
        const std::uint64_t own = std::uint64_t{1} << place.position[kind];
        assert((open_[group] & own) != 0);
        for (std::uint64_t others = open_[group] & ~own; others != 0; others &= others - 1) {
            const Variable peer = member(group, others);
            if (is_true(positive(peer))) {
                conflict_ = {{Reason::placed, variable}, peer};
                return false;
            }
            open_[group] &= ~(others & -others);
            if (!make_false(peer, {Reason::placed, variable}, kind)) return false;
        }
    }
    return true;
}

bool Network::are_peers(Variable a, Variable b) const {
    for (std::size_t kind = 0; kind < num_kinds; ++kind) {
        if (group(a, kind) == group(b, kind)) return true;
    }
    return false;
}

Variable Network::settled_by(Variable variable, std::size_t kind) const {
    const std::uint32_t group = places_[variable].group[kind];
    const std::uint64_t left = open_[group];
    if (left == 0 || (left & (left - 1)) != 0) return no_variable;
    const Variable last = member(group, left);
    return is_true(positive(last)) ? last : no_variable;
}

}  // namespace sudokulab::learning
