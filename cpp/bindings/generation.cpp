// Random grids and puzzles to a specification.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "bindings/zeroed_arrays.h"
#include "generation/bulk_blanking.h"
#include "generation/generator.h"
#include "generation/minimal_sample.h"
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

std::optional<std::pair<nb::bytes, double>> descend(const Puzzle& empty, std::uint64_t seed) {
    const auto descent = without_gil([&] {
        Rng rng(seed);
        return random_descent(empty.box, rng);
    });
    if (!descent) return std::nullopt;
    return std::pair(to_bytes(descent->grid), descent->log_weight);
}

Array<std::uint8_t> make_grids(const Puzzle& empty, std::uint64_t seed, std::uint64_t first, std::size_t count,
                               int num_threads) {
    const auto num_cells = static_cast<std::size_t>(empty.box.num_cells());
    auto grids = zeros<std::uint8_t>(count, num_cells);
    constexpr std::size_t piece = 4096;
    without_gil([&] {
        run_parallel((count + piece - 1) / piece, num_threads, is_interrupted,
                     [&](std::size_t index, const Interrupted& stop) {
                         Control control(Budget{}, 0, 0, stop);
                         const std::size_t end = std::min(count, (index + 1) * piece);
                         for (std::size_t i = index * piece; i < end && !control.must_stop(); ++i) {
                             control.rng = Rng(derive_seed(seed, first + i + 1));
                             const auto grid = random_grid(empty.box, control);
                             if (grid) std::copy(grid->begin(), grid->end(), &grids[i * num_cells]);
                         }
                     });
        return 0;
    });
    return to_array(std::move(grids), {count, num_cells});
}

using Numbers = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::uint64_t attempt_seed(std::uint64_t seed, std::uint64_t index, std::uint64_t attempt) {
    return derive_seed(derive_seed(seed, index + 1), attempt + 1);
}

std::tuple<Array<std::uint8_t>, Array<std::uint8_t>> blanking_starts(std::uint64_t seed, std::uint64_t first,
                                                                     std::size_t count, int num_threads) {
    auto grids = zeros<std::uint8_t>(count, bulk_cells);
    auto orders = zeros<std::uint8_t>(count, bulk_cells);
    constexpr std::size_t piece = 4096;
    without_gil([&] {
        run_parallel((count + piece - 1) / piece, num_threads, is_interrupted,
                     [&](std::size_t index, const Interrupted& stop) {
                         if (stop()) return;
                         for (std::size_t i = index * piece; i < std::min(count, (index + 1) * piece); ++i) {
                             Rng rng(attempt_seed(seed, first + i, 0));
                             draw_start(rng, &grids[i * bulk_cells], std::span(&orders[i * bulk_cells], bulk_cells));
                         }
                     });
        return 0;
    });
    return {to_array(std::move(grids), {count, bulk_cells}), to_array(std::move(orders), {count, bulk_cells})};
}

std::tuple<Array<std::uint8_t>, Array<std::uint8_t>, Array<std::int32_t>, Array<std::int32_t>> attempt_many(
    const PuzzleSpec& spec, std::uint64_t seed, const Numbers& indices, const Numbers& attempts, const Budget& budget,
    int num_threads) {
    const std::size_t number = indices.shape(0);
    if (attempts.shape(0) != number) throw std::invalid_argument("indices and attempts differ in length");
    std::vector<std::uint64_t> seeds;
    for (std::size_t i = 0; i < number; ++i) {
        seeds.push_back(attempt_seed(seed, indices.data()[i], attempts.data()[i]));
    }
    const auto num_cells = static_cast<std::size_t>(spec.box.num_cells());
    auto givens = zeros<std::uint8_t>(number, num_cells);
    auto solutions = zeros<std::uint8_t>(number, num_cells);
    auto num_unmet = zeros<std::int32_t>(number);
    auto distances = zeros<std::int32_t>(number);
    std::fill_n(num_unmet.get(), number, -1);
    const auto num_pieces = static_cast<std::size_t>(num_threads <= 1 ? 1 : 4 * num_threads);
    const std::size_t piece = std::max<std::size_t>(1, (number + num_pieces - 1) / num_pieces);
    const Control whole(budget, 0, 0, {});  // the pieces share its deadline
    without_gil([&] {
        run_parallel(
            (number + piece - 1) / piece, num_threads, is_interrupted, [&](std::size_t index, const Interrupted& stop) {
                Control control(whole.budget_left(), 0, 0, stop);
                const std::size_t begin = index * piece;
                const auto own = std::span(seeds).subspan(begin, std::min(piece, number - begin));
                const std::vector<Attempt> made = attempt_each(spec, own, control);
                for (std::size_t i = 0; i < made.size(); ++i) {
                    if (made[i].givens.empty()) continue;
                    std::copy(made[i].givens.begin(), made[i].givens.end(), &givens[(begin + i) * num_cells]);
                    std::copy(made[i].solution.begin(), made[i].solution.end(), &solutions[(begin + i) * num_cells]);
                    num_unmet[begin + i] = made[i].num_unmet;
                    distances[begin + i] = made[i].distance;
                }
            });
        return 0;
    });
    return {to_array(std::move(givens), {number, num_cells}), to_array(std::move(solutions), {number, num_cells}),
            to_array(std::move(num_unmet), {number}), to_array(std::move(distances), {number})};
}

