// How soon every assumption about a candidate leads to a contradiction along static links.
//
// Links can be reversed: if a implies b, then not b implies not a. So a shortest chain from a candidate to its opposite
// exists exactly if some candidate becomes both true and false half way, and it is twice as long as the way there.
//
// The consequences of all assumptions are computed together, step by step: those of a candidate within n + 1 links are
// those of its neighbours within n links.
#pragma once

#include <array>

#include "logic/techniques/links.h"
#include "search/control.h"

namespace sudokulab::techniques {

class Contradictions {
public:
    // Looks for contradictions within max_depth links; unless `is_complete`, only for the nearest ones. Returns
    // whether it found any. The depths are incomplete if the control stopped it.
    bool search(const LinkGraph& graph, const LinkChoice& links, int max_depth, bool is_complete, Control& control);

    // The smallest depth of all assumptions, or 0.
    int nearest() const { return nearest_; }
    // The number of links after which a candidate is both true and false, or 0 if that does not happen.
    int depth(int id, bool is_on) const { return (is_on ? on_ : off_).depths[static_cast<std::size_t>(id)]; }

private:
    // The assumptions of one kind, by candidate.
    struct Assumptions {
        std::array<std::vector<std::uint64_t>, 2> rows;  // the consequences, now and one step before
        CandidateSet changed, changing;                  // the rows that changed in the last step, and in this one
        std::vector<int> depths;

        void reset(int size, std::size_t row_size);
    };

    void start();
    bool step(int from, int depth);
    void advance_off(int id, int from, int depth);
    void advance_on(int id, int from, int depth);
    // Copies the row of a candidate to the other buffer if it is out of date there.
    std::uint64_t* carry_over(Assumptions& own, int id, int from) const;
    void add(std::uint64_t* row, const Assumptions& other, int id, int from) const;
    void finish(Assumptions& own, int id, int from, int depth);

    const LinkGraph* graph_ = nullptr;
    Control* control_ = nullptr;
    LinkChoice links_{};
    std::size_t half_ = 0;      // the words of a set of candidates
    std::size_t row_size_ = 0;  // true candidates, then false ones
    Assumptions on_, off_;
    std::vector<std::uint64_t> affected_on_, affected_off_;  // by a change in the last step
    int nearest_ = 0;
};

}  // namespace sudokulab::techniques
