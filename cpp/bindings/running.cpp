// Puzzles, budgets, cancellation, and the interface of all solvers.
#include <limits>
#include <stdexcept>

#include "bindings/conversions.h"
#include "bindings/results.h"
#include "bindings/without_gil.h"
#include "generation/minimal.h"
#include "grid/judge.h"
#include "solvers/auto.h"

namespace sudokulab {
namespace {

const char* to_text(Status status) {
    switch (status) {
        case Status::solved:
            return "solved";
        case Status::unsatisfiable:
            return "unsatisfiable";
        default:
            return "unknown";
    }
}

// A search that is kept open between solutions, with one budget for all of it.
class Enumeration {
public:
    Enumeration(const CompleteSolver& solver, const Puzzle& puzzle, const Budget& budget)
        : search_(solver.search(puzzle)), control_(budget, 0, 0, is_interrupted) {}

    const char* next() {
        return to_text(without_gil([&] { return search_->next(control_); }));
    }
    nb::bytes grid() const { return to_bytes(search_->grid()); }

private:
    std::unique_ptr<Search> search_;
    Control control_;
};

nb::any solve(const Solver& solver, nb::handle puzzle, const Budget& budget, std::uint64_t seed,
              std::size_t trace_capacity, Viewer* viewer, int num_threads, const nb::str& name,
              const Objects& classes) {
    const Puzzle givens = puzzle_of(puzzle);
    const Result result = without_gil([&] {
        Control control(budget, seed, trace_capacity, is_interrupted, viewer);
        control.num_threads = num_threads;
        return solver.solve_in_view(givens, control);
    });
    return ResultMaker(name, classes).make(result, puzzle, seed);
}

bool are_valid(const std::vector<Puzzle>& puzzles, const std::vector<Result>& results) {
    for (std::size_t i = 0; i < puzzles.size(); ++i) {
        const auto& [box, givens] = puzzles[i];
        const Result& result = results[i];
        if (result.status != Status::solved) continue;
        if (result.grid.size() != givens.size()) return false;
        if (!is_solution(result.grid.data(), givens.data(), box.rows, box.cols)) return false;
    }
    return true;
}

Results solve_batch(const Solver& solver, const Objects& puzzles, const std::vector<std::uint64_t>& seeds,
                    const Budget& budget, int num_threads, const nb::str& name, const Objects& classes) {
    if (puzzles.size() != seeds.size()) throw std::invalid_argument("expected one seed per puzzle");
    std::vector<Puzzle> givens;
    givens.reserve(puzzles.size());
    for (const nb::handle puzzle : puzzles) givens.push_back(puzzle_of(puzzle));
    bool are_all_valid = true;
    std::vector<Result> results = without_gil([&] {
        std::vector<Result> found = solver.solve_many(givens, seeds, budget, num_threads, is_interrupted);
        are_all_valid = are_valid(givens, found);
        return found;
    });
    return {puzzles, seeds, std::move(results), are_all_valid, ResultMaker(name, classes)};
}

std::vector<std::uint64_t> derive_seeds(std::uint64_t seed, std::uint64_t first, std::size_t number) {
    std::vector<std::uint64_t> seeds(number);
    for (std::size_t i = 0; i < number; ++i) seeds[i] = derive_seed(seed, first + i);
    return seeds;
}

std::pair<std::int64_t, bool> count(const CompleteSolver& solver, const Puzzle& puzzle, std::int64_t limit,
                                    const Budget& budget) {
    const Count count = without_gil([&] {
        Control control(budget, 0, 0, is_interrupted);
        return solver.count(puzzle, limit, control);
    });
    return {count.number, count.is_exact};
}

// Counts with at most this many nodes keep the GIL. They take less than a millisecond, and a thread that releases the
// GIL waits up to five milliseconds to get it back if others want it too.
constexpr std::int64_t few_nodes = 1'000;

std::optional<std::int64_t> count_nine(nb::handle text, nb::handle limit) {
    Puzzle puzzle{bulk_box, Grid(bulk_cells)};
    std::int64_t bound = std::numeric_limits<std::int64_t>::max();
    if (!read_nine(text, puzzle.givens.data())) return std::nullopt;
    if (!limit.is_none()) {
        int overflow = 0;
        if (!PyLong_CheckExact(limit.ptr())) return std::nullopt;
        bound = PyLong_AsLongLongAndOverflow(limit.ptr(), &overflow);
        if (overflow != 0 || bound < 0) return std::nullopt;
    }
    raise_interruption();
    Control brief(Budget{.nodes = few_nodes}, 0, 0, [] { return false; });
    Count count = Auto().count(puzzle, bound, brief);
    if (!count.is_exact) {
        count = without_gil([&] {
            Control control(Budget{}, 0, 0, is_interrupted);
            return Auto().count(puzzle, bound, control);
        });
    }
    return count.number;
}

// Counts the solutions up to two and, if there is exactly one, asks the question; all within one budget. The answer is
// missing unless there is exactly one solution, and the count if the budget ran out.
template <class Question>
auto ask_if_unique(const Puzzle& puzzle, const Budget& budget, std::uint64_t seed, Question question) {
    return without_gil([&] {
        Control control(budget, seed, 0, is_interrupted);
        using Answer = decltype(question(puzzle, control));
        const Count count = Auto().count(puzzle, 2, control);
        std::pair<std::optional<std::int64_t>, Answer> result;
        if (!count.is_exact) return result;
        result.first = count.number;
        if (count.number != 1) return result;
        result.second = question(puzzle, control);
        if (!result.second) result.first.reset();
        return result;
    });
}

std::pair<std::optional<std::int64_t>, std::optional<std::vector<int>>> find_redundant_givens(const Puzzle& puzzle,
                                                                                              const Budget& budget) {
    return ask_if_unique(puzzle, budget, 0, redundant_givens);
}

std::pair<std::optional<std::int64_t>, std::optional<nb::bytes>> minimize_givens(const Puzzle& puzzle,
                                                                                 const Budget& budget,
                                                                                 std::uint64_t seed) {
    const auto [number, givens] = ask_if_unique(puzzle, budget, seed, minimize);
    return {number, givens ? std::optional(to_bytes(*givens)) : std::nullopt};
}

}  // namespace

void bind_running(nb::module_& m) {
    nb::class_<Puzzle>(m, "Puzzle", "A puzzle in its native form.")
        .def(
            "__init__",
            [](Puzzle* self, int box_rows, int box_cols, const nb::bytes& givens) {
                new (self) Puzzle(make_puzzle(box_rows, box_cols, givens));
            },
            "box_rows"_a, "box_cols"_a, "givens"_a);

    nb::class_<Budget>(m, "Budget", "Limits of a run; None means no limit.")
        .def(
            "__init__",
            [](Budget* self, std::optional<double> seconds, std::optional<std::int64_t> iterations,
               std::optional<std::int64_t> nodes, bool is_cpu_time) {
                const Budget unlimited;
                new (self) Budget{seconds.value_or(unlimited.seconds), iterations.value_or(unlimited.iterations),
                                  nodes.value_or(unlimited.nodes), is_cpu_time};
            },
            "seconds"_a.none() = nb::none(), "iterations"_a.none() = nb::none(), "nodes"_a.none() = nb::none(),
            "is_cpu_time"_a = false);

    nb::class_<Cancellation>(
        m, "Cancellation",
        "A token to stop searches from another thread.\n\n"
        "Every search, count, rating and generation that a thread starts inside ``with token:`` ends "
        "with `CancelledError` as soon as any thread calls `cancel`.")
        .def(nb::init<>())
        .def(
            "__enter__",
            [](Cancellation& self) -> Cancellation& {
                self.enter();
                return self;
            },
            nb::rv_policy::reference)
        .def(
            "__exit__", [](Cancellation& self, const nb::args&) { self.exit(); }, "exception"_a,
            nb::sig("def __exit__(self, *exception: object) -> None"))
        .def("cancel", &Cancellation::cancel, "Stop the searches, from any thread.")
        .def_prop_ro("is_cancelled", &Cancellation::is_cancelled, "Whether `cancel` has been called.");
    m.def("raise_if_cancelled", &raise_interruption, "Raise CancelledError if this thread has been cancelled.");

    nb::class_<Solver>(m, "Solver", "A set of parameters that can solve puzzles, in many threads at once.")
        .def("solve", &solve, "puzzle"_a, "budget"_a, "seed"_a, "trace_capacity"_a, "viewer"_a.none(), "num_threads"_a,
             "name"_a, "classes"_a,
             "Return the result, not yet verified. The classes are Result, Puzzle, and the statuses solved, "
             "unsatisfiable and unknown.")
        .def("solve_many", &solve_batch, "puzzles"_a, "seeds"_a, "budget"_a, "num_threads"_a, "name"_a, "classes"_a,
             "Return the results in the order of the puzzles.");

    nb::class_<CompleteSolver, Solver>(m, "CompleteSolver", "A solver that can also count and enumerate.")
        .def("count", &count, "puzzle"_a, "limit"_a, "budget"_a,
             "Return the number of solutions up to the limit, and whether the budget sufficed to be sure of it.");

    nb::class_<Enumeration>(m, "Enumeration", "The solutions of a puzzle, one by one.")
        .def(nb::init<const CompleteSolver&, const Puzzle&, const Budget&>(), "solver"_a, "puzzle"_a, "budget"_a,
             nb::keep_alive<1, 2>())
        .def("next", &Enumeration::next, "Search for the next solution and return the status.")
        .def("grid", &Enumeration::grid, "Return the solution that `next` found.");

    m.def("count_nine", &count_nine, "text"_a.none(), "limit"_a.none(),
          "Return the number of solutions of a plain 9×9 text, up to the limit. None if the text is not plain, or the "
          "limit is neither None nor an integer from 0.");
    m.def("derive_seed", &derive_seed, "seed"_a, "index"_a, "Return the seed of one run of a batch.");
    m.def("derive_seeds", &derive_seeds, "seed"_a, "first"_a, "number"_a,
          "Return the seeds of runs of a batch, from this index on.");
    m.def("redundant_givens", &find_redundant_givens, "puzzle"_a, "budget"_a,
          "Return the number of solutions up to 2 (None if the budget ran out) and, if it is 1, the cells whose given "
          "is redundant.");
    m.def(
        "minimize", &minimize_givens, "puzzle"_a, "budget"_a, "seed"_a,
        "Return the number of solutions up to 2 (None if the budget ran out) and, if it is 1, the givens of a minimal "
        "puzzle.");
}

}  // namespace sudokulab
