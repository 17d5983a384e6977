// One constructor per solver, with the parameters of the Python class of the same name.
#include <algorithm>

#include "bindings/conversions.h"
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
#include "solvers/particle_swarm.h"
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

Propagation propagation_named(const std::string& name) {
    if (name == "peers") return Propagation::peers;
    if (name == "singles") return Propagation::singles;
    if (name == "ac3") return Propagation::ac3;
    throw std::invalid_argument("no propagation named " + name);
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
               const std::string& improvement, const std::string& filter) {
                new (self) Annealing({cooling, sampling_moves, moves_factor, reheat_after,
                                      one_of<Annealing::Improvement>(improvement, {"start", "best"})},
                                     filter_named(filter));
            },
            "cooling"_a, "sampling_moves"_a, "moves_factor"_a, "reheat_after"_a, "improvement"_a, "filter"_a);
    nb::class_<AntColony, Solver>(m, "AntColony")
        .def(
            "__init__",
            [](AntColony* self, int ants, double q0, double rho, double xi, double evaporation,
               const std::string& propagation, const std::string& filter) {
                check_at_least_one(ants, "ants");
                new (self)
                    AntColony({ants, q0, rho, xi, evaporation, propagation_named(propagation)}, filter_named(filter));
            },
            "ants"_a, "q0"_a, "rho"_a, "xi"_a, "evaporation"_a, "propagation"_a, "filter"_a);
    nb::class_<Auto, CompleteSolver>(m, "Auto").def(nb::init<>());
    nb::class_<Backtracking, CompleteSolver>(m, "Backtracking")
        .def(
            "__init__",
            [](Backtracking* self, const std::string& propagation) {
                new (self) Backtracking(propagation_named(propagation));
            },
            "propagation"_a);
    nb::class_<ConflictDriven, CompleteSolver>(m, "ConflictDriven")
        .def(
            "__init__",
            [](ConflictDriven* self, int restart_unit, int first_reduction, int moves_per_conflict) {
                new (self) ConflictDriven({restart_unit, first_reduction, moves_per_conflict});
            },
            "restart_unit"_a, "first_reduction"_a, "moves_per_conflict"_a);
    nb::class_<Dlx, CompleteSolver>(m, "Dlx").def(nb::init<>());
    nb::class_<Genetic, SwapSearch>(m, "Genetic")
        .def(
            "__init__",
            [](Genetic* self, int population, int elite, double crossover, double mutation, double three_swap,
               double insertion, bool ends_at_given, int max_swaps, int max_repeats, int aging,
               std::int64_t restart_after, const std::string& filter) {
                check_at_least_one(population, "population");
                check_at_least_one(elite, "elite");
                check_at_least_one(max_swaps, "max_swaps");
                const Mutation kinds{three_swap, insertion, ends_at_given, max_swaps, max_repeats};
                new (self) Genetic({population, elite, crossover, mutation, kinds, aging, restart_after},
                                   filter_named(filter));
            },
            "population"_a, "elite"_a, "crossover"_a, "mutation"_a, "three_swap"_a, "insertion"_a, "ends_at_given"_a,
            "max_swaps"_a, "max_repeats"_a, "aging"_a, "restart_after"_a, "filter"_a);
    nb::class_<GraphSearch, CompleteSolver>(m, "GraphSearch")
        .def(
            "__init__",
            [](GraphSearch* self, const std::vector<std::pair<int, bool>>& before, const std::vector<int>& after,
               const std::vector<int>& rules, const std::string& refuted, const std::string& tested,
               const std::string& tied_cells, const std::string& branching, const std::string& invariant) {
                GraphSearch::Parameters parameters;
                for (const auto& [measure, is_of_variable] : before) {
                    parameters.before.push_back({measure_of(measure), is_of_variable});
                }
                for (const int measure : after) parameters.after.push_back(measure_of(measure));
                parameters.rules = rules_of(rules);
                parameters.refuted = one_of<Refuted>(refuted, {"last", "drop", "remove", "ties-first"});
                parameters.tested = one_of<Tested>(tested, {"ties", "all"});
                parameters.tied_cells = one_of<TiedCells>(tied_cells, {"first", "tested"});
                parameters.branching = one_of<Branching>(branching, {"d-way", "two-way"});
                parameters.invariant = one_of<Invariant>(invariant, {"edges", "density"});
                new (self) GraphSearch(std::move(parameters));
            },
            "before"_a, "after"_a, "rules"_a, "refuted"_a, "tested"_a, "tied_cells"_a, "branching"_a, "invariant"_a);
    nb::class_<HillClimbing, SwapSearch>(m, "HillClimbing")
        .def(
            "__init__",
            [](HillClimbing* self, double w1, double w2, bool greedy, bool post_swap, const std::string& variant,
               const std::string& ties, const std::string& successors, int cutoff, int queue_limit,
               const std::string& filter) {
                using Variant = HillClimbing::Variant;
                using Ties = HillClimbing::Ties;
                using Successors = HillClimbing::Successors;
                check_at_least_one(cutoff, "cutoff");
                check_at_least_one(queue_limit, "queue_limit");
                new (self) HillClimbing({w1, w2, greedy, post_swap,
                                         one_of<Variant>(variant, {"random-restart", "best-first", "steepest-ascent"}),
                                         one_of<Ties>(ties, {"newest", "oldest", "random"}),
                                         one_of<Successors>(successors, {"all", "unexplored"}), cutoff, queue_limit},
                                        filter_named(filter));
            },
            "w1"_a, "w2"_a, "greedy"_a, "post_swap"_a, "variant"_a, "ties"_a, "successors"_a, "cutoff"_a,
            "queue_limit"_a, "filter"_a);
    nb::class_<IteratedLocalSearch, SwapSearch>(m, "IteratedLocalSearch")
        .def(
            "__init__",
            [](IteratedLocalSearch* self, double tabu_share, std::int64_t local_iterations, double acceptance,
               double reset_factor, double reset_decay, std::int64_t refill_nodes, const std::string& filter) {
                for (const double share : {tabu_share, reset_factor, reset_decay}) {
                    if (!(share >= 0 && share <= 1)) {
                        throw std::invalid_argument(
                            "tabu_share, reset_factor, reset_decay: expected numbers from 0 to 1");
                    }
                }
                new (self) IteratedLocalSearch(
                    {tabu_share, local_iterations, acceptance, reset_factor, reset_decay, refill_nodes},
                    filter_named(filter));
            },
            "tabu_share"_a, "local_iterations"_a, "acceptance"_a, "reset_factor"_a, "reset_decay"_a, "refill_nodes"_a,
            "filter"_a);
    nb::class_<ParticleSwarm, SwapSearch>(m, "ParticleSwarm")
        .def(
            "__init__",
            [](ParticleSwarm* self, int particles, double social, double cognitive, double mutation,
               std::int64_t restart_after, const std::string& filter) {
                check_at_least_one(particles, "particles");
                new (self) ParticleSwarm({particles, social, cognitive, mutation, restart_after}, filter_named(filter));
            },
            "particles"_a, "social"_a, "cognitive"_a, "mutation"_a, "restart_after"_a, "filter"_a);
    nb::class_<Tabu, SwapSearch>(m, "Tabu").def(
        "__init__",
        [](Tabu* self, int tabu_size, int candidates, bool accept_worse, std::int64_t restart_after,
           const std::string& filter) {
            new (self) Tabu({tabu_size, candidates, accept_worse, restart_after}, filter_named(filter));
        },
        "tabu_size"_a, "candidates"_a, "accept_worse"_a, "restart_after"_a, "filter"_a);
}

}  // namespace sudokulab
