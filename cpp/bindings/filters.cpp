// Filters, constraint networks and the initial states of heuristics.
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "search/rng.h"
#include "solvers/hill_climbing.h"
#include "solvers/parts/box_permutation.h"
#include "solvers/parts/constraint_network.h"
#include "solvers/parts/filter.h"
#include "solvers/parts/peer_board.h"

namespace sudokulab {
namespace {

void check(bool is_right, const char* complaint) {
    if (!is_right) throw std::invalid_argument(complaint);
}

void check_index(int index, int number, const char* complaint) { check(index >= 0 && index < number, complaint); }

void check_domains(const ConstraintNetwork& network, const Domains& domains) {
    check(domains.size() == static_cast<std::size_t>(network.num_variables()), "expected one domain per variable");
}

void add_constraint(ConstraintNetwork& network, int first, int second, ConstraintNetwork::Relation supports,
                    ConstraintNetwork::Relation reverse) {
    check_index(first, network.num_variables(), "no such variable");
    check_index(second, network.num_variables(), "no such variable");
    check(supports.size() == 64 && reverse.size() == 64, "expected supports for each of the 64 values");
    const int relation = network.add_relation(std::move(supports));
    network.add_constraint(first, second, relation, network.add_relation(std::move(reverse)));
}

Domains ac3_domains(const Puzzle& puzzle) {
    return without_gil([&] {
        Domains domains = initial_domains(puzzle);
        ConstraintNetwork::of_sudoku(puzzle.box).ac3(domains);
        return domains;
    });
}

Domains peer_value_sets(const Puzzle& puzzle) {
    PeerBoard board(Geometry::of(puzzle.box));
    board.place_givens(puzzle.givens);
    Domains sets;
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) sets.push_back(board.candidates(cell));
    return sets;
}

nb::bytes initial_placement(const Puzzle& puzzle, bool has_post_swap, std::uint64_t seed) {
    check(!has_clash(puzzle), "the givens clash");
    BoxPermutation state(Geometry::of(puzzle.box), puzzle.givens);
    const FixedClashes clashes(state);
    Rng rng(seed);
    place_greedily(state, clashes, false, rng);
    if (has_post_swap) swap_away_clashes(state, clashes, rng);
    return to_bytes(state.grid());
}

void bind_network(nb::module_& m) {
    nb::class_<ConstraintNetwork>(m, "ConstraintNetwork", "Binary constraints over domains of at most 64 values.")
        .def(
            "__init__",
            [](ConstraintNetwork* self, int num_variables) {
                check(num_variables >= 0, "expected 0 or more variables");
                new (self) ConstraintNetwork(num_variables);
            },
            "num_variables"_a)
        .def("add_constraint", &add_constraint, "first"_a, "second"_a, "supports"_a, "reverse"_a,
             "Add a constraint: for each value of one variable, the bit set of compatible values of the other, in both "
             "directions.")
        .def(
            "revise",
            [](const ConstraintNetwork& self, int arc, Domains domains) {
                check_index(arc, self.num_arcs(), "no such arc");
                check_domains(self, domains);
                self.revise(arc, domains);
                return domains;
            },
            "arc"_a, "domains"_a,
            "Return the domains after Revise3 on an arc; arc 2k is the k-th constraint, 2k + 1 its reverse.")
        .def(
            "ac3",
            [](const ConstraintNetwork& self, Domains domains) {
                check_domains(self, domains);
                const bool is_consistent = self.ac3(domains);
                return std::pair(is_consistent, std::move(domains));
            },
            "domains"_a, "Run AC3; return whether the network is consistent, and the resulting domains.");
}

}  // namespace

void bind_filters(nb::module_& m) {
    bind_network(m);
    m.def("ac3", &ac3_domains, "puzzle"_a, "Return the domains of a puzzle after AC3, as bit sets.");
    m.def("peer_value_sets", &peer_value_sets, "puzzle"_a,
          "Return the value sets of a puzzle after propagation to the peers of fixed cells, as bit sets.");
    m.def(
        "filtered_givens",
        [](const Puzzle& puzzle, const std::string& filter) {
            Control control({}, 0, 0, {});
            return to_bytes(filtered_givens(puzzle, filter_named(filter), control).value_or(puzzle.givens));
        },
        "puzzle"_a, "filter"_a, "Return the givens and all cells fixed by a filter.");
    m.def("initial_placement", &initial_placement, "puzzle"_a, "has_post_swap"_a, "seed"_a,
          "Return the first initial state of the hill climber.");
}

}  // namespace sudokulab
