// Parts of solvers that only tests and benchmarks use. In builds with SUDOKULAB_INTERNALS only.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "bulk/bulk.h"
#include "generation/generator.h"
#include "generation/minimal_sample.h"
#include "generation/uniform_grid.h"
#include "grid/judge.h"
#include "solvers/genetic.h"
#include "solvers/graph_search.h"
#include "solvers/iterated_local_search.h"
#include "solvers/parts/box_permutation.h"
#include "solvers/parts/geometric_crossover.h"
#include "solvers/parts/roulette.h"
#include "solvers/parts/tabu_list.h"
#include "solvers/portfolio.h"

namespace sudokulab {
namespace {

void check(bool is_right, const char* complaint) {
    if (!is_right) throw std::invalid_argument(complaint);
}

void check_index(int index, int number, const char* complaint) { check(index >= 0 && index < number, complaint); }

void check_cells(const BoxPermutation& state, int first, int second) {
    check_index(first, state.geometry().num_cells(), "no such cell");
    check_index(second, state.geometry().num_cells(), "no such cell");
}

nb::bytes blanked_in_order(const PuzzleSpec& spec, const Puzzle& full, std::vector<std::uint8_t> order) {
    check(has_bulk(spec.box) && has_bulk(full.box) && !spec.is_pattern, "expected a 9×9 grid without a pattern");
    check(is_solution(full.givens.data(), full.givens.data(), full.box.rows, full.box.cols), "expected a full grid");
    std::vector<std::uint8_t> all(spec.orbits.size());
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    check(std::is_permutation(order.begin(), order.end(), all.begin(), all.end()), "expected an order of all orbits");
    return to_bytes(without_gil([&] {
        Control control(Budget{}, 0, 0, is_interrupted);
        return blank_in_order(spec, full.givens, order, control);
    }));
}

nb::bytes found_in_order(const Puzzle& full, std::vector<std::uint8_t> order) {
    check(has_bulk(full.box), "expected a 9×9 grid");
    check(is_solution(full.givens.data(), full.givens.data(), full.box.rows, full.box.cols), "expected a full grid");
    std::vector<std::uint8_t> all(bulk_cells);
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    check(std::is_permutation(order.begin(), order.end(), all.begin(), all.end()), "expected an order of all cells");
    return to_bytes(without_gil([&] {
        Control control(Budget{}, 0, 0, is_interrupted);
        return minimal_in_order(full.givens, order, control);
    }));
}

std::uint64_t counted_grid_classes() {
    return without_gil([] {
        Control control(Budget{}, 0, 0, is_interrupted);
        return num_grid_classes([&control] { return control.must_stop(); });
    });
}

// Answers every puzzle with the same grid.
class Answerer : public Solver {
public:
    explicit Answerer(Grid grid) : grid_(std::move(grid)) {}

