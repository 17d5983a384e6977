// Ant Colony System with best value evaporation (Lloyd & Amos 2019); equation numbers are the paper's.
//
// Each ant walks over all cells of its own copy of the board, each from a different starting cell, and chooses a digit
// for each open cell by pheromone; the consequences of a choice are propagated immediately. A cell that runs out of
// candidates is a failure, but the walk continues. The best walk so far deposits pheromone; its value evaporates, so
// that it will be replaced.
//
// TRAP: in eq. 3 the choice is greedy if q > q0, the reverse of the usual rule of the Ant Colony System. This is
// intended: with q0 = 0.9, nine choices in ten are weighted.
#pragma once

#include "search/solver.h"
#include "solvers/parts/filter.h"
#include "solvers/parts/propagation.h"

namespace sudokulab {

class AntColony : public Solver {
public:
    struct Parameters {
        int ants;            // m
        double q0;           // greediness
        double rho;          // weight of the best value in the global update
        double xi;           // weight of the initial value in the local update
        double evaporation;  // f_BVE
        Propagation propagation;
    };

    AntColony(const Parameters& parameters, Filter filter) : parameters_(parameters), filter_(std::move(filter)) {}

    Result solve(const Puzzle& puzzle, Control& control) const override;

private:
    template <class SomeBoard>
    Result solve_from(SomeBoard start, const std::optional<Grid>& fixed, Control& control) const;

    Parameters parameters_;
    Filter filter_;
};

}  // namespace sudokulab
