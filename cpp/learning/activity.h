// Selects the open variable that was involved in most of the recent conflicts (VSIDS, Moskewicz et al. 2001, in the
// exponential form of Eén & Sörensson 2003): a binary heap that restores its order when a variable is bumped.
#pragma once

#include <cstdint>
#include <vector>

#include "learning/network.h"

namespace sudokulab::learning {

class Activity {
public:
    explicit Activity(std::vector<double> initial);

    bool is_empty() const { return heap_.empty(); }
    Variable pop();
    void insert(Variable variable);
    void bump(Variable variable);
    void decay() { increment_ /= decay_factor; }

private:
    static constexpr double decay_factor = 0.95;  // of all activities at a conflict, as in MiniSat

    void sift_up(std::size_t at);
    void sift_down(std::size_t at);
    void put(std::size_t at, Variable variable) {
        heap_[at] = variable;
        places_[variable] = static_cast<std::int32_t>(at);
    }
    bool is_before(Variable a, Variable b) const { return values_[a] > values_[b]; }

    std::vector<double> values_;        // by variable
    std::vector<std::int32_t> places_;  // by variable, -1 outside the heap
    std::vector<Variable> heap_;
    double increment_ = 1;
};

}  // namespace sudokulab::learning
