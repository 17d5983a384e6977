// The border to Python: types translated, the GIL released around every search, Ctrl-C passed on. Nothing is computed
// here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "../minimal.h"
#include "../parallel.h"
#include "../rating.h"
#include "../roulette.h"
#include "../rules.h"
#include "../solver.h"
#include "../solvers/ac3_tabu.h"
#include "../solvers/annealing.h"
#include "../solvers/ant_colony.h"
#include "../solvers/backtracking.h"
#include "../solvers/dlx.h"
#include "../solvers/genetic.h"
#include "../solvers/graph_search.h"
#include "../solvers/hill_climbing.h"
#include "../solvers/iterated_local_search.h"
#include "../solvers/tabu.h"
#include "../tabu_list.h"
#include "../trial.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sudokulab {
namespace {

// Runs Python's signal handlers; true if one of them raised (KeyboardInterrupt). Only the main thread has any to run.
bool signal_raised() {
    const nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

// Calls `search` without the GIL, then raises what a signal handler may have raised meanwhile.
template <class Search>
auto without_gil(Search search) {
    auto result = [&] {
        const nb::gil_scoped_release release;
        return search();
    }();
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return result;
}

Problem make_problem(int box_rows, int box_cols, const nb::bytes& givens) {
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

nb::bytes to_bytes(const Grid& grid) { return nb::bytes(grid.data(), grid.size()); }

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
    for (const auto& [name, value] : stats) {
        std::visit([&](auto number) { dict[name.c_str()] = number; }, value);
    }
    return nb::borrow<nb::typed<nb::dict, nb::str, Number>>(dict);
}

nb::typed<nb::dict, nb::str, Column> to_dict(const Trace& trace) {
    nb::dict dict;
    for (std::size_t k = 0; k < trace.names().size(); ++k) {
        const auto& column = trace.columns()[k];
        dict[trace.names()[k].c_str()] = nb::cast(Column(column.data(), {column.size()}), nb::rv_policy::copy);
    }
    if (!trace.snapshot_name().empty()) {
        const auto& values = trace.snapshot();
        const std::size_t width = trace.snapshot_width();
        dict[trace.snapshot_name().c_str()] =
            nb::cast(Column(values.data(), {values.size() / width, width}), nb::rv_policy::copy);
    }
    return nb::borrow<nb::typed<nb::dict, nb::str, Column>>(dict);
}

Filter filter_named(const std::string& name) {
    if (name == "none") return Filter::none;
    if (name == "cp") return Filter::cp;
    if (name == "ac3") return Filter::ac3;
    throw std::invalid_argument("no filter named " + name);
}

Domains ac3_domains(const Problem& problem) {
    Domains domains = initial_domains(problem);
    ConstraintNetwork::of_sudoku(problem.box).ac3(domains);
    return domains;
}

nb::bytes initial_placement(const Problem& problem, bool has_post_swap, std::uint64_t seed) {
    BoxPermutation state(Geometry::of(problem.box), problem.givens);
    const FixedClashes clashes(state);
    Rng rng(seed);
    place_greedily(state, clashes, false, rng);
    if (has_post_swap) swap_away_clashes(state, clashes, rng);
    return to_bytes(state.grid());
}

std::vector<Rule> rules_of(const std::vector<int>& numbers) {
    std::vector<Rule> rules;
    for (const int number : numbers) rules.push_back(static_cast<Rule>(number));
    return rules;
}

// What the rules make of a puzzle.
struct Deduced {
    Deduction deduction;
    std::vector<Step> steps;
    Grid grid;
    std::vector<std::uint64_t> candidates;
};

Deduced deduce_problem(const Problem& problem, const std::vector<int>& rules, std::size_t max_steps) {
    return without_gil([&] {
        Deduced deduced;
        Board board(Geometry::of(problem.box));
        if (place_givens_alone(board, problem.givens)) {
            deduced.deduction = deduce(board, rules_of(rules), max_steps > 0 ? &deduced.steps : nullptr,
                                       max_steps > 0 ? max_steps : SIZE_MAX);
        } else {
            deduced.deduction.is_contradiction = true;
        }
        deduced.grid = board.grid();
        for (int cell = 0; cell < board.geometry().num_cells(); ++cell)
            deduced.candidates.push_back(board.candidates(cell));
        return deduced;
    });
}

std::vector<Rating> rate_many(const std::vector<Problem>& problems, const std::vector<int>& rules, int num_relabelings,
                              std::uint64_t seed, const Budget& budget, int num_threads) {
    const std::vector<Rule> order = rules_of(rules);
    return without_gil([&] {
        std::vector<Rating> ratings(problems.size());
        run_parallel(problems.size(), num_threads, signal_raised, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, seed, 0, stop);  // the same relabelings for every puzzle: its rating is its own
            ratings[i] = rate(problems[i], order, num_relabelings, control);
        });
        return ratings;
    });
}

