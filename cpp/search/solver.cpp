#include "search/solver.h"

#include "search/threads.h"

namespace sudokulab {

Outcome CompleteSolver::solve(const Problem& problem, Control& control) const {
    return run_search(*search(problem), control);
}

Outcome run_search(Search& search, Control& control) {
    Outcome outcome;
    outcome.status = search.next(control);
    if (outcome.status == Status::solved) {
        outcome.grid = search.grid();
        outcome.cost = 0;
    }
    outcome.stats = search.stats();
    if (control.trace.is_on()) control.trace.add_last(search.trace_row());
    outcome.trace = std::move(control.trace);
    outcome.seconds = control.seconds();
    return outcome;
}

Count CompleteSolver::count(const Problem& problem, std::int64_t limit, Control& control) const {
    return count_solutions(*search(problem), limit, control);
}

Count count_solutions(Search& search, std::int64_t limit, Control& control, Grid* first) {
    Count count;
    while (count.number < limit) {
        const Status status = search.next(control);
        if (status == Status::solved) {
            if (++count.number == 1 && first != nullptr) *first = search.grid();
        } else {
            count.is_exact = status == Status::unsatisfiable;
            break;
        }
    }
    return count;
}

std::vector<Outcome> Solver::solve_many(std::span<const Problem> problems, std::span<const std::uint64_t> seeds,
                                        const Budget& budget, int num_threads, const Interrupted& interrupted) const {
    std::vector<Outcome> outcomes(problems.size());
    run_parallel(problems.size(), num_threads, interrupted, [&](std::size_t i, const Interrupted& stop) {
        outcomes[i] = run_guarded([&] {
            Control control(budget, seeds[i], 0, stop);
            return solve(problems[i], control);
        });
    });
    return outcomes;
}

}  // namespace sudokulab
