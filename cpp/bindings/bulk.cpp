// 9×9 puzzles in bulk, and the judge.
#include "../bulk.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <tuple>

#include "../judge.h"
#include "../lines.h"
#include "../parallel.h"
#include "border.h"

namespace sudokulab {
namespace {

constexpr std::size_t num_cells = 81;
constexpr std::size_t puzzles_at_once = 2048;

using Puzzles = nb::ndarray<const std::uint8_t, nb::shape<-1, 81>, nb::c_contig, nb::device::cpu>;
using Solutions = nb::ndarray<nb::numpy, std::uint8_t, nb::shape<-1, 81>>;
using Counts = nb::ndarray<nb::numpy, std::uint32_t, nb::shape<-1>>;

Instructions instructions_named(const std::string& name) {
    if (name == "best") return best_instructions();
    if (name == "avx512") return Instructions::avx512;
    if (name == "avx2") return Instructions::avx2;
    if (name == "portable") return Instructions::portable;
    throw std::invalid_argument("no instructions named " + name);
}

template <class T>
nb::capsule owner_of(std::unique_ptr<T[]> data) {
    return nb::capsule(data.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
}

std::tuple<Solutions, Counts, bool> solve_bulk(const Puzzles& puzzles, std::uint32_t limit, bool has_solutions,
                                               int num_threads, const std::string& instructions) {
    const std::size_t number = puzzles.shape(0);
    const std::size_t num_kept = has_solutions ? number : 0;
    auto solutions = std::make_unique<std::uint8_t[]>(num_kept * num_cells);  // zeros
    auto counts = std::make_unique<std::uint32_t[]>(number);
    const Instructions chosen = instructions_named(instructions);
    if (!has_instructions(chosen)) throw std::invalid_argument("this machine has no " + instructions);
    const std::uint8_t* first = puzzles.data();
    std::atomic<bool> are_right = true;
    without_gil([&] {
        const std::size_t num_pieces = (number + puzzles_at_once - 1) / puzzles_at_once;
        run_parallel(num_pieces, num_threads, signal_raised, [&](std::size_t piece, const Interrupted& stop) {
            const std::size_t begin = piece * puzzles_at_once;
            BulkJob job{.puzzles = first + begin * num_cells,
                        .num_puzzles = std::min(puzzles_at_once, number - begin),
                        .limit = limit,
                        .solutions = has_solutions ? solutions.get() + begin * num_cells : nullptr,
                        .counts = counts.get() + begin};
            job.must_stop = [](void* asked) { return (*static_cast<const Interrupted*>(asked))(); };
            job.stop_argument = const_cast<Interrupted*>(&stop);
            run_bulk(chosen, job);
            if (has_solutions && !are_solutions_right(job)) are_right = false;
        });
        return 0;
    });
    auto* solution_data = solutions.get();
    auto* count_data = counts.get();
    return {Solutions(solution_data, {num_kept, num_cells}, owner_of(std::move(solutions))),
            Counts(count_data, {number}, owner_of(std::move(counts))), are_right};
}

std::optional<nb::bytes> solve_one(const nb::bytes& cells) {
    if (cells.size() != num_cells) throw std::invalid_argument("a 9×9 puzzle has 81 cells");
    std::array<std::uint8_t, num_cells> solution{};
    std::uint32_t count = 0;
    BulkJob job{.puzzles = static_cast<const std::uint8_t*>(cells.data()),
                .num_puzzles = 1,
                .limit = 1,
                .solutions = solution.data(),
                .counts = &count};
    run_bulk(best_instructions(), job);
    if (count == 0) return std::nullopt;
    return nb::bytes(solution.data(), num_cells);
}

// The solutions as lines, then for each line not dealt with its number, begin, end and where its answer belongs; then
// how many lines there were, and whether the judge has accepted all solutions.
using OtherLine = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

std::tuple<nb::bytes, std::vector<OtherLine>, std::size_t, bool> solve_text(const nb::bytes& text, int num_threads) {
    const std::string_view view(text.c_str(), text.size());
    const SolvedLines solved =
        without_gil([&] { return solve_lines(view, best_instructions(), num_threads, signal_raised); });
    std::vector<OtherLine> others;
    for (const auto& other : solved.others) others.emplace_back(other.number, other.begin, other.end, other.position);
    return {nb::bytes(solved.solutions.data(), solved.solutions.size()), std::move(others), solved.num_lines,
            solved.are_right};
}

using Digits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Verdicts = nb::ndarray<nb::numpy, bool, nb::shape<-1>>;

Verdicts judge(const Digits& grids, const Digits& givens, int box_rows, int box_cols) {
    const std::size_t number = grids.shape(0);
    const std::size_t num_digits = grids.shape(1);
    const BoxShape box{box_rows, box_cols};
    if (box.size() > max_size || num_digits != static_cast<std::size_t>(box.num_cells()) || givens.shape(0) != number ||
        givens.shape(1) != num_digits) {
        throw std::invalid_argument("grids and givens do not fit the box shape");
    }
    auto verdicts = std::make_unique<bool[]>(number);
    for (std::size_t i = 0; i < number; ++i) {
        verdicts[i] = is_solution(grids.data() + i * num_digits, givens.data() + i * num_digits, box_rows, box_cols);
    }
    bool* data = verdicts.get();
    return Verdicts(data, {number}, owner_of(std::move(verdicts)));
}

bool judge_one(const nb::bytes& grid, const nb::bytes& givens, int box_rows, int box_cols) {
    const BoxShape box{box_rows, box_cols};
    if (box.size() > max_size || givens.size() != static_cast<std::size_t>(box.num_cells())) {
        throw std::invalid_argument("givens do not fit the box shape");
    }
    return grid.size() == givens.size() &&
           is_solution(static_cast<const std::uint8_t*>(grid.data()), static_cast<const std::uint8_t*>(givens.data()),
                       box_rows, box_cols);
}

}  // namespace

void bind_bulk(nb::module_& m) {
    m.def("solve_bulk", &solve_bulk, "puzzles"_a, "limit"_a, "has_solutions"_a, "num_threads"_a, "instructions"_a,
          "The first solution of each 9×9 puzzle, zeros if there is none; the numbers of solutions up to the limit; "
          "and whether "
          "the judge has accepted all solutions.");
    m.def("solve_one", &solve_one, "cells"_a, "The first solution of a 9×9 puzzle, if there is one.");
    m.def(
        "solve_lines", &solve_text, "text"_a, "num_threads"_a,
        "The solutions of 9×9 puzzles as lines; (number, begin, end, position of the answer) of each line that is not "
        "plain or has no solution; the number of lines; whether the judge has accepted all solutions.");
    m.def("are_solutions", &judge, "grids"_a, "givens"_a, "box_rows"_a, "box_cols"_a,
          "Which grids, one a row, solve the puzzles beside them.");
    m.def("is_solution", &judge_one, "grid"_a, "givens"_a, "box_rows"_a, "box_cols"_a,
          "Whether a grid solves a puzzle.");
    m.def(
        "instructions",
        [] {
            std::vector<std::string> names{"portable"};
            if (has_instructions(Instructions::avx2)) names.emplace_back("avx2");
            if (has_instructions(Instructions::avx512)) names.emplace_back("avx512");
            return names;
        },
        "What `solve_bulk` can be made of on this machine, the best last.");
}

}  // namespace sudokulab
