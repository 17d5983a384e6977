// Random grids and puzzles to a specification.
#include <algorithm>
#include <cmath>

#include "bindings/border.h"
#include "generation/generator.h"
#include "generation/random_grid.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

nb::bytes make_grid(const Puzzle& empty, std::uint64_t seed) {
    const auto grid = without_gil([&] {
        Control control(Budget{}, seed, 0, is_interrupted);
        return random_grid(empty.box, control);
    });
    if (!grid) throw std::runtime_error("stopped before a grid was found");  // only a signal can stop it
    return to_bytes(*grid);
}

std::vector<Attempt> attempt_many(const PuzzleSpec& spec, const std::vector<std::uint64_t>& seeds, const Budget& budget,
                                  int num_threads) {
    return without_gil([&] {
        std::vector<Attempt> attempts(seeds.size());
        run_parallel(seeds.size(), num_threads, is_interrupted, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, seeds[i], 0, stop);
            attempts[i] = attempt(spec, control);
        });
        return attempts;
    });
}

}  // namespace

void bind_generation(nb::module_& m) {
    nb::class_<PuzzleSpec>(m, "PuzzleSpec", "The requirements on a puzzle.")
        .def(
            "__init__",
            [](PuzzleSpec* self, const Puzzle& empty, std::vector<std::vector<int>> orbits, bool is_pattern,
               std::optional<int> num_givens, bool is_minimal, const std::optional<std::vector<std::string>>& solved_by,
               const std::vector<std::vector<std::string>>& not_solved_by, std::optional<std::pair<int, int>> er) {
                new (self) PuzzleSpec();
                self->box = empty.box;
                for (const auto& orbit : orbits) {
                    const auto is_cell = [&](int cell) { return cell >= 0 && cell < empty.box.num_cells(); };
                    if (orbit.empty() || !std::all_of(orbit.begin(), orbit.end(), is_cell)) {
                        throw std::invalid_argument("orbits do not fit the box shape");
                    }
                }
                if (is_pattern && orbits.empty()) throw std::invalid_argument("the pattern has no cells");
                self->orbits = std::move(orbits);
                self->is_pattern = is_pattern;
                self->num_givens = num_givens;
                self->is_minimal = is_minimal;
                if (solved_by) self->solved_by = techniques_named(*solved_by);
                for (const auto& names : not_solved_by) self->not_solved_by.push_back(techniques_named(names));
                self->er = er;
            },
            "empty"_a, "orbits"_a, "is_pattern"_a, "num_givens"_a.none(), "is_minimal"_a, "solved_by"_a.none(),
            "not_solved_by"_a, "er"_a.none());
    nb::class_<Attempt>(m, "Attempt", "The result of an attempt at a specification.")
        .def_prop_ro("is_met", &Attempt::is_met)
        .def_prop_ro("givens", [](const Attempt& self) { return to_bytes(self.givens); })
        .def_prop_ro("solution", [](const Attempt& self) { return to_bytes(self.solution); })
        .def_ro("num_unmet", &Attempt::num_unmet)
        .def_ro("distance", &Attempt::distance);
    m.def("attempt_many", &attempt_many, "spec"_a, "seeds"_a, "budget"_a, "num_threads"_a,
          "Make one attempt at the specification per seed.");
    m.def("random_grid", &make_grid, "empty"_a, "seed"_a, "Return a random full grid.");
    m.def(
        "descent_log_weight",
        [](const Puzzle& empty, std::uint64_t seed) -> std::optional<double> {
            const auto descent = without_gil([&] {
                Rng rng(seed);
                return random_descent(empty.box, rng);
            });
            return descent ? std::optional(descent->log_weight) : std::nullopt;
        },
        "empty"_a, "seed"_a,
        "Return the logarithm of the inverse probability of the grid from a random descent; None if the descent "
        "failed.");
}

}  // namespace sudokulab
