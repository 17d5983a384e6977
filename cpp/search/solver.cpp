#include "search/solver.h"

#include <exception>

#include "search/threads.h"

namespace sudokulab {

Outcome CompleteSolver::solve(const Problem& problem, Control& control) const {
    const auto search = this->search(problem);
    Outcome outcome;
    outcome.status = search->next(control);
    if (outcome.status == Status::solved) {
        outcome.grid = search->grid();
        outcome.cost = 0;
    }
    outcome.stats = search->stats();
    outcome.trace = std::move(control.trace);
    outcome.seconds = control.seconds();
    return outcome;
}

Count count_solutions(const CompleteSolver& solver, const Problem& problem, std::int64_t limit, Control& control) {
    const auto search = solver.search(problem);
    Count count;
    while (count.number < limit) {
        const Status status = search->next(control);
        if (status == Status::solved) {
            ++count.number;
        } else {
            count.is_exact = status == Status::unsatisfiable;
            break;
        }
    }
    return count;
}

namespace {

Outcome run_one(const Solver& solver, const Problem& problem, std::uint64_t seed, const Budget& budget,
                const Interrupted& interrupted) {
    try {
        Control control(budget, seed, 0, interrupted);
        return solver.solve(problem, control);
    } catch (const std::exception& exception) {
        Outcome outcome;
        outcome.error = exception.what();
        return outcome;
    }
}

}  // namespace

std::vector<Outcome> solve_many(const Solver& solver, std::span<const Problem> problems,
                                std::span<const std::uint64_t> seeds, const Budget& budget, int num_threads,
                                const Interrupted& interrupted) {
    std::vector<Outcome> outcomes(problems.size());
    run_parallel(problems.size(), num_threads, interrupted, [&](std::size_t i, const Interrupted& stop) {
        outcomes[i] = run_one(solver, problems[i], seeds[i], budget, stop);
    });
    return outcomes;
}

}  // namespace sudokulab
