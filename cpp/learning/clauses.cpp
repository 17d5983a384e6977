#include "learning/clauses.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <tuple>

namespace sudokulab::learning {
namespace {

constexpr std::uint32_t few_levels = 2;   // clauses with at most this many levels are kept forever
constexpr std::uint32_t some_levels = 6;  // clauses with at most this many are kept longer than others

}  // namespace

ClauseRef Clauses::add(std::span<const Literal> literals, int num_levels) {
    assert(literals.size() >= 2 && literals[0] != literals[1] && num_levels > 0);
    const auto ref = static_cast<ClauseRef>(words_.size());
    if (words_.size() + header + literals.size() > Reason::max_index) throw std::length_error("too many clauses");
    words_.push_back(static_cast<std::uint32_t>(literals.size()));
    words_.push_back(static_cast<std::uint32_t>(num_levels));
    words_.push_back(recently);
    words_.insert(words_.end(), literals.begin(), literals.end());
    watches_[literals[0]].push_back({ref, literals[1]});
    watches_[literals[1]].push_back({ref, literals[0]});
    refs_.push_back(ref);
    return ref;
}

bool Clauses::propagate(Literal false_literal, Network& network) {
    assert(network.is_false(false_literal));
    std::vector<Watch>& watches = watches_[false_literal];
    auto kept = watches.begin();
    for (auto watch = watches.begin(); watch != watches.end(); ++watch) {
        if (network.is_true(watch->blocker)) {
            *kept++ = *watch;
            continue;
        }
        const ClauseRef ref = watch->ref;
        const std::span<Literal> literals(&words_[ref + header], words_[ref]);
        assert(literals.size() >= 2 && (literals[0] == false_literal || literals[1] == false_literal));
        const Literal other = literals[0] ^ literals[1] ^ false_literal;
        const auto next = network.is_true(other) ? literals.end()
                                                 : std::find_if(literals.begin() + 2, literals.end(),
                                                                [&](Literal l) { return !network.is_false(l); });
        if (next != literals.end()) {
            literals[0] = other;
            literals[1] = *next;
            assert(!network.is_false(literals[1]));
            *next = false_literal;
            watches_[literals[1]].push_back({ref, other});
            continue;
        }
        *kept++ = {ref, other};
        if (network.is_true(other)) continue;
        bool is_consistent = false;
        if (network.is_false(other)) {
            network.set_conflict({{Reason::clause, ref}, 0});
        } else {
            is_consistent = network.assign(other, {Reason::clause, ref});
        }
        if (!is_consistent) {
            kept = std::copy(watch + 1, watches.end(), kept);
            watches.erase(kept, watches.end());
            return false;
        }
    }
    watches.erase(kept, watches.end());
    return true;
}

bool Clauses::is_reason(ClauseRef ref, const Network& network) const {
    const auto watched = literals(ref).first(2);
    return std::any_of(watched.begin(), watched.end(), [&](Literal literal) {
        return network.is_true(literal) && network.reason_of(variable_of(literal)) == Reason(Reason::clause, ref);
    });
}

bool Clauses::is_worth_keeping(ClauseRef ref) {
    const std::uint32_t num_levels = words_[ref + num_levels_at];
    const std::uint32_t last_use = words_[ref + used];
    if (last_use > 0) --words_[ref + used];
    return num_levels <= few_levels || last_use == recently || (num_levels <= some_levels && last_use > 0);
}

void Clauses::reduce(Network& network) {
    std::vector<ClauseRef> droppable;
    for (const ClauseRef ref : refs_) {
        if (!is_worth_keeping(ref) && !is_reason(ref, network)) droppable.push_back(ref);
    }
    const auto worth = [&](ClauseRef ref) { return std::tuple(words_[ref + num_levels_at], words_[ref], ref); };
    std::sort(droppable.begin(), droppable.end(), [&](ClauseRef a, ClauseRef b) { return worth(a) > worth(b); });
    droppable.resize(droppable.size() - droppable.size() / 4);
    for (const ClauseRef ref : droppable) words_[ref + num_levels_at] = dropped;
    sweep(network);
}

std::size_t Clauses::num_watches() const {
    std::size_t number = 0;
    for (const auto& watches : watches_) number += watches.size();
    return number;
}

void Clauses::sweep(Network& network) {
    std::erase_if(refs_, [&](ClauseRef ref) { return words_[ref + num_levels_at] == dropped; });
    for (auto& watches : watches_) {
        std::erase_if(watches, [&](Watch watch) { return words_[watch.ref + num_levels_at] == dropped; });
    }
    assert(num_watches() == 2 * refs_.size());
    // The remaining clauses move to the front. The old position of a clause stores the new one until all references are
    // updated.
    std::vector<std::uint32_t> words{0};
    for (ClauseRef& ref : refs_) {
        const auto moved = static_cast<ClauseRef>(words.size());
        words.insert(words.end(), &words_[ref], &words_[ref] + header + words_[ref]);
        for (const Literal literal : literals(ref).first(2)) {
            const Variable variable = variable_of(literal);
            if (network.is_true(literal) && network.reason_of(variable) == Reason(Reason::clause, ref)) {
                network.set_reason(variable, {Reason::clause, moved});
            }
        }
        words_[ref] = moved;
        ref = moved;
    }
    for (auto& watches : watches_) {
        for (Watch& watch : watches) watch.ref = words_[watch.ref];
    }
    words_ = std::move(words);
}

}  // namespace sudokulab::learning
