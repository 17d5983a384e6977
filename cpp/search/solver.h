// What a solver is: a puzzle and a control in, an outcome out.
//
// A solver is an immutable set of parameters; everything that changes during a run lives on that run's stack, so one
// solver may serve many threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grid/geometry.h"
#include "search/control.h"

namespace sudokulab {

using Grid = std::vector<std::uint8_t>;  // row by row, 1..size, 0 for a blank

struct Problem {
    BoxShape box;
    Grid givens;
};

enum class Status { solved, unsatisfiable, unknown };

// Counters in the units of the papers, in the order in which they are shown.
using Stats = std::vector<std::pair<std::string, std::variant<std::int64_t, double>>>;

struct Outcome {
    Status status = Status::unknown;
    Grid grid;                   // the solution, empty unless solved
    std::optional<double> cost;  // of the best state met, for solvers that have a cost
    Stats stats;
    Trace trace;
    double seconds = 0;
    std::string error;  // why there is no answer, if the run broke down
};

class Solver {
public:
    Solver() = default;
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    virtual ~Solver() = default;

    virtual Outcome solve(const Problem& problem, Control& control) const = 0;
};

// A search through all solutions of one puzzle, resumed where it stood.
class Search {
public:
    Search() = default;
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    virtual ~Search() = default;

    // Solved: `grid` holds another solution. Unsatisfiable: there are no more. Unknown: out of budget.
    virtual Status next(Control& control) = 0;
    virtual Grid grid() const = 0;
    virtual Stats stats() const = 0;
};

// A solver that visits the whole space: it can prove that there is no solution, count and enumerate.
class CompleteSolver : public Solver {
public:
    virtual std::unique_ptr<Search> search(const Problem& problem) const = 0;

    Outcome solve(const Problem& problem, Control& control) const final;
};

struct Count {
    std::int64_t number = 0;
    bool is_exact = true;  // false if the budget ran out first; a limit that was reached is no such case
};

Count count_solutions(const CompleteSolver& solver, const Problem& problem, std::int64_t limit, Control& control);

// Solves each problem with its own seed on that many threads, outcomes in the order of the problems. A run that breaks
// down carries an error and harms no other. `interrupted` is asked from the calling thread only; once true, the runs
// under way stop and those not begun stay unknown.
std::vector<Outcome> solve_many(const Solver& solver, std::span<const Problem> problems,
                                std::span<const std::uint64_t> seeds, const Budget& budget, int num_threads,
                                const Interrupted& interrupted);

}  // namespace sudokulab
