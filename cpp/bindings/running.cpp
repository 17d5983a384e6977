// Puzzles, budgets, results, and the interface of all solvers.
#include <nanobind/ndarray.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bindings/border.h"
#include "generation/minimal.h"
#include "logic/techniques/catalogue.h"
#include "solvers/auto.h"

namespace sudokulab {

Puzzle make_puzzle(int box_rows, int box_cols, const nb::bytes& givens) {
    const BoxShape box{box_rows, box_cols};
    if (box_rows < 1 || box_cols < 1 || box_rows > max_size || box_cols > max_size || box.size() > max_size) {
        throw std::invalid_argument("box shape out of range");
    }
    const auto* first = static_cast<const std::uint8_t*>(givens.data());
    Grid cells(first, first + givens.size());
    if (cells.size() != static_cast<std::size_t>(box.num_cells()) ||
        std::any_of(cells.begin(), cells.end(), [&](std::uint8_t digit) { return digit > box.size(); })) {
        throw std::invalid_argument("givens do not fit the box shape");
    }
    return {box, std::move(cells)};
}

std::vector<Rule> rules_of(const std::vector<int>& numbers) {
    std::vector<Rule> rules;
    for (const int number : numbers) {
        if (number < 0 || number >= static_cast<int>(num_rules)) throw std::invalid_argument("no such rule");
        rules.push_back(static_cast<Rule>(number));
    }
    return rules;
}

std::vector<techniques::Technique> techniques_named(const std::vector<std::string>& names) {
    std::vector<techniques::Technique> order;
    for (const std::string& name : names) {
        const std::optional<techniques::Technique> found = techniques::technique_named(name);
        if (!found) throw std::invalid_argument("unknown technique: " + name);
        order.push_back(*found);
    }
    return order;
}

Filter filter_named(const std::string& name) {
    if (name == "none") return {};
    if (name == "cp") return {Filter::Kind::cp, {}};
    if (name == "ac3") return {Filter::Kind::ac3, {}};
    if (name == "rules") return {Filter::Kind::rules, {}};
    std::vector<std::string> names;
    std::istringstream list(name);
    for (std::string entry; std::getline(list, entry, ',');) names.push_back(entry);
    return {Filter::Kind::techniques, techniques_named(names)};
}

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

using Number = Stats::value_type::second_type;
using Column = nb::ndarray<nb::numpy, const double>;

nb::typed<nb::dict, nb::str, Number> to_dict(const Stats& stats) {
    nb::dict dict;
    for (const auto& stat : stats) {  // no structured binding: clang cannot capture one
        std::visit([&](auto number) { dict[stat.first.c_str()] = number; }, stat.second);
    }
    return nb::borrow<nb::typed<nb::dict, nb::str, Number>>(dict);
}

nb::typed<nb::dict, nb::str, Column> to_dict(const Trace& trace) {
    nb::dict dict;
    for (std::size_t k = 0; k < trace.names().size(); ++k) {
        const auto& column = trace.columns()[k];
        dict[trace.names()[k].c_str()] = nb::cast(Column(column.data(), {column.size()}), nb::rv_policy::copy);
    }
    return nb::borrow<nb::typed<nb::dict, nb::str, Column>>(dict);
}

nb::typed<nb::dict, nb::str, Column> matrices_of(const Trace& trace) {
    nb::dict dict;
    if (!trace.snapshot_name().empty()) {
        const auto& values = trace.snapshot();
        const std::size_t width = trace.snapshot_width();
        dict[trace.snapshot_name().c_str()] =
            nb::cast(Column(values.data(), {values.size() / width, width}), nb::rv_policy::copy);
    }
    return nb::borrow<nb::typed<nb::dict, nb::str, Column>>(dict);
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

Result solve(const Solver& solver, const Puzzle& puzzle, const Budget& budget, std::uint64_t seed,
             std::size_t trace_capacity, Viewer* viewer, int num_threads) {
    return without_gil([&] {
        Control control(budget, seed, trace_capacity, is_interrupted, viewer);
        control.num_threads = num_threads;
        return solver.solve_in_view(puzzle, control);
    });
}

std::vector<Result> solve_batch(const Solver& solver, const std::vector<Puzzle>& puzzles,
                                const std::vector<std::uint64_t>& seeds, const Budget& budget, int num_threads) {
    if (puzzles.size() != seeds.size()) throw std::invalid_argument("expected one seed per puzzle");
    return without_gil([&] { return solver.solve_many(puzzles, seeds, budget, num_threads, is_interrupted); });
}

std::pair<std::int64_t, bool> count(const CompleteSolver& solver, const Puzzle& puzzle, std::int64_t limit,
                                    const Budget& budget) {
    const Count count = without_gil([&] {
        Control control(budget, 0, 0, is_interrupted);
        return solver.count(puzzle, limit, control);
    });
    return {count.number, count.is_exact};
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

    nb::class_<Cancellation>(m, "Cancellation",
                             "A context in which other threads can stop the searches of the thread that entered it. "
                             "They raise KeyboardInterrupt, as after Ctrl-C.")
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
        .def_prop_ro("is_cancelled", &Cancellation::is_cancelled);

    nb::class_<Result>(m, "Result", "The result of a run, not yet verified.")
        .def_prop_ro("status", [](const Result& result) { return to_text(result.status); })
        .def_prop_ro("grid",
                     [](const Result& result) -> std::optional<nb::bytes> {
                         if (result.grid.empty()) return std::nullopt;
                         return to_bytes(result.grid);
                     })
        .def_ro("cost", &Result::cost)
        .def_prop_ro("stats", [](const Result& result) { return to_dict(result.stats); })
        .def_prop_ro("trace", [](const Result& result) { return to_dict(result.trace); })
        .def_prop_ro("matrices", [](const Result& result) { return matrices_of(result.trace); })
        .def_ro("seconds", &Result::seconds)
        .def_ro("error", &Result::error);

    nb::class_<Solver>(m, "Solver", "A set of parameters that can solve puzzles, in many threads at once.")
        .def("solve", &solve, "puzzle"_a, "budget"_a, "seed"_a, "trace_capacity"_a, "viewer"_a.none() = nb::none(),
             "num_threads"_a = 1)
        .def("solve_many", &solve_batch, "puzzles"_a, "seeds"_a, "budget"_a, "num_threads"_a);

    nb::class_<CompleteSolver, Solver>(m, "CompleteSolver", "A solver that can also count and enumerate.")
        .def("count", &count, "puzzle"_a, "limit"_a, "budget"_a,
             "Return the number of solutions up to the limit, and whether the budget sufficed to be sure of it.");

    nb::class_<Enumeration>(m, "Enumeration", "The solutions of a puzzle, one by one.")
        .def(nb::init<const CompleteSolver&, const Puzzle&, const Budget&>(), "solver"_a, "puzzle"_a, "budget"_a,
             nb::keep_alive<1, 2>())
        .def("next", &Enumeration::next, "Search for the next solution and return the status.")
        .def("grid", &Enumeration::grid, "Return the solution that `next` found.");

    m.def("derive_seed", &derive_seed, "seed"_a, "index"_a, "Return the seed of one run of a batch.");
    m.def("redundant_givens", &find_redundant_givens, "puzzle"_a, "budget"_a,
          "Return the number of solutions up to 2 (None if the budget ran out) and, if it is 1, the cells whose given "
          "is redundant.");
    m.def(
        "minimize", &minimize_givens, "puzzle"_a, "budget"_a, "seed"_a,
        "Return the number of solutions up to 2 (None if the budget ran out) and, if it is 1, the givens of a minimal "
        "puzzle.");
}

}  // namespace sudokulab
