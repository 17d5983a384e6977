// AC3 inside tabu search: algorithm 4 of Soto et al. (2013).
//
// The puzzle is a constraint network of disequalities. AC3 runs once before the search, and again on the best candidate
// of every iteration; a domain with one value fills its cell. The cost of a state is its number of empty cells. A
// candidate that costs no more than the best state replaces it, and its assignment enters the tabu list, which is first
// in, first out. Candidates are drawn by a roulette wheel.
//
// The paper does not define a neighbour, the weights of the wheel, the length of the list, or what happens when a
// domain is wiped out or no candidate is left. Our choices: a neighbour assigns an empty cell one value of its domain.
// The wheel draws the cell with weight 1/|D|, so that the tightest cells come first, and then any of its values that
// are not tabu. A candidate's cost counts cells that its assignment immediately leaves with one value as filled, which
// is how candidates differ in cost. A candidate is not accepted if AC3 wipes out a domain. After a number of rejections
// in a row, by default one, the search starts again from the state after the first AC3 and keeps its tabu list.
//
// As printed, the search never starts again. If AC3 wipes out a domain for every possible assignment, no iteration can
// change the state any more, and the search ends; this is tested after as many rejections in a row as there are cells.
//
// AC3 on a candidate starts with the arcs that its assignment affects, since all others are already consistent.
#pragma once

#include "search/solver.h"

namespace sudokulab {

class Ac3Tabu : public Solver {
public:
    struct Parameters {
        int tabu_size;
        int candidates;
        std::int64_t restart_after;  // candidates in a row that are not accepted; 0: never, as printed
    };

    explicit Ac3Tabu(const Parameters& parameters) : parameters_(parameters) {}

    Result solve(const Puzzle& puzzle, Control& control) const override;

private:
    Parameters parameters_;
};

}  // namespace sudokulab
