// Learnt clauses: two watched literals each (Moskewicz et al. 2001), kept by how few decision levels they join
// (Audemard & Simon 2009).
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "learning/network.h"

namespace sudokulab::learning {

class Clauses {
public:
    explicit Clauses(std::size_t num_variables) : watches_(2 * num_variables) {}

    // Stores a clause of two or more literals. The first two are watched: they must be the first to be unassigned.
    ClauseRef add(std::span<const Literal> literals, int num_levels);
    std::span<const Literal> literals(ClauseRef ref) const {
        assert(0 < ref && words_[ref] >= 2 && ref + header + words_[ref] <= words_.size());
        return {&words_[ref + header], words_[ref]};
    }
    void mark_used(ClauseRef ref) { words_[ref + used] = recently; }

    std::size_t num_kept() const { return refs_.size(); }

    // Visits the clauses that watch a literal which has become false. False on a conflict, which is stored in the
    // network.
    bool propagate(Literal false_literal, Network& network);

    // Drops three quarters of the clauses that are not good, not used recently, and not currently a reason.
    void reduce(Network& network);

private:
    // Layout of a clause: number of literals, number of levels, how recently it was used, literals.
    enum : std::uint32_t { num_levels_at = 1, used = 2, header = 3 };
    static constexpr std::uint32_t recently = 3;  // counted down at each reduction
    static constexpr std::uint32_t dropped = ~std::uint32_t{0};

    struct Watch {
        ClauseRef ref;
        Literal blocker;  // if it is true, the clause need not be visited
    };

    bool is_reason(ClauseRef ref, const Network& network) const;
    bool is_worth_keeping(ClauseRef ref);
    void sweep(Network& network);
    std::size_t num_watches() const;  // two per clause

    std::vector<std::uint32_t> words_{0};  // the first word is unused, so that no clause has the reference 0
    std::vector<ClauseRef> refs_;
    std::vector<std::vector<Watch>> watches_;  // by literal
};

}  // namespace sudokulab::learning
