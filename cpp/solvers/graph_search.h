// Backtracking with ten rules as a filter and graph-based heuristics (San Segundo & Jiménez 2009).
//
// The auxiliary graph has a vertex for each candidate of each open cell, and an edge between two compatible candidates
// of different cells. It is never built: its edges are counted from the numbers of candidates and from the positions of
// each digit in each unit, by bit operations.
//
// A heuristic is a list of measures, each breaking the ties of those before it. Measures of variable scope choose a
// cell, whose values are then ordered by the other measures and tried in turn. Without any, all candidates of all cells
// compete: the best is tried, and if it fails it is removed, the board is filtered, and a new choice is made. Measures
// inside r1r2(...) are evaluated after placing the candidate and applying the first two rules.
#pragma once

#include <vector>

#include "grid/candidates.h"
#include "logic/rules.h"
#include "search/solver.h"

namespace sudokulab {

// The number of edges in the graph of a board.
std::int64_t count_edges(const Candidates& board);
// The number of edges incident to a candidate of the cell.
std::int64_t count_edges_of(const Candidates& board, int cell);

enum class Measure { lexicographic, num_candidates, num_empty, most_edges, fewest_edges, product };

struct Criterion {
    Measure measure;
    bool is_of_variable;
};

class GraphSearch : public CompleteSolver {
public:
    struct Parameters {
        std::vector<Criterion> before;  // on the current board, or with the candidate placed
        std::vector<Measure> after;     // inside r1r2(...)
        std::vector<Rule> rules;        // the filter, in order
    };

    explicit GraphSearch(Parameters parameters) : parameters_(std::move(parameters)) {}

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override;

private:
    Parameters parameters_;
};

}  // namespace sudokulab