std::vector<Trial> trial_many(const std::vector<Problem>& problems, const std::vector<int>& rules, const Budget& budget,
                              int num_threads) {
    const std::vector<Rule> order = rules_of(rules);
    return without_gil([&] {
        std::vector<Trial> trials(problems.size());
        run_parallel(problems.size(), num_threads, signal_raised, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, 0, 0, stop);
            trials[i] = try_one_level(problems[i], order, control);
        });
        return trials;
    });
}

std::vector<std::int64_t> to_list(const std::array<std::int64_t, num_rules>& firings) {
    return {firings.begin(), firings.end()};
}

std::vector<std::pair<int, int>> to_pairs(const std::vector<Board::Single>& singles) {
    std::vector<std::pair<int, int>> pairs;
    for (const Board::Single& single : singles) pairs.push_back({single.cell, single.digit + 1});
    return pairs;
}

// A search held open between two solutions, with the budget of the whole of it.
class Enumeration {
public:
    Enumeration(const CompleteSolver& solver, const Problem& problem, const Budget& budget)
        : search_(solver.search(problem)), control_(budget, 0, 0, signal_raised) {}

    const char* next() {
        return to_text(without_gil([&] { return search_->next(control_); }));
    }
    nb::bytes grid() const { return to_bytes(search_->grid()); }

private:
    std::unique_ptr<Search> search_;
    Control control_;
};

Outcome solve(const Solver& solver, const Problem& problem, const Budget& budget, std::uint64_t seed,
              std::size_t trace_capacity) {
    return without_gil([&] {
        Control control(budget, seed, trace_capacity, signal_raised);
        return solver.solve(problem, control);
    });
}

std::vector<Outcome> solve_batch(const Solver& solver, const std::vector<Problem>& problems,
                                 const std::vector<std::uint64_t>& seeds, const Budget& budget, int num_threads) {
    if (problems.size() != seeds.size()) throw std::invalid_argument("one seed for each problem");
    return without_gil([&] { return solve_many(solver, problems, seeds, budget, num_threads, signal_raised); });
}

std::pair<std::int64_t, bool> count(const CompleteSolver& solver, const Problem& problem, std::int64_t limit,
                                    const Budget& budget) {
    const Count count = without_gil([&] {
        Control control(budget, 0, 0, signal_raised);
        return count_solutions(solver, problem, limit, control);
    });
    return {count.number, count.is_exact};
}

// Counts the solutions up to two and, if there is just one, asks the question; all within one budget. The answer is
// missing if there is not just one, and the count if the budget ran out.
template <class Question>
auto ask_if_unique(const Problem& problem, const Budget& budget, std::uint64_t seed, Question question) {
    return without_gil([&] {
        Control control(budget, seed, 0, signal_raised);
        using Answer = decltype(question(problem, control));
        const Count count = count_solutions(Backtracking(), problem, 2, control);
        std::pair<std::optional<std::int64_t>, Answer> result;
        if (!count.is_exact) return result;
        result.first = count.number;
        if (count.number != 1) return result;
        result.second = question(problem, control);
        if (!result.second) result.first.reset();
        return result;
    });
}

