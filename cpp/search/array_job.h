// Many puzzles of one shape as plain bytes, row by row: the common form of arrays and files of lines.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "grid/geometry.h"
#include "search/control.h"

namespace sudokulab {

struct BulkStats;

struct ArrayJob {
    static constexpr std::uint32_t undecided = ~std::uint32_t{0};  // out of budget, or stopped

    BoxShape box;
    const std::uint8_t* puzzles;  // 0 for a blank
    std::size_t num_puzzles;
    std::uint32_t limit;      // stop counting the solutions of a puzzle at this number
    std::uint8_t* solutions;  // the first solution of each, zeros if there is none; may be null
    std::uint32_t* counts;    // solutions found, up to the limit, or `undecided`
    BulkStats* stats =
        nullptr;      // if not null, of 9×9 puzzles: those that the bulk engine does not decide stay undecided
    Budget budget{};  // per puzzle

    std::size_t num_cells() const { return static_cast<std::size_t>(box.num_cells()); }

    // The same job for a range of the puzzles.
    ArrayJob piece(std::size_t begin, std::size_t number) const {
        assert(begin <= num_puzzles && number <= num_puzzles - begin && stats == nullptr);
        ArrayJob part = *this;
        part.puzzles += begin * num_cells();
        part.num_puzzles = number;
        if (solutions != nullptr) part.solutions += begin * num_cells();
        part.counts += begin;
        return part;
    }
};

// Runs a job on the calling thread; polls `stop`.
using ArraySolver = std::function<void(const ArrayJob& job, const Interrupted& stop)>;

// True if every byte is 0 or a digit of this size.
bool are_digits(std::span<const std::uint8_t> cells, BoxShape box);

// True if every solution written by the job is valid.
bool are_solutions_right(const ArrayJob& job);

// Splits a job into pieces for several threads and judges the solutions; false if one is wrong.
bool run_in_pieces(const ArrayJob& job, const ArraySolver& solve, int num_threads, const Interrupted& interrupted);

// Puzzles per piece: enough that lanes idle at the end of a piece matter little, few enough that threads end together.
std::size_t piece_size(BoxShape box, std::size_t num_puzzles, int num_threads);

}  // namespace sudokulab
