#include "learning/activity.h"

#include <cassert>
#include <utility>

namespace sudokulab::learning {
namespace {

constexpr double too_large = 1e100;

}  // namespace

Activity::Activity(std::vector<double> initial) : values_(std::move(initial)), places_(values_.size(), -1) {
    heap_.reserve(values_.size());
    for (Variable variable = 0; variable < values_.size(); ++variable) insert(variable);
}

Variable Activity::pop() {
    assert(!heap_.empty() && places_[heap_.front()] == 0);
    const Variable top = heap_.front();
    const Variable last = heap_.back();
    heap_.pop_back();
    places_[top] = -1;
    if (!heap_.empty()) {
        put(0, last);
        sift_down(0);
    }
    return top;
}

void Activity::insert(Variable variable) {
    if (places_[variable] >= 0) return;
    heap_.push_back(variable);
    put(heap_.size() - 1, variable);
    sift_up(heap_.size() - 1);
}

void Activity::bump(Variable variable) {
    assert(increment_ > 0);
    values_[variable] += increment_;
    if (values_[variable] > too_large) {
        for (double& value : values_) value /= too_large;
        increment_ /= too_large;
    }
    if (places_[variable] >= 0) sift_up(static_cast<std::size_t>(places_[variable]));
}

void Activity::sift_up(std::size_t at) {
    assert(at < heap_.size() && places_[heap_[at]] == static_cast<std::int32_t>(at));
    const Variable variable = heap_[at];
    while (at > 0) {
        const std::size_t parent = (at - 1) / 2;
        if (!is_before(variable, heap_[parent])) break;
        put(at, heap_[parent]);
        at = parent;
    }
    put(at, variable);
}

void Activity::sift_down(std::size_t at) {
    const Variable variable = heap_[at];
    while (true) {
        std::size_t child = 2 * at + 1;
        if (child >= heap_.size()) break;
        if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
        if (!is_before(heap_[child], variable)) break;
        put(at, heap_[child]);
        at = child;
    }
    put(at, variable);
}

}  // namespace sudokulab::learning