std::pair<std::optional<std::int64_t>, std::optional<std::vector<int>>> find_redundant_givens(const Problem& problem,
                                                                                              const Budget& budget) {
    return ask_if_unique(problem, budget, 0, redundant_givens);
}

std::pair<std::optional<std::int64_t>, std::optional<nb::bytes>> minimize_givens(const Problem& problem,
                                                                                 const Budget& budget,
                                                                                 std::uint64_t seed) {
    const auto [number, givens] = ask_if_unique(problem, budget, seed, minimize);
    return {number, givens ? std::optional(to_bytes(*givens)) : std::nullopt};
}

}  // namespace
}  // namespace sudokulab

NB_MODULE(_core, m) {
    using namespace sudokulab;
    m.doc() = "The native core. Not a public interface: use the package around it.";

    nb::class_<Problem>(m, "Problem", "A puzzle as the core sees it.")
        .def(
            "__init__",
            [](Problem* self, int box_rows, int box_cols, const nb::bytes& givens) {
                new (self) Problem(make_problem(box_rows, box_cols, givens));
            },
            "box_rows"_a, "box_cols"_a, "givens"_a);

    nb::class_<Budget>(m, "Budget", "Limits of a run; None means no limit.")
        .def(
            "__init__",
            [](Budget* self, std::optional<double> seconds, std::optional<std::int64_t> iterations,
               std::optional<std::int64_t> nodes) {
                const Budget unlimited;
                new (self) Budget{seconds.value_or(unlimited.seconds), iterations.value_or(unlimited.iterations),
                                  nodes.value_or(unlimited.nodes)};
            },
            "seconds"_a.none() = nb::none(), "iterations"_a.none() = nb::none(), "nodes"_a.none() = nb::none());

    nb::class_<Outcome>(m, "Outcome", "What a run came to, before anyone has verified it.")
        .def_prop_ro("status", [](const Outcome& outcome) { return to_text(outcome.status); })
        .def_prop_ro("grid",
                     [](const Outcome& outcome) -> std::optional<nb::bytes> {
                         if (outcome.grid.empty()) return std::nullopt;
                         return to_bytes(outcome.grid);
                     })
        .def_ro("cost", &Outcome::cost)
        .def_prop_ro("stats", [](const Outcome& outcome) { return to_dict(outcome.stats); })
        .def_prop_ro("trace", [](const Outcome& outcome) { return to_dict(outcome.trace); })
        .def_ro("seconds", &Outcome::seconds)
        .def_ro("error", &Outcome::error);

    nb::class_<Solver>(m, "Solver", "A set of parameters that can solve puzzles, from many threads at once.")
        .def("solve", &solve, "problem"_a, "budget"_a, "seed"_a, "trace_capacity"_a)
        .def("solve_many", &solve_batch, "problems"_a, "seeds"_a, "budget"_a, "num_threads"_a);

    nb::class_<CompleteSolver, Solver>(m, "CompleteSolver", "A solver that can also count and enumerate.")
        .def("count", &count, "problem"_a, "limit"_a, "budget"_a,
             "The number of solutions up to the limit, and whether the budget sufficed to be sure of it.");

    nb::class_<SwapSearch, Solver>(m, "SwapSearch", "A solver on box permutations, with a filter before it.");

    nb::class_<Enumeration>(m, "Enumeration", "The solutions of a puzzle, one after the other.")
        .def(nb::init<const CompleteSolver&, const Problem&, const Budget&>(), "solver"_a, "problem"_a, "budget"_a,
             nb::keep_alive<1, 2>())
        .def("next", &Enumeration::next, "Look for another solution; the status of doing so.")
        .def("grid", &Enumeration::grid, "The solution that `next` found.");

    nb::class_<Ac3Tabu, Solver>(m, "Ac3Tabu")
        .def(
            "__init__",
            [](Ac3Tabu* self, int tabu_size, int candidates, std::int64_t restart_after) {
                new (self) Ac3Tabu({tabu_size, candidates, restart_after});
            },
            "tabu_size"_a, "candidates"_a, "restart_after"_a);
    nb::class_<Annealing, SwapSearch>(m, "Annealing")
        .def(
            "__init__",
            [](Annealing* self, double cooling, int sampling_moves, double moves_factor, std::int64_t reheat_after,
               const std::string& filter) {
                new (self) Annealing({cooling, sampling_moves, moves_factor, reheat_after}, filter_named(filter));
            },
            "cooling"_a, "sampling_moves"_a, "moves_factor"_a, "reheat_after"_a, "filter"_a);
    nb::class_<AntColony, Solver>(m, "AntColony")
        .def(
            "__init__",
            [](AntColony* self, int ants, double q0, double rho, double xi, double evaporation,
               const std::string& propagation) {
                new (self) AntColony({ants, q0, rho, xi, evaporation, propagation != "ac3"});
            },
            "ants"_a, "q0"_a, "rho"_a, "xi"_a, "evaporation"_a, "propagation"_a);
    nb::class_<Backtracking, CompleteSolver>(m, "Backtracking").def(nb::init<>());
    nb::class_<Dlx, CompleteSolver>(m, "Dlx").def(nb::init<>());
    nb::class_<Genetic, SwapSearch>(m, "Genetic")
        .def(
            "__init__",
            [](Genetic* self, int population, int elite, double crossover, double mutation, std::int64_t restart_after,
               const std::string& filter) {
                new (self) Genetic({population, elite, crossover, mutation, restart_after}, filter_named(filter));
            },
            "population"_a, "elite"_a, "crossover"_a, "mutation"_a, "restart_after"_a, "filter"_a);
    nb::class_<HillClimbing, SwapSearch>(m, "HillClimbing")
        .def(
            "__init__",
            [](HillClimbing* self, double w1, double w2, bool greedy, bool post_swap, int plateau,
               const std::string& filter) {
                new (self) HillClimbing({w1, w2, greedy, post_swap, plateau}, filter_named(filter));
            },
            "w1"_a, "w2"_a, "greedy"_a, "post_swap"_a, "plateau"_a, "filter"_a);
    nb::class_<IteratedLocalSearch, SwapSearch>(m, "IteratedLocalSearch")
        .def(
            "__init__",
            [](IteratedLocalSearch* self, int tabu_size, std::int64_t local_iterations, double perturbation,
               std::int64_t refill_nodes, double acceptance, const std::string& filter) {
                new (self) IteratedLocalSearch({tabu_size, local_iterations, perturbation, refill_nodes, acceptance},
                                               filter_named(filter));
            },
            "tabu_size"_a, "local_iterations"_a, "perturbation"_a, "refill_nodes"_a, "acceptance"_a, "filter"_a);
    nb::class_<Tabu, SwapSearch>(m, "Tabu").def(
        "__init__",
        [](Tabu* self, int tabu_size, int candidates, std::int64_t restart_after, const std::string& filter) {
            new (self) Tabu({tabu_size, candidates, restart_after}, filter_named(filter));
        },
        "tabu_size"_a, "candidates"_a, "restart_after"_a, "filter"_a);

    nb::class_<ConstraintNetwork>(m, "ConstraintNetwork", "Binary constraints over domains of at most 64 values.")
        .def(nb::init<int>(), "num_variables"_a)
        .def(
            "add_constraint",
            [](ConstraintNetwork& self, int first, int second, ConstraintNetwork::Relation supports,
               ConstraintNetwork::Relation reverse) {
                const int relation = self.add_relation(std::move(supports));
                self.add_constraint(first, second, relation, self.add_relation(std::move(reverse)));
            },
            "first"_a, "second"_a, "supports"_a, "reverse"_a,
            "For each value of the one variable the bit set of the other's values that go with it, and back.")
        .def(
            "revise",
            [](const ConstraintNetwork& self, int arc, Domains domains) {
                self.revise(arc, domains);
                return domains;
            },
            "arc"_a, "domains"_a, "The domains after Revise3 on an arc: 2k is the k-th constraint, 2k + 1 its reverse.")
        .def(
            "ac3",
            [](const ConstraintNetwork& self, Domains domains) {
                const bool is_consistent = self.ac3(domains);
                return std::pair(is_consistent, std::move(domains));
            },
            "domains"_a, "Whether the network is arc consistent, and the domains then.");

    nb::class_<BoxPermutation>(m, "BoxPermutation", "A full grid with every digit once in each box, and its swaps.")
        .def(
            "__init__",
            [](BoxPermutation* self, const Problem& problem, const nb::bytes& grid) {
                new (self) BoxPermutation(Geometry::of(problem.box), problem.givens);
                const Grid cells = make_problem(problem.box.rows, problem.box.cols, grid).givens;
                if (std::count(cells.begin(), cells.end(), 0) > 0) throw std::invalid_argument("a grid with blanks");
                self->fill(cells);
            },
            "problem"_a, "grid"_a)
        .def_prop_ro("cost", &BoxPermutation::cost)
        .def_prop_ro("grid", [](const BoxPermutation& self) { return to_bytes(self.grid()); })
        .def("delta", &BoxPermutation::delta, "first"_a, "second"_a)
        .def("swap", &BoxPermutation::swap, "first"_a, "second"_a, "delta"_a);
    nb::class_<Step>(m, "Step", "One application of a rule; digits from 1.")
        .def_prop_ro("rule", [](const Step& step) { return static_cast<int>(step.rule); })
        .def_ro("unit", &Step::unit)
        .def_ro("other_unit", &Step::other_unit)
        .def_ro("cells", &Step::cells)
        .def_prop_ro("digits",
                     [](const Step& step) {
                         std::vector<int> digits = step.digits;
                         for (int& value : digits) ++value;
                         return digits;
                     })
        .def_prop_ro("placements", [](const Step& step) { return to_pairs(step.placements); })
        .def_prop_ro("eliminations", [](const Step& step) { return to_pairs(step.eliminations); });
    nb::class_<Deduced>(m, "Deduced", "What the rules make of a puzzle.")
        .def_prop_ro("is_contradiction", [](const Deduced& self) { return self.deduction.is_contradiction; })
        .def_prop_ro("firings", [](const Deduced& self) { return to_list(self.deduction.num_firings); })
        .def_prop_ro("highest", [](const Deduced& self) { return self.deduction.highest; })
        .def_ro("steps", &Deduced::steps)
        .def_prop_ro("grid", [](const Deduced& self) { return to_bytes(self.grid); })
        .def_ro("candidates", &Deduced::candidates);
    nb::class_<Rating>(m, "Rating", "How hard a puzzle is.")
        .def_ro("num_solutions", &Rating::num_solutions)
        .def_ro("is_solved", &Rating::is_solved)
        .def_prop_ro("firings", [](const Rating& self) { return to_list(self.deduction.num_firings); })
        .def_prop_ro("highest", [](const Rating& self) { return self.deduction.highest; })
        .def_ro("mean_nodes", &Rating::mean_nodes)
        .def_ro("deviation", &Rating::deviation);
    nb::class_<Trial>(m, "Trial", "What one level of trial and error comes to.")
        .def_ro("is_contradiction", &Trial::is_contradiction)
        .def_ro("is_solved_by_rules", &Trial::is_solved_by_rules)
        .def_prop_ro("key",
                     [](const Trial& self) -> std::optional<std::pair<int, int>> {
                         if (!self.key) return std::nullopt;
                         return std::pair(self.key->cell, self.key->digit + 1);
                     })
        .def_ro("is_solved_by_elimination", &Trial::is_solved_by_elimination)
        .def_ro("num_eliminated", &Trial::num_eliminated)
        .def_ro("is_finished", &Trial::is_finished);
    m.def("trial_many", &trial_many, "problems"_a, "rules"_a, "budget"_a, "num_threads"_a,
          "One level of trial and error on each puzzle.");
    m.def("rate_many", &rate_many, "problems"_a, "rules"_a, "num_relabelings"_a, "seed"_a, "budget"_a, "num_threads"_a,
          "Rate puzzles side by side.");
    m.def("deduce", &deduce_problem, "problem"_a, "rules"_a, "max_steps"_a,
          "Apply rules in order until nothing changes. With 0 no steps are kept; otherwise so many, and no more are "
          "made.");
    m.def(
        "count_edges",
        [](const Problem& problem) {
            Board board(Geometry::of(problem.box));
            place_givens_alone(board, problem.givens);
            return count_edges(board);
        },
        "problem"_a, "The edges of the auxiliary graph of a puzzle, with nothing deduced but the givens' peers.");
    nb::class_<GraphSearch, CompleteSolver>(m, "GraphSearch")
        .def(
            "__init__",
            [](GraphSearch* self, const std::vector<std::pair<int, bool>>& before, const std::vector<int>& after,
               const std::vector<int>& rules) {
                GraphSearch::Parameters parameters;
                for (const auto& [measure, is_of_variable] : before) {
                    parameters.before.push_back({static_cast<Measure>(measure), is_of_variable});
                }
                for (const int measure : after) parameters.after.push_back(static_cast<Measure>(measure));
                parameters.rules = rules_of(rules);
                new (self) GraphSearch(std::move(parameters));
            },
            "before"_a, "after"_a, "rules"_a);
    nb::class_<TabuList>(m, "TabuList", "The last few features, forgotten in the order in which they came.")
        .def(nb::init<std::size_t, std::size_t>(), "num_features"_a, "capacity"_a)
        .def("add", &TabuList::add, "feature"_a)
        .def("contains", &TabuList::contains, "feature"_a)
        .def("clear", &TabuList::clear);
    m.def(
        "spin_roulette",
        [](const std::vector<double>& weights, std::uint64_t seed, int num_spins) {
            Rng rng(seed);
            std::vector<std::size_t> indices;
            for (int spin = 0; spin < num_spins; ++spin) {
                indices.push_back(spin_roulette(std::span<const double>(weights), rng));
            }
            return indices;
        },
        "weights"_a, "seed"_a, "num_spins"_a, "Indices drawn with probability proportional to their weight.");
    m.def("initial_placement", &initial_placement, "problem"_a, "has_post_swap"_a, "seed"_a,
          "The first initial state of the hill climber.");

    m.def("ac3", &ac3_domains, "problem"_a, "The domains of a puzzle after AC3, as bit sets.");
    m.def(
        "filtered_givens",
        [](const Problem& problem, const std::string& filter) {
            return to_bytes(filtered_givens(problem, filter_named(filter)).value_or(problem.givens));
        },
        "problem"_a, "filter"_a, "The givens and all that a filter fixes besides.");
    m.def("derive_seed", &derive_seed, "seed"_a, "index"_a, "The seed of one run of a batch.");
    m.def("redundant_givens", &find_redundant_givens, "problem"_a, "budget"_a,
          "The number of solutions up to 2, None if the budget ran out; if it is 1, the cells whose given is not "
          "needed.");
    m.def("minimize", &minimize_givens, "problem"_a, "budget"_a, "seed"_a,
          "The number of solutions up to 2, None if the budget ran out; if it is 1, the givens of a minimal puzzle.");
}
