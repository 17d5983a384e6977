// 9×9 puzzles in bulk.
#include "../bulk.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <tuple>

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

std::tuple<Solutions, Counts> solve_bulk(const Puzzles& puzzles, std::uint32_t limit, bool has_solutions,
                                         int num_threads, const std::string& instructions) {
    const std::size_t number = puzzles.shape(0);
    const std::size_t num_kept = has_solutions ? number : 0;
    auto solutions = std::make_unique<std::uint8_t[]>(num_kept * num_cells);  // zeros
    auto counts = std::make_unique<std::uint32_t[]>(number);
    const Instructions chosen = instructions_named(instructions);
    if (!has_instructions(chosen)) throw std::invalid_argument("this machine has no " + instructions);
    const std::uint8_t* first = puzzles.data();
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
        });
        return 0;
    });
    auto* solution_data = solutions.get();
    auto* count_data = counts.get();
    return {Solutions(solution_data, {num_kept, num_cells}, owner_of(std::move(solutions))),
            Counts(count_data, {number}, owner_of(std::move(counts)))};
}

}  // namespace

void bind_bulk(nb::module_& m) {
    m.def(
        "solve_bulk", &solve_bulk, "puzzles"_a, "limit"_a, "has_solutions"_a, "num_threads"_a, "instructions"_a,
        "The first solution of each 9×9 puzzle, zeros if there is none, and the numbers of solutions up to the limit.");
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
