// Puzzles and results of Python, read and made without calling Python code: the constructors of `sudokulab.Puzzle` and
// `sudokulab.Result` take longer than the bulk engine does for a puzzle.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "bindings/bind.h"

namespace sudokulab {

using Values = nb::typed<nb::list, nb::any>;
using Objects = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

// Decodes a text of 81 plain symbols, or 81 digits as bytes. False for everything else.
bool read_nine(nb::handle value, std::uint8_t* cells);

// Throws std::invalid_argument if the cells do not fit the box.
Puzzle puzzle_of(nb::handle puzzle);

class ResultMaker {
public:
    // `classes`: Result, Puzzle, and the statuses solved, unsatisfiable and unknown.
    ResultMaker(nb::str solver, const Objects& classes);

    nb::any make(const Result& result, nb::handle puzzle, std::uint64_t seed) const;

private:
    nb::str solver_;
    nb::object result_class_;
    nb::object puzzle_class_;
    std::array<nb::object, 3> statuses_;  // in the order of `Status`
};

// The results of a batch, made one by one while Python iterates over them: those that Python has dropped by then are
// no work for its garbage collector.
class Results {
public:
    Results(Objects puzzles, std::vector<std::uint64_t> seeds, std::vector<Result> results, bool are_valid,
            ResultMaker maker)
        : puzzles_(std::move(puzzles)),
          seeds_(std::move(seeds)),
          results_(std::move(results)),
          are_valid_(are_valid),
          maker_(std::move(maker)) {}

    // Whether the judge accepts all solutions.
    bool are_valid() const { return are_valid_; }
    nb::any next();  // throws nb::stop_iteration at the end

private:
    Objects puzzles_;
    std::vector<std::uint64_t> seeds_;
    std::vector<Result> results_;
    bool are_valid_;
    ResultMaker maker_;
    std::size_t next_ = 0;
};

}  // namespace sudokulab
