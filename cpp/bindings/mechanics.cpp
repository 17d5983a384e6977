// Parts of solvers that Python uses or tests by themselves.
#include <algorithm>
#include <stdexcept>

#include "bindings/border.h"
#include "solvers/graph_search.h"
#include "solvers/hill_climbing.h"
#include "solvers/parts/box_permutation.h"
#include "solvers/parts/constraint_network.h"
#include "solvers/parts/roulette.h"
#include "solvers/parts/tabu_list.h"

namespace sudokulab {
namespace {

Domains ac3_domains(const Puzzle& puzzle) {
    Domains domains = initial_domains(puzzle);
    ConstraintNetwork::of_sudoku(puzzle.box).ac3(domains);
    return domains;
}

nb::bytes initial_placement(const Puzzle& puzzle, bool has_post_swap, std::uint64_t seed) {
    BoxPermutation state(Geometry::of(puzzle.box), puzzle.givens);
    const FixedClashes clashes(state);
    Rng rng(seed);
    place_greedily(state, clashes, false, rng);
    if (has_post_swap) swap_away_clashes(state, clashes, rng);
    return to_bytes(state.grid());
}

}  // namespace

void bind_mechanics(nb::module_& m) {
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
            [](BoxPermutation* self, const Puzzle& puzzle, const nb::bytes& grid) {
                new (self) BoxPermutation(Geometry::of(puzzle.box), puzzle.givens);
                const Grid cells = make_puzzle(puzzle.box.rows, puzzle.box.cols, grid).givens;
                if (std::count(cells.begin(), cells.end(), 0) > 0) throw std::invalid_argument("a grid with blanks");
                self->fill(cells);
            },
            "puzzle"_a, "grid"_a)
        .def_prop_ro("cost", &BoxPermutation::cost)
        .def_prop_ro("grid", [](const BoxPermutation& self) { return to_bytes(self.grid()); })
        .def("delta", &BoxPermutation::delta, "first"_a, "second"_a)
        .def("swap", &BoxPermutation::swap, "first"_a, "second"_a, "delta"_a);
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
    m.def("initial_placement", &initial_placement, "puzzle"_a, "has_post_swap"_a, "seed"_a,
          "The first initial state of the hill climber.");

    m.def("ac3", &ac3_domains, "puzzle"_a, "The domains of a puzzle after AC3, as bit sets.");
    m.def(
        "filtered_givens",
        [](const Puzzle& puzzle, const std::string& filter) {
            return to_bytes(filtered_givens(puzzle, filter_named(filter)).value_or(puzzle.givens));
        },
        "puzzle"_a, "filter"_a, "The givens and all that a filter fixes besides.");
    m.def(
        "count_edges",
        [](const Puzzle& puzzle) {
            DeductionBoard board(Geometry::of(puzzle.box));
            board.place_givens(puzzle.givens);
            return count_edges(board);
        },
        "puzzle"_a, "The edges of the auxiliary graph of a puzzle, with nothing deduced but the givens' peers.");
}

}  // namespace sudokulab
