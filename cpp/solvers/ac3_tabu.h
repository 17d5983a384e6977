// AC3 inside tabu search: algorithm 4 of Soto et al. (2013).
//
// The puzzle is a constraint network of disequalities. AC3 runs once before the search, and again on the best candidate
// of every iteration; a domain of one value fills its cell. The cost of a state is its number of empty cells, and a
// candidate that costs no more than the best state replaces it. Candidates are made by a roulette wheel, and the tabu
// list forgets in order of entry.
//
// The paper does not say what a neighbour is, how the wheel is weighted, how long the list is, or what happens when a
// domain is wiped out or no candidate is left. Chosen here: a neighbour gives an empty cell one value of its domain;
// the wheel draws the cell with weight 1/|D|, so that the tightest cells come first, and any of its values that are not
// tabu; a candidate counts as filled the cells that its assignment leaves one value at once, which is how candidates
// come to differ in cost. If AC3 wipes out a domain, the candidate is dropped and its assignment put on the list. After
// some candidates dropped in a row, or with none left, the search begins anew from the state after the first AC3, and
// the list, which by then holds the assignments of the last attempt, turns it elsewhere. AC3 on a candidate begins with
// the arcs that its assignment touches, since all others are consistent already.
#pragma once

#include "search/solver.h"

namespace sudokulab {

class Ac3Tabu : public Solver {
public:
    struct Parameters {
        int tabu_size;
        int candidates;
        std::int64_t restart_after;  // candidates dropped in a row
    };

    explicit Ac3Tabu(const Parameters& parameters) : parameters_(parameters) {}

    Result solve(const Puzzle& puzzle, Control& control) const override;

private:
    Parameters parameters_;
};

}  // namespace sudokulab
