#include "learning/local_search.h"

#include <algorithm>
#include <cassert>

namespace sudokulab::learning {
namespace {

enum Kind : std::size_t { cell, row, col, box };  // of groups
constexpr std::uint32_t random_tenure = 10;       // moves, exclusive
constexpr std::uint32_t percent_tenure = 60;      // of the number of clashes
constexpr std::size_t max_tenure = 4096;          // more than the two allow on the largest grid

// Flags of variables that cannot be chosen, in the bits above the number of conflicts.
enum Flag { tabu = 1 << 10, taken = 1 << 11, closed = 1 << 12 };

int count(int conflicts) { return conflicts & (tabu - 1); }

}  // namespace

bool LocalSearch::run(std::int64_t num_moves, Rng& rng, const std::function<bool()>& must_stop) {
    assert(network_.level() == 0 && !network_.has_pending());
    if (cells_.empty()) prepare();
    start(rng);
    best_ = chosen_;
    std::int64_t best_cost = cost_;
    for (std::int64_t i = 0; i < num_moves && best_cost > 0; ++i) {
        if (must_stop()) return false;
        move(best_cost, rng);
        if (cost_ < best_cost) {
            best_cost = cost_;
            best_ = chosen_;
        }
    }
    return true;
}

void LocalSearch::prepare() {
    const std::size_t num_variables = network_.num_variables();
    cells_.resize(num_variables);
    off_lines_.resize(num_variables);
    chosen_.resize(num_variables);
    conflicts_.resize(num_variables);
    lowest_.resize(num_variables);
    tabu_until_.resize(num_variables);
    expiring_.resize(max_tenure);
    places_.resize(num_variables);
    for (Variable begin = 0, end = 0; begin < num_variables; begin = end) {
        while (end < num_variables && network_.group(end, cell) == network_.group(begin, cell)) ++end;
        std::fill(cells_.begin() + begin, cells_.begin() + end, Range{begin, end});
    }
    for (Variable variable = 0; variable < num_variables; ++variable) {
        network_.visit_open(network_.group(variable, box), [&](Variable other) {
            const bool is_on_line = network_.group(other, row) == network_.group(variable, row) ||
                                    network_.group(other, col) == network_.group(variable, col);
            if (!is_on_line) off_lines_[variable] |= network_.bit(other, box);
        });
    }
}

void LocalSearch::start(Rng& rng) {
    const std::vector<std::int8_t> before = chosen_;
    std::fill(chosen_.begin(), chosen_.end(), std::int8_t{-1});
    clashes_.clear();
    cost_ = 0;
    for (Variable variable = 0; variable < conflicts_.size(); ++variable) {
        set(variable, network_.is_open(variable) ? 0 : closed);
    }
    for (auto& variables : expiring_) variables.clear();
    for (Variable variable = 0; variable < cells_.size(); variable = cells_[variable].end) {
        const std::uint32_t group = network_.group(variable, cell);
        if (network_.num_open(group) < 2) continue;
        Variable choice = Network::no_variable;
        std::uint32_t num_seen = 0;
        network_.visit_open(group, [&](Variable other) {
            const bool is_kept = choice != Network::no_variable && before[choice] > 0;
            if (!is_kept && (before[other] > 0 || rng.below(++num_seen) == 0)) choice = other;
        });
        choose(choice);
    }
}

void LocalSearch::move(std::int64_t best_cost, Rng& rng) {
    ++num_moves_;
    release_expired();
    const auto is_new_best = [&](int change) { return cost_ + change < best_cost; };  // then tabu moves are allowed
    int least_change = tabu / 2;
    std::uint32_t num_ties = 0;
    Variable from = 0;
    for (const Variable chosen : clashes_) {
        const auto& [allowed, with_tabu] = lowest(chosen);
        const int num_conflicts = count(conflicts_[chosen]);
        const auto& [least, number] = is_new_best(with_tabu.conflicts - num_conflicts) ? with_tabu : allowed;
        const int change = least - num_conflicts;
        if (change > least_change) continue;
        num_ties = change < least_change ? number : num_ties + number;
        least_change = change;
        // every move that ties is equally likely, not every cell: this needs fewer moves
        if (rng.below(num_ties) < number) from = chosen;
    }
    if (num_ties == 0) return;  // every move is tabu
    const int num_conflicts = count(conflicts_[from]) + least_change;
    const int ignored = is_new_best(least_change) ? tabu : 0;
    Variable to = from;
    std::uint32_t num_seen = 0;
    for (Variable other = cells_[from].begin; other < cells_[from].end; ++other) {
        if ((conflicts_[other] & ~ignored) == num_conflicts && rng.below(++num_seen) == 0) to = other;
    }
    const auto tenure = rng.below(random_tenure) + percent_tenure * clashes_.size() / 100;
    drop(from);
    choose(to);
    forbid(from, static_cast<std::int64_t>(tenure));
}

const LocalSearch::Lowest& LocalSearch::lowest(Variable chosen) {
    const auto [begin, end] = cells_[chosen];
    Lowest& known = lowest_[begin];
    if (known.allowed.number > 0) return known;
    const auto count_least = [&, begin = begin, end = end](int ignored) {
        int least = closed;
        for (Variable other = begin; other < end; ++other) least = std::min(least, conflicts_[other] & ~ignored);
        std::uint16_t number = 0;
        for (Variable other = begin; other < end; ++other) number += (conflicts_[other] & ~ignored) == least;
        return Least{static_cast<std::int16_t>(least), number};
    };
    known = {count_least(0), count_least(tabu)};
    return known;
}

void LocalSearch::forbid(Variable variable, std::int64_t tenure) {
    if (tenure < 2) return;  // it would end before the next move
    assert(tenure < static_cast<std::int64_t>(max_tenure));
    set(variable, conflicts_[variable] | tabu);
    tabu_until_[variable] = num_moves_ + tenure;
    expiring_[static_cast<std::size_t>(tabu_until_[variable]) % max_tenure].push_back(variable);
}

void LocalSearch::release_expired() {
    auto& variables = expiring_[static_cast<std::size_t>(num_moves_) % max_tenure];
    for (const Variable variable : variables) {
        // it may have been chosen and forbidden again
        if (tabu_until_[variable] == num_moves_) set(variable, conflicts_[variable] & ~tabu);
    }
    variables.clear();
}

void LocalSearch::set(Variable variable, int conflicts) {
    conflicts_[variable] = static_cast<std::int16_t>(conflicts);
    lowest_[cells_[variable].begin].allowed.number = 0;
}

void LocalSearch::choose(Variable variable) {
    const int num_conflicts = count(conflicts_[variable]);
    chosen_[variable] = 1;
    assert(network_.is_open(variable));
    cost_ += num_conflicts;
    if (num_conflicts > 0) add_clash(variable);
    set(variable, num_conflicts | taken);
    visit_rivals(variable, [&](Variable rival) {
        if (conflicts_[rival] == taken) add_clash(rival);
        set(rival, conflicts_[rival] + 1);
    });
}

void LocalSearch::drop(Variable variable) {
    const int num_conflicts = count(conflicts_[variable]);
    assert(chosen_[variable] > 0 && (conflicts_[variable] & taken) != 0 && num_conflicts <= cost_);
    chosen_[variable] = -1;
    cost_ -= num_conflicts;
    if (num_conflicts > 0) remove_clash(variable);
    set(variable, num_conflicts);
    visit_rivals(variable, [&](Variable rival) {
        assert(count(conflicts_[rival]) > 0);
        set(rival, conflicts_[rival] - 1);
        if (conflicts_[rival] == taken) remove_clash(rival);
    });
}

template <class Visit>
void LocalSearch::visit_rivals(Variable variable, Visit visit) const {
    network_.visit_open(network_.group(variable, row), visit, ~network_.bit(variable, row));
    network_.visit_open(network_.group(variable, col), visit, ~network_.bit(variable, col));
    network_.visit_open(network_.group(variable, box), visit, off_lines_[variable]);
}

void LocalSearch::add_clash(Variable variable) {
    places_[variable] = clashes_.size();
    clashes_.push_back(variable);
}

void LocalSearch::remove_clash(Variable variable) {
    assert(!clashes_.empty() && clashes_[places_[variable]] == variable);
    const Variable last = clashes_.back();
    clashes_[places_[variable]] = last;
    places_[last] = places_[variable];
    clashes_.pop_back();
}

}  // namespace sudokulab::learning