    Result solve(const Puzzle&, Control&) const override {
        Result result;
        result.status = Status::solved;
        result.grid = grid_;
        return result;
    }

private:
    const Grid grid_;
};

void bind_box_permutation(nb::module_& m) {
    nb::class_<BoxPermutation>(m, "BoxPermutation", "A full grid with every digit once in each box, and its swaps.")
        .def(
            "__init__",
            [](BoxPermutation* self, const Puzzle& puzzle, const nb::bytes& grid) {
                new (self) BoxPermutation(Geometry::of(puzzle.box), puzzle.givens);
                const Grid cells = make_puzzle(puzzle.box.rows, puzzle.box.cols, grid).givens;
                if (std::count(cells.begin(), cells.end(), 0) > 0) throw std::invalid_argument("the grid has blanks");
                self->fill(cells);
            },
            "puzzle"_a, "grid"_a)
        .def_prop_ro("cost", &BoxPermutation::cost)
        .def_prop_ro("grid", [](const BoxPermutation& self) { return to_bytes(self.grid()); })
        .def(
            "delta",
            [](const BoxPermutation& self, int first, int second) {
                check_cells(self, first, second);
                return self.delta(first, second);
            },
            "first"_a, "second"_a)
        .def(
            "swap",
            [](BoxPermutation& self, int first, int second, int delta) {
                check_cells(self, first, second);
                self.swap(first, second, delta);
            },
            "first"_a, "second"_a, "delta"_a);
}

void bind_tabu_list(nb::module_& m) {
    nb::class_<TabuList>(m, "TabuList", "The most recent features, first in, first out.")
        .def(nb::init<std::size_t, std::size_t>(), "num_features"_a, "capacity"_a)
        .def(
            "add",
            [](TabuList& self, std::size_t feature) {
                check(feature < self.num_features(), "no such feature");
                self.add(feature);
            },
            "feature"_a)
        .def(
            "contains",
            [](const TabuList& self, std::size_t feature) {
                check(feature < self.num_features(), "no such feature");
                return self.contains(feature);
            },
            "feature"_a)
        .def("clear", &TabuList::clear);
}

void bind_portfolio(nb::module_& m) {
    nb::class_<Portfolio, CompleteSolver>(m, "Portfolio", "Conflict-driven searches on several threads.")
        .def(
            "__init__",
            [](Portfolio* self, int num_threads, std::int64_t head_start, int max_shared_levels, int restart_unit) {
                check(num_threads >= 1, "expected at least one thread");
                ConflictDrivenParameters search;
                search.restart_unit = restart_unit;
                new (self) Portfolio({num_threads, head_start, max_shared_levels, search});
            },
            "num_threads"_a, "head_start"_a = PortfolioParameters().head_start,
            "max_shared_levels"_a = PortfolioParameters().max_shared_levels,
            "restart_unit"_a = ConflictDrivenParameters().restart_unit);
}

// Operators of the heuristic solvers.
void bind_operators(nb::module_& m) {
    m.def(
        "spin_roulette",
        [](const std::vector<double>& weights, std::uint64_t seed, int num_spins) {
            check(!weights.empty(), "expected at least one weight");
            Rng rng(seed);
            std::vector<std::size_t> indices;
            for (int spin = 0; spin < num_spins; ++spin) {
                indices.push_back(spin_roulette(std::span<const double>(weights), rng));
            }
            return indices;
        },
        "weights"_a, "seed"_a, "num_spins"_a, "Draw indices with probability proportional to their weight.");
    m.def(
        "cross",
        [](const BoxPermutation& first, const BoxPermutation& second, std::uint64_t seed) {
            check(&first.geometry() == &second.geometry(), "expected grids of the same shape");
            Rng rng(seed);
            BoxPermutation child = first;
            cross(child, first, second, rng);
            return child;
        },
        "first"_a, "second"_a, "seed"_a, "Return a child of the genetic algorithm: each box is from either parent.");
    m.def(
        "mutate",
        [](const BoxPermutation& state, double three_swap, double insertion, bool ends_at_given, int max_swaps,
           int max_repeats, std::uint64_t seed) {
            check(max_swaps > 0, "expected at least one swap");
            Rng rng(seed);
            BoxPermutation child = state;
            mutate(child, {three_swap, insertion, ends_at_given, max_swaps, max_repeats}, rng);
            return child;
        },
        "state"_a, "three_swap"_a, "insertion"_a, "ends_at_given"_a, "max_swaps"_a, "max_repeats"_a, "seed"_a,
        "Return a mutated copy, as in the genetic algorithm.");
    m.def(
        "perturb",
        [](const BoxPermutation& state, double share, std::int64_t num_nodes, std::uint64_t seed) {
            check(share >= 0 && share <= 1, "expected a share from 0 to 1");
            Control control(Budget{}, seed, 0, [] { return false; });
            BoxPermutation perturbed = state;
            perturb(perturbed, share, num_nodes, control);
            return perturbed;
        },
        "state"_a, "share"_a, "num_nodes"_a, "seed"_a, "Return a perturbed copy, as in iterated local search.");
    m.def(
        "combine",
        [](Grid first, Grid second, Grid third, const std::vector<std::uint8_t>& choices) {
            check(std::is_permutation(first.begin(), first.end(), second.begin(), second.end()) &&
                      std::is_permutation(first.begin(), first.end(), third.begin(), third.end()),
                  "expected three permutations of the same items");
            check(choices.size() == first.size(), "expected one choice per position");
            check(std::all_of(choices.begin(), choices.end(), [](int choice) { return choice < 3; }), "no such parent");
            combine({first, second, third}, choices);
            return first;
        },
        "first"_a, "second"_a, "third"_a, "choices"_a,
        "Return the convex combination of three permutations that takes each position from the chosen parent.");
}

}  // namespace

void bind_test_parts(nb::module_& m) {
    bind_box_permutation(m);
    bind_tabu_list(m);
    bind_portfolio(m);
    bind_operators(m);
    m.def(
        "count_edges",
        [](const Puzzle& puzzle) {
            DeductionBoard board(Geometry::of(puzzle.box));
            board.place_givens(puzzle.givens);
            return count_edges(board);
        },
        "puzzle"_a, "Count the edges of the auxiliary graph, after removing the givens' digits from their peers.");
    m.def("blank_in_order", &blanked_in_order, "spec"_a, "full"_a, "order"_a,
          "Return what remains of a full 9×9 grid if its orbits are blanked in order.");
    m.def("minimal_in_order", &found_in_order, "full"_a, "order"_a,
          "Return the minimal puzzle of a full 9×9 grid whose digits are removed in order; empty if there is none.");
    m.def("num_grid_classes", &counted_grid_classes,
          "Return the number of 9×9 grids, divided by 560 · 6⁶, that `random_grid` chooses from.");
    nb::class_<Answerer, Solver>(m, "Answerer",
                                 "A solver that answers every puzzle with the same grid, right or wrong.")
        .def(nb::init<Grid>(), "grid"_a);
}

}  // namespace sudokulab
