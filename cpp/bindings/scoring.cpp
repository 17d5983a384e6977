// Scores of predicted grids.
#include "grid/scoring.h"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "bindings/zeroed_arrays.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

using Predictions = nb::ndarray<nb::ro, nb::ndim<3>, nb::device::cpu>;
using Digits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t scored_at_once = 1024;  // between two checks for Ctrl-C, and on one thread

// Predictions, the puzzles they refer to, and the scores.
struct ScoreJob {
    BoxShape box;
    std::size_t number;
    const std::uint8_t* puzzles;
    const std::uint8_t* solutions;
    const std::int64_t* rows;  // of each prediction's puzzle; null for its own row
    Zeros<bool> is_complete = zeros<bool>(number);
    Zeros<bool> is_valid = zeros<bool>(number);
    Zeros<bool> keeps_givens = zeros<bool>(number);
    Zeros<std::uint16_t> num_correct = zeros<std::uint16_t>(number);
    Zeros<std::uint16_t> num_correct_blanks = zeros<std::uint16_t>(number);

    template <class Integer>
    void score_one(GridView<Integer> grid, std::size_t index) {
        std::array<std::uint8_t, max_size * max_size> digits;
        copy_digits(grid, box.size(), digits.data());
        const auto row = rows == nullptr ? index : static_cast<std::size_t>(rows[index]);
        const std::size_t begin = row * static_cast<std::size_t>(box.num_cells());
        const Score found = score(digits.data(), puzzles + begin, solutions + begin, box.rows, box.cols);
        is_complete[index] = found.is_complete;
        is_valid[index] = found.is_valid;
        keeps_givens[index] = found.keeps_givens;
        num_correct[index] = found.num_correct;
        num_correct_blanks[index] = found.num_correct_blanks;
    }
};

template <class Integer>
void score_all(ScoreJob& job, const Predictions& predictions, int num_threads) {
    const auto* first = static_cast<const Integer*>(predictions.data());
    without_gil([&] {
        const auto score_some = [&](std::size_t piece, const Interrupted&) {
            const std::size_t end = std::min((piece + 1) * scored_at_once, job.number);
            for (std::size_t i = piece * scored_at_once; i < end; ++i) {
                const auto* cells = first + static_cast<std::ptrdiff_t>(i) * predictions.stride(0);
                job.score_one(GridView<Integer>{cells, predictions.stride(1), predictions.stride(2)}, i);
            }
        };
        run_parallel((job.number + scored_at_once - 1) / scored_at_once, num_threads, is_interrupted, score_some);
        return 0;
    });
}

template <class... Integers>
void score_typed(ScoreJob& job, const Predictions& predictions, int num_threads) {
    const bool is_known =
        ((predictions.dtype() == nb::dtype<Integers>() && (score_all<Integers>(job, predictions, num_threads), true)) ||
         ...);
    if (!is_known) throw std::invalid_argument("predictions are not integers");
}

using ScoreArrays = std::tuple<Array<bool>, Array<bool>, Array<bool>, Array<std::uint16_t>, Array<std::uint16_t>>;

ScoreArrays score_array(const Predictions& predictions, const Digits& puzzles, const Digits& solutions,
                        const std::optional<Indices>& rows, int box_rows, int box_cols, int num_threads) {
    const BoxShape box{box_rows, box_cols};
    const std::size_t number = predictions.shape(0);
    const std::size_t num_puzzles = puzzles.shape(0);
    if (!is_shape(box) || puzzles.shape(1) != static_cast<std::size_t>(box.num_cells()) ||
        solutions.shape(0) != num_puzzles || solutions.shape(1) != puzzles.shape(1) ||
        predictions.shape(1) != static_cast<std::size_t>(box.size()) || predictions.shape(2) != predictions.shape(1)) {
        throw std::invalid_argument("predictions, puzzles and solutions do not fit the box shape");
    }
    if ((rows ? rows->shape(0) : num_puzzles) != number) throw std::invalid_argument("predictions differ in number");
    const std::int64_t* indices = rows ? rows->data() : nullptr;
    const auto is_row = [&](std::int64_t row) { return row >= 0 && static_cast<std::size_t>(row) < num_puzzles; };
    if (rows && !std::all_of(indices, indices + number, is_row)) throw std::invalid_argument("a row is out of range");
    ScoreJob job{
        .box = box, .number = number, .puzzles = puzzles.data(), .solutions = solutions.data(), .rows = indices};
    score_typed<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t,
                std::int64_t>(job, predictions, num_threads);
    return {to_array(std::move(job.is_complete), {number}), to_array(std::move(job.is_valid), {number}),
            to_array(std::move(job.keeps_givens), {number}), to_array(std::move(job.num_correct), {number}),
            to_array(std::move(job.num_correct_blanks), {number})};
}

}  // namespace

void bind_scoring(nb::module_& m) {
    m.def(
        "score_array", &score_array, "predictions"_a, "puzzles"_a, "solutions"_a, "rows"_a.none(), "box_rows"_a,
        "box_cols"_a, "num_threads"_a,
        nb::sig("def score_array(predictions: NDArray[numpy.integer], puzzles: NDArray[numpy.uint8], "
                "solutions: NDArray[numpy.uint8], rows: NDArray[numpy.int64] | None, box_rows: int, box_cols: int, "
                "num_threads: int) -> tuple[NDArray[numpy.bool_], NDArray[numpy.bool_], NDArray[numpy.bool_], "
                "NDArray[numpy.uint16], NDArray[numpy.uint16]]"),  // nanobind does not name arrays of any integers
        "Return for each predicted grid whether it is complete, is valid and keeps the givens, and how many cells and "
        "blanks are correct. Rows are the indices of the puzzles, by default one per prediction.");
}

}  // namespace sudokulab
