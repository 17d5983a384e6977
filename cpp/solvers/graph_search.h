// Backtracking with ten rules as filter and graph-based heuristics (San Segundo & Jiménez 2009).
//
// The auxiliary graph has a vertex for each candidate of each open cell, and an edge between two candidates of
// different cells that can stand together. It is never built: its edges are counted from the numbers of candidates and
// from the positions of each digit in each unit, by bit operations.
//
// A heuristic is a list of measures, each breaking the ties of those before it. Measures of variable scope choose a
// cell, whose values are then ordered by the others and tried in turn; without any, all candidates of all cells
// compete, the best is tried, and if it fails it is removed, the board filtered, and the choice made anew. Measures
// inside r1r2(...) are taken after the candidate was placed and the first two rules were applied.
#pragma once

#include <vector>

#include "grid/candidates.h"
#include "logic/rules.h"
#include "search/solver.h"

namespace sudokulab {

// What the graph of a board measures.
std::int64_t count_edges(const Candidates& board);
// Edges with an end in a candidate of the cell.
std::int64_t count_edges_of(const Candidates& board, int cell);

enum class Measure { lexicographic, num_candidates, num_empty, most_edges, fewest_edges, product };

struct Criterion {
    Measure measure;
    bool is_of_variable;
};

class GraphSearch : public CompleteSolver {
public:
    struct Parameters {
        std::vector<Criterion> before;  // on the board as it is, or with the candidate placed
        std::vector<Measure> after;     // inside r1r2(...)
        std::vector<Rule> rules;        // the filter, in order
    };

    explicit GraphSearch(Parameters parameters) : parameters_(std::move(parameters)) {}

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override;

private:
    Parameters parameters_;
};

}  // namespace sudokulab
