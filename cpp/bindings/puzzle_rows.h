// Arrays of puzzles of one shape, one per row, and parallel loops over them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "grid/geometry.h"
#include "search/array_job.h"
#include "search/threads.h"

namespace sudokulab {

using Cells = std::span<const std::uint8_t>;
using Puzzles = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The rows of an array of puzzles, checked.
class PuzzleRows {
public:
    PuzzleRows(const Puzzles& puzzles, BoxShape box)
        : data_(puzzles.data()), number_(puzzles.shape(0)), num_cells_(puzzles.shape(1)) {
        if (!is_shape(box) || num_cells_ != static_cast<std::size_t>(box.num_cells()) ||
            !are_digits({data_, number_ * num_cells_}, box)) {
            throw std::invalid_argument("puzzles do not fit the box shape");
        }
    }

    std::size_t size() const { return number_; }
    std::size_t num_cells() const { return num_cells_; }
    Cells operator[](std::size_t index) const { return {data_ + index * num_cells_, num_cells_}; }

private:
    const std::uint8_t* data_;
    std::size_t number_;
    std::size_t num_cells_;
};

// Calls work(index) for each puzzle, without the GIL. Checks for Ctrl-C after each piece of so many puzzles.
template <class Work>
void for_each_puzzle(std::size_t number, std::size_t piece, int num_threads, Work work) {
    without_gil([&] {
        run_parallel((number + piece - 1) / piece, num_threads, is_interrupted,
                     [&](std::size_t index, const Interrupted&) {
                         const std::size_t end = std::min(number, (index + 1) * piece);
                         for (std::size_t i = index * piece; i < end; ++i) work(i);
                     });
        return 0;
    });
}

}  // namespace sudokulab
