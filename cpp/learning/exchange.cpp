#include "learning/exchange.h"

#include <algorithm>
#include <cassert>

namespace sudokulab::learning {
namespace {

constexpr std::size_t capacity = 10'000;  // clauses in the buffer

}  // namespace

void Exchange::offer(std::size_t member, const Lesson& lesson) {
    if (lesson.num_levels > max_levels_) return;
    Clause clause{member, lesson.num_levels, lesson.literals};
    const std::lock_guard lock(mutex_);
    clauses_.push_back(std::move(clause));
    if (clauses_.size() <= capacity) return;
    clauses_.pop_front();
    ++num_dropped_;
}

std::vector<Exchange::Clause> Exchange::collect(std::size_t member) {
    assert(member < next_.size());
    std::vector<Clause> collected;
    const std::lock_guard lock(mutex_);
    const std::uint64_t first = std::max(next_[member], num_dropped_) - num_dropped_;
    for (std::size_t i = first; i < clauses_.size(); ++i) {
        if (clauses_[i].author != member) collected.push_back(clauses_[i]);
    }
    assert(next_[member] <= num_dropped_ + clauses_.size());
    next_[member] = num_dropped_ + clauses_.size();
    return collected;
}

}  // namespace sudokulab::learning