std::tuple<Array<std::uint8_t>, Array<std::uint8_t>, Array<std::int64_t>> sample_minimal(
    const Puzzle& empty, std::uint64_t seed, std::uint64_t first, std::size_t count, int num_threads) {
    const BoxShape box = empty.box;
    std::vector<std::vector<MinimalPuzzle>> found(count);
    constexpr std::size_t piece = 64;
    without_gil([&] {
        run_parallel((count + piece - 1) / piece, num_threads, is_interrupted,
                     [&](std::size_t index, const Interrupted& stop) {
                         Control control(Budget{}, 0, 0, stop);
                         std::vector<std::uint64_t> seeds;
                         for (std::size_t i = index * piece; i < std::min(count, (index + 1) * piece); ++i) {
                             seeds.push_back(derive_seed(seed, first + i + 1));
                         }
                         auto samples = sample_each(box, seeds, false, control);
                         std::move(samples.begin(), samples.end(), &found[index * piece]);
                     });
        return 0;
    });
    std::size_t number = 0;
    for (const auto& own : found) number += own.size();
    const auto num_cells = static_cast<std::size_t>(box.num_cells());
    auto givens = zeros<std::uint8_t>(number, num_cells);
    auto solutions = zeros<std::uint8_t>(number, num_cells);
    auto grids = zeros<std::int64_t>(number);
    std::size_t row = 0;
    for (std::size_t i = 0; i < count; ++i) {
        for (const MinimalPuzzle& puzzle : found[i]) {
            std::copy(puzzle.givens.begin(), puzzle.givens.end(), &givens[row * num_cells]);
            std::copy(puzzle.solution.begin(), puzzle.solution.end(), &solutions[row * num_cells]);
            grids[row++] = static_cast<std::int64_t>(i) * sampling_plan(box).num_grids + puzzle.grid;
        }
    }
    return {to_array(std::move(givens), {number, num_cells}), to_array(std::move(solutions), {number, num_cells}),
            to_array(std::move(grids), {number})};
}

std::pair<int, int> plan_of(const Puzzle& empty) {
    const SamplingPlan plan = sampling_plan(empty.box);
    return {plan.num_grids, plan.num_orders};
}

// Every cell belongs to at most one orbit, and to one unless the orbits are a pattern.
void check_orbits(const std::vector<std::vector<int>>& orbits, bool is_pattern, int num_cells) {
    std::vector<bool> is_taken(static_cast<std::size_t>(num_cells));
    int num_taken = 0;
    for (const auto& orbit : orbits) {
        if (orbit.empty()) throw std::invalid_argument("an orbit has no cells");
        for (const int cell : orbit) {
            if (cell < 0 || cell >= num_cells || is_taken[static_cast<std::size_t>(cell)]) {
                throw std::invalid_argument("orbits do not fit the box shape");
            }
            is_taken[static_cast<std::size_t>(cell)] = true;
            ++num_taken;
        }
    }
    if (is_pattern ? num_taken == 0 : num_taken != num_cells) throw std::invalid_argument("orbits lack cells");
}

using Names = std::vector<std::string>;

void make_spec(PuzzleSpec* self, const Puzzle& empty, std::vector<std::vector<int>> orbits, bool is_pattern,
               std::optional<int> num_givens, bool is_minimal, const std::optional<Names>& solved_by,
               const std::vector<Names>& not_solved_by, std::optional<std::pair<int, int>> er,
               bool has_controlled_bias) {
    check_orbits(orbits, is_pattern, empty.box.num_cells());
    std::vector<TechniqueList> too_easy;
    for (const Names& names : not_solved_by) too_easy.push_back(techniques_named(names));
    new (self) PuzzleSpec{.box = empty.box,
                          .orbits = std::move(orbits),
                          .is_pattern = is_pattern,
                          .num_givens = num_givens,
                          .is_minimal = is_minimal,
                          .solved_by = solved_by ? std::optional(techniques_named(*solved_by)) : std::nullopt,
                          .not_solved_by = std::move(too_easy),
                          .er = er,
                          .has_controlled_bias = has_controlled_bias};
}

}  // namespace

void bind_generation(nb::module_& m) {
    nb::class_<PuzzleSpec>(m, "PuzzleSpec", "The requirements on a puzzle.")
        .def("__init__", &make_spec, "empty"_a, "orbits"_a, "is_pattern"_a, "num_givens"_a.none(), "is_minimal"_a,
             "solved_by"_a.none(), "not_solved_by"_a, "er"_a.none(), "has_controlled_bias"_a);
    m.def("attempt_many", &attempt_many, "spec"_a, "seed"_a, "indices"_a, "attempts"_a, "budget"_a, "num_threads"_a,
          "Make attempts at the specification, each given by the index of its puzzle and its own number. Return their "
          "givens, solutions, numbers of unmet requirements (-1 if there is no puzzle) and distances.");
    m.def("blanking_starts", &blanking_starts, "seed"_a, "first"_a, "count"_a, "num_threads"_a,
          "Return the grids and the orders of cells with which the first attempts at 9×9 puzzles start, from index "
          "`first` on.");
    m.def("sample_minimal", &sample_minimal, "empty"_a, "seed"_a, "first"_a, "count"_a, "num_threads"_a,
          "Return all minimal puzzles of random grids and removal orders, their solutions, and the numbers of their "
          "grids, counted from those of block `first`; block i has the seed derived for number first + i + 1.");
    m.def("sampling_plan", &plan_of, "empty"_a,
          "Return the number of grids in a block of sample_minimal, and the number of removal orders of each.");
    m.def("random_grid", &make_grid, "empty"_a, "seed"_a, "Return a random full grid.");
    m.def("random_grids", &make_grids, "empty"_a, "seed"_a, "first"_a, "count"_a, "num_threads"_a,
          "Return random full grids as the rows of an array; row i has the seed derived for number first + i + 1.");
    m.def("random_descent", &descend, "empty"_a, "seed"_a,
          "Return the grid of a random descent and the logarithm of its inverse probability; None if the descent "
          "failed.");
}

}  // namespace sudokulab
