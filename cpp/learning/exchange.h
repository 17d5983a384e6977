// Clauses that searches of the same network share while they run in different threads.
//
// All of them number their variables alike, so a clause of one holds for all. Only clauses that join few decision
// levels are shared; they are few, so a lock is cheap enough. The buffer is bounded: a search that reads too rarely
// misses the oldest clauses, which costs time at most.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "learning/analysis.h"

namespace sudokulab::learning {

class Exchange {
public:
    struct Clause {
        std::size_t author;
        int num_levels;
        std::vector<Literal> literals;
    };

    Exchange(std::size_t num_members, int max_levels) : max_levels_(max_levels), next_(num_members) {}

    // Offers a lesson to all other members, unless it joins too many decision levels.
    void offer(std::size_t member, const Lesson& lesson);
    // The clauses that others have offered since the last call by this member.
    std::vector<Clause> collect(std::size_t member);

private:
    const int max_levels_;
    std::mutex mutex_;  // protects everything below
    std::deque<Clause> clauses_;
    std::uint64_t num_dropped_ = 0;    // clauses that are no longer in the buffer
    std::vector<std::uint64_t> next_;  // by member: the number of clauses it has read or missed
};

}  // namespace sudokulab::learning
