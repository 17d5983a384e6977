// The common part of the solvers on box permutations: a filter, then a search by swaps in the remaining open cells.
#pragma once

#include <algorithm>

#include "search/solver.h"
#include "solvers/parts/box_permutation.h"
#include "solvers/parts/filter.h"

namespace sudokulab {

class SwapSearch : public Solver {
public:
    explicit SwapSearch(Filter filter) : filter_(std::move(filter)) {}

    Result solve(const Puzzle& puzzle, Control& control) const final;

protected:
    // The best state of a search so far.
    class Best {
    public:
        explicit Best(const BoxPermutation& state) : cost_(state.cost()), grid_(state.grid()) {}

        void offer(const BoxPermutation& state) {
            if (state.cost() >= cost_) return;
            cost_ = state.cost();
            grid_ = state.grid();
        }

        int cost() const { return cost_; }
        // The lowest cost including a state that has not been offered yet.
        int cost_with(const BoxPermutation& state) const { return std::min(cost_, state.cost()); }
        const Grid& grid() const { return grid_; }

    private:
        int cost_;
        Grid grid_;
    };

    struct Found {
        Best best;
        Stats stats;
    };

    // Searches from a random state, which has swaps, until the cost is 0 or the control stops it.
    virtual Found search(BoxPermutation state, Control& control) const = 0;
    // The statistics if no search took place, because nothing is open or there is no solution.
    virtual Stats zero_stats() const = 0;

    static Frame frame_of(TraceRow values, const BoxPermutation& state) {
        return {.values = std::move(values), .grid = state.grid()};
    }

    static Stats zeros(std::initializer_list<const char*> names) {
        Stats stats;
        for (const char* name : names) stats.push_back({name, std::int64_t{0}});
        return stats;
    }

private:
    Found only_state(const BoxPermutation& state, Control& control) const;

    Filter filter_;
};

}  // namespace sudokulab
