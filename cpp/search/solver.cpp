#include "search/solver.h"

#include <cassert>

#include "search/threads.h"

namespace sudokulab {

bool has_clash(const Puzzle& puzzle) {
    const Geometry& geometry = Geometry::of(puzzle.box);
    for (int unit = 0; unit < geometry.num_units(); ++unit) {
        std::uint64_t seen = 0;
        for (int position = 0; position < geometry.size(); ++position) {
            const int digit = puzzle.givens[static_cast<std::size_t>(geometry.cell(unit, position))];
            if (digit == 0) continue;
            const std::uint64_t bit = std::uint64_t{1} << (digit - 1);
            if ((seen & bit) != 0) return true;
            seen |= bit;
        }
    }
    return false;
}

Result Solver::solve_in_view(const Puzzle& puzzle, Control& control) const {
    control.begin_view(puzzle.givens);
    Result result = solve(puzzle, control);
    control.end_view(result.grid);
    return result;
}

Result CompleteSolver::solve(const Puzzle& puzzle, Control& control) const {
    const bool is_parallel = control.num_threads > 1;
    return run_search(*(is_parallel ? search_in_parallel(puzzle, control.num_threads) : search(puzzle)), control);
}

std::unique_ptr<Search> CompleteSolver::search_in_parallel(const Puzzle& puzzle, int) const { return search(puzzle); }

Result run_search(Search& search, Control& control) {
    Result result;
    result.status = search.next(control);
    if (result.status == Status::solved) {
        result.grid = search.grid();
        assert(std::find(result.grid.begin(), result.grid.end(), 0) == result.grid.end());
        result.cost = 0;
    }
    result.stats = search.stats();
    control.finish([&] { return search.frame(); });
    result.trace = std::move(control.trace);
    result.seconds = control.seconds();
    return result;
}

Count CompleteSolver::count(const Puzzle& puzzle, std::int64_t limit, Control& control) const {
    return count_solutions(*search(puzzle), limit, control);
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

std::vector<Result> Solver::solve_many(std::span<const Puzzle> puzzles, std::span<const std::uint64_t> seeds,
                                       const Budget& budget, int num_threads, const Interrupted& interrupted) const {
    assert(seeds.size() == puzzles.size());
    std::vector<Result> results(puzzles.size());
    run_parallel(puzzles.size(), num_threads, interrupted, [&](std::size_t i, const Interrupted& stop) {
        results[i] = run_guarded([&] {
            Control control(budget, seeds[i], 0, stop);
            return solve(puzzles[i], control);
        });
    });
    return results;
}

}  // namespace sudokulab
