// Backtracking with ten rules as a filter and graph-based heuristics (San Segundo & Jiménez 2009).
//
// The auxiliary graph has a vertex for each candidate of each open cell, and an edge between two compatible candidates
// of different cells. It is never built: its edges are counted from the numbers of candidates and from the positions of
// each digit in each unit, by bit operations.
//
// A heuristic is a list of measures, each breaking the ties of those before it. Measures of variable scope choose a
// cell, whose values are then ordered by the other measures. Without any, all candidates of all cells compete. Measures
// inside r1r2(...) are evaluated after placing the candidate and applying the first two rules, which may refute it.
//
// The paper leaves several points open; each reading is a parameter, described in the Python class.
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

// What happens to a candidate that r1r2 refutes: it is tried last, or not at all, or it is removed from the board,
// which is filtered again before the choice is repeated, or (ties first) before the choice is carried out as made.
enum class Refuted { last, drop, remove, ties_first };
// Which candidates in scope r1r2 tests: those that the measures before it leave tied, or all.
enum class Tested { ties, all };
// With variable scope: how ties between cells are broken, by reading order or by r1r2 of their values.
enum class TiedCells { first, tested };
// With variable scope: whether the values of the cell are tried in turn, or a failed value is removed, the board
// filtered and the choice repeated. Without variable scope, branching is always two-way: trying all candidates in turn
// would find every solution many times.
enum class Branching { d_way, two_way };
// What G measures.
enum class Invariant { edges, density };

class GraphSearch : public CompleteSolver {
public:
    struct Parameters {
        std::vector<Criterion> before;  // on the current board, or with the candidate placed
        std::vector<Measure> after;     // inside r1r2(...)
        std::vector<Rule> rules;        // the filter, in order
        Refuted refuted = Refuted::remove;
        Tested tested = Tested::ties;
        TiedCells tied_cells = TiedCells::first;
        Branching branching = Branching::d_way;
        Invariant invariant = Invariant::edges;
    };

    explicit GraphSearch(Parameters parameters) : parameters_(std::move(parameters)) {}

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override;

private:
    Parameters parameters_;
};

}  // namespace sudokulab
