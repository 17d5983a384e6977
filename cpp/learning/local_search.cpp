#include "learning/local_search.h"

#include <algorithm>

namespace sudokulab::learning {
namespace {

enum Kind : std::size_t { cell, row, col, box };  // of groups
constexpr std::int32_t closed = 1 << 20;          // conflicts of a variable that is not open: more than any other
constexpr std::uint32_t random_tenure = 10;       // moves, exclusive
constexpr std::uint32_t percent_tenure = 60;      // of the number of clashes

}  // namespace

bool LocalSearch::run(std::int64_t num_moves, Rng& rng, const std::function<bool()>& must_stop) {
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
    tabu_until_.resize(num_variables);
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
        conflicts_[variable] = network_.is_open(variable) ? 0 : closed;
    }
    for (Variable variable = 0; variable < cells_.size(); variable = cells_[variable].end) {
        const std::uint32_t group = network_.group(variable, cell);
        if (network_.num_open(group) < 2) continue;
        Variable choice = Network::nobody;
        std::uint32_t num_seen = 0;
        network_.visit_open(group, [&](Variable other) {
            const bool is_kept = choice != Network::nobody && before[choice] > 0;
            if (!is_kept && (before[other] > 0 || rng.below(++num_seen) == 0)) choice = other;
        });
        choose(choice);
    }
}

void LocalSearch::move(std::int64_t best_cost, Rng& rng) {
    ++num_moves_;
    std::int32_t least_change = closed / 2;
    std::uint32_t num_ties = 0;
    Variable from = 0;
    Variable to = 0;
    for (const Variable chosen : clashes_) {
        const auto [begin, end] = cells_[chosen];
        const std::int32_t num_conflicts = conflicts_[chosen];
        for (Variable other = begin; other < end; ++other) {
            const std::int32_t change = conflicts_[other] - num_conflicts;
            if (change > least_change || other == chosen) continue;
            if (tabu_until_[other] > num_moves_ && cost_ + change >= best_cost) continue;
            num_ties = change < least_change ? 1 : num_ties + 1;
            least_change = change;
            if (num_ties > 1 && rng.below(num_ties) != 0) continue;
            from = chosen;
            to = other;
        }
    }
    if (num_ties == 0) return;  // every move is tabu
    const auto tenure = rng.below(random_tenure) + percent_tenure * clashes_.size() / 100;
    tabu_until_[from] = num_moves_ + static_cast<std::int64_t>(tenure);
    drop(from);
    choose(to);
}

void LocalSearch::choose(Variable variable) {
    chosen_[variable] = 1;
    cost_ += conflicts_[variable];
    if (conflicts_[variable] > 0) add_clash(variable);
    visit_rivals(variable, [&](Variable rival) {
        if (conflicts_[rival]++ == 0 && chosen_[rival] > 0) add_clash(rival);
    });
}

void LocalSearch::drop(Variable variable) {
    chosen_[variable] = -1;
    cost_ -= conflicts_[variable];
    if (conflicts_[variable] > 0) remove_clash(variable);
    visit_rivals(variable, [&](Variable rival) {
        if (--conflicts_[rival] == 0 && chosen_[rival] > 0) remove_clash(rival);
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
    const Variable last = clashes_.back();
    clashes_[places_[variable]] = last;
    places_[last] = places_[variable];
    clashes_.pop_back();
}

}  // namespace sudokulab::learning
