// One constructor per solver, with the parameters of the Python class of the same name.
#include <algorithm>

#include "bindings/border.h"
#include "solvers/ac3_tabu.h"
#include "solvers/annealing.h"
#include "solvers/ant_colony.h"
#include "solvers/auto.h"
#include "solvers/backtracking.h"
#include "solvers/conflict_driven.h"
#include "solvers/dlx.h"
#include "solvers/genetic.h"
#include "solvers/graph_search.h"
#include "solvers/hill_climbing.h"
#include "solvers/iterated_local_search.h"
#include "solvers/tabu.h"

namespace sudokulab {
namespace {

Measure measure_of(int number) {
    if (number < 0 || number > static_cast<int>(Measure::product)) throw std::invalid_argument("no such measure");
    return static_cast<Measure>(number);
}

// The enumerator at the place of the name in the list.
template <class Enumeration>
Enumeration one_of(const std::string& name, std::initializer_list<const char*> names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::invalid_argument("no such value: " + name);
    return static_cast<Enumeration>(found - names.begin());
}

void check_at_least_one(int number, const char* name) {
    if (number < 1) throw std::invalid_argument(std::string(name) + ": expected at least 1");
}

}  // namespace

void bind_solvers(nb::module_& m) {
    nb::class_<SwapSearch, Solver>(m, "SwapSearch", "A solver on box permutations, preceded by a filter.");

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
                check_at_least_one(ants, "ants");
                new (self) AntColony({ants, q0, rho, xi, evaporation, propagation != "ac3"});
            },
            "ants"_a, "q0"_a, "rho"_a, "xi"_a, "evaporation"_a, "propagation"_a);
    nb::class_<Auto, CompleteSolver>(m, "Auto").def(nb::init<>());
    nb::class_<Backtracking, CompleteSolver>(m, "Backtracking").def(nb::init<>());
    nb::class_<ConflictDriven, CompleteSolver>(m, "ConflictDriven")
        .def(
            "__init__",
            [](ConflictDriven* self, int restart_unit, int first_reduction) {
                new (self) ConflictDriven({restart_unit, first_reduction});
            },
            "restart_unit"_a, "first_reduction"_a);
    nb::class_<Dlx, CompleteSolver>(m, "Dlx").def(nb::init<>());
    nb::class_<Genetic, SwapSearch>(m, "Genetic")
        .def(
            "__init__",
            [](Genetic* self, int population, int elite, double crossover, double mutation, std::int64_t restart_after,
               const std::string& filter) {
                check_at_least_one(population, "population");
                new (self) Genetic({population, elite, crossover, mutation, restart_after}, filter_named(filter));
            },
            "population"_a, "elite"_a, "crossover"_a, "mutation"_a, "restart_after"_a, "filter"_a);
    nb::class_<GraphSearch, CompleteSolver>(m, "GraphSearch")
        .def(
            "__init__",
            [](GraphSearch* self, const std::vector<std::pair<int, bool>>& before, const std::vector<int>& after,
               const std::vector<int>& rules, const std::string& refuted, const std::string& tested,
               const std::string& branching, const std::string& invariant) {
                GraphSearch::Parameters parameters;
                for (const auto& [measure, is_of_variable] : before) {
                    parameters.before.push_back({measure_of(measure), is_of_variable});
                }
                for (const int measure : after) parameters.after.push_back(measure_of(measure));
                parameters.rules = rules_of(rules);
                parameters.refuted = one_of<Refuted>(refuted, {"last", "drop", "remove"});
                parameters.tested = one_of<Tested>(tested, {"ties", "all"});
                parameters.branching = one_of<Branching>(branching, {"d-way", "two-way"});
                parameters.invariant = one_of<Invariant>(invariant, {"edges", "density"});
                new (self) GraphSearch(std::move(parameters));
            },
            "before"_a, "after"_a, "rules"_a, "refuted"_a, "tested"_a, "branching"_a, "invariant"_a);
    nb::class_<HillClimbing, SwapSearch>(m, "HillClimbing")
        .def(
            "__init__",
            [](HillClimbing* self, double w1, double w2, bool greedy, bool post_swap, int plateau,
               const std::string& filter) {
                check_at_least_one(plateau, "plateau");
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
}

}  // namespace sudokulab
