// 9×9 puzzles in bulk, and the judge.
#include "bulk/bulk.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <tuple>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "bindings/zeroed_arrays.h"
#include "bulk/lines.h"
#include "grid/judge.h"
#include "search/array_job.h"
#include "search/threads.h"
#include "solvers/auto.h"

namespace sudokulab {
namespace {

using Puzzles = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Solutions = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>;
using Counts = nb::ndarray<nb::numpy, std::uint32_t, nb::shape<-1>>;

ArraySolver array_solver(Instructions instructions) {
    return [instructions](const ArrayJob& job, const Interrupted& stop) { Auto(instructions).solve_array(job, stop); };
}

std::tuple<Solutions, Counts, bool> solve_array(const Puzzles& puzzles, int box_rows, int box_cols, std::uint32_t limit,
                                                bool has_solutions, int num_threads, const std::string& instructions) {
    const BoxShape box{box_rows, box_cols};
    if (!is_shape(box) || puzzles.shape(1) != static_cast<std::size_t>(box.num_cells())) {
        throw std::invalid_argument("puzzles do not fit the box shape");
    }
    if (limit == 0 || limit == ArrayJob::undecided) throw std::invalid_argument("limit out of range");
    const Instructions chosen = instructions == "best" ? best_instructions() : instructions_named(instructions);
    const std::size_t number = puzzles.shape(0);
    const std::size_t num_kept = has_solutions ? number : 0;
    auto solutions = zeros<std::uint8_t>(num_kept * puzzles.shape(1));
    auto counts = zeros<std::uint32_t>(number);
    const ArrayJob job{.box = box,
                       .puzzles = puzzles.data(),
                       .num_puzzles = number,
                       .limit = limit,
                       .solutions = has_solutions ? solutions.get() : nullptr,
                       .counts = counts.get()};
    if (!are_digits({job.puzzles, number * job.num_cells()}, box))
        throw std::invalid_argument("digits do not fit the box shape");
    const bool are_right =
        without_gil([&] { return run_in_pieces(job, array_solver(chosen), num_threads, is_interrupted); });
    auto* solution_data = solutions.get();
    auto* count_data = counts.get();
    return {Solutions(solution_data, {num_kept, puzzles.shape(1)}, owner_of(std::move(solutions))),
            Counts(count_data, {number}, owner_of(std::move(counts))), are_right};
}

const char* to_text(SolvedLines::Answer answer) {
    switch (answer) {
        case SolvedLines::Answer::unsatisfiable:
            return "unsatisfiable";
        case SolvedLines::Answer::unknown:
            return "unknown";
        default:
            return "unread";
    }
}

constexpr std::array role_names{"puzzle", "name", "box", "other"};
constexpr std::array slot_names{"",    "solution", "puzzle",  "grid",  "fields",     "quoted",
                                "row", "id",       "seconds", "nodes", "backtracks", "max_depth"};

template <class Value>
Value value_named(const std::string& name, std::span<const char* const> names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::invalid_argument("unknown name " + name);
    return static_cast<Value>(found - names.begin());
}

using AnswerParts = std::vector<std::tuple<std::string, std::string, std::size_t, std::size_t>>;

LineLayout layout_of(const std::vector<std::string>& columns, char delimiter, const AnswerParts& answer,
                     const std::vector<std::string>& keys) {
    if (!keys.empty() && keys.size() != columns.size()) throw std::invalid_argument("expected a key for each member");
    LineLayout layout{.columns = {}, .delimiter = delimiter, .keys = keys, .answer = {}};
    for (const auto& role : columns) layout.columns.push_back(value_named<LineLayout::Role>(role, role_names));
    if (!columns.empty() && std::count(columns.begin(), columns.end(), "puzzle") != 1) {
        throw std::invalid_argument("expected one column of puzzles");
    }
    for (const auto& [text, slot, first, last] : answer) {
        const bool has_field = first < last || slot != "quoted";
        if (first > last || last > columns.size() || !has_field) throw std::invalid_argument("fields out of range");
        layout.answer.push_back({text, value_named<LineLayout::Slot>(slot, slot_names), first, last});
    }
    return layout;
}

nb::bytes joined(const std::vector<std::string>& texts) {
    std::size_t size = 0;
    for (const std::string& text : texts) size += text.size();
    auto all = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!all.is_valid()) throw nb::python_error();
    char* end = PyBytes_AsString(all.ptr());
    for (const std::string& text : texts) end = std::copy(text.begin(), text.end(), end);
    return all;
}

// The answers; number, row, begin, end, position of the answer and answer of each other line; the numbers of bytes and
// lines that have been read; the number of the last row; whether the judge accepted all solutions.
using OtherLine = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, const char*>;
using TextAnswers = std::tuple<nb::bytes, std::vector<OtherLine>, std::size_t, std::size_t, std::size_t, bool>;

TextAnswers solve_text(const nb::bytes& text, std::size_t begin, std::size_t first_row, bool is_last,
                       const LineLayout& layout, const Budget& budget, int num_threads) {
    const std::string_view view(text.c_str(), text.size());
    if (begin > view.size()) throw std::invalid_argument("begin out of range");
    const LineBlock block{.text = view.substr(begin), .first_row = first_row, .is_last = is_last};
    const SolvedLines solved = without_gil([&] {
        return solve_lines(block, layout, array_solver(best_instructions()), budget, num_threads, is_interrupted);
    });
    std::vector<OtherLine> others;
    for (const auto& other : solved.others) {
        others.emplace_back(other.number, other.row, begin + other.begin, begin + other.end, other.position,
                            to_text(other.answer));
    }
    return {
        joined(solved.texts), std::move(others), solved.num_bytes, solved.num_lines, first_row + solved.num_rows - 1,
        solved.are_right};
}

using Digits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Verdicts = nb::ndarray<nb::numpy, bool, nb::shape<-1>>;
constexpr std::size_t judged_at_once = 1024;  // between two checks for Ctrl-C

Verdicts judge(const Digits& grids, const Digits& givens, int box_rows, int box_cols) {
    const std::size_t number = grids.shape(0);
    const std::size_t num_digits = grids.shape(1);
    const BoxShape box{box_rows, box_cols};
    if (!is_shape(box) || num_digits != static_cast<std::size_t>(box.num_cells()) || givens.shape(0) != number ||
        givens.shape(1) != num_digits) {
        throw std::invalid_argument("grids and givens do not fit the box shape");
    }
    auto verdicts = zeros<bool>(number);
    const auto* grid = grids.data();
    const auto* given = givens.data();
    without_gil([&] {
        const auto judge_some = [&](std::size_t index, const Interrupted&) {
            const std::size_t end = std::min((index + 1) * judged_at_once, number);
            for (std::size_t i = index * judged_at_once; i < end; ++i) {
                verdicts[i] = is_solution(grid + i * num_digits, given + i * num_digits, box_rows, box_cols);
            }
        };
        run_parallel((number + judged_at_once - 1) / judged_at_once, 1, is_interrupted, judge_some);
        return 0;
    });
    bool* data = verdicts.get();
    return Verdicts(data, {number}, owner_of(std::move(verdicts)));
}

bool judge_one(const nb::bytes& grid, const nb::bytes& givens, int box_rows, int box_cols) {
    const BoxShape box{box_rows, box_cols};
    if (!is_shape(box) || givens.size() != static_cast<std::size_t>(box.num_cells())) {
        throw std::invalid_argument("givens do not fit the box shape");
    }
    return grid.size() == givens.size() &&
           is_solution(static_cast<const std::uint8_t*>(grid.data()), static_cast<const std::uint8_t*>(givens.data()),
                       box_rows, box_cols);
}

// Python has the check and the message, also for text that is not UTF-8.
void raise_unknown_instructions(const UnknownInstructions& error) {
    try {
        const auto name = nb::steal(PyUnicode_DecodeFSDefault(error.name.c_str()));
        if (!name.is_valid()) throw nb::python_error();
        nb::module_::import_("sudokulab._internal.native").attr("checked_instructions")(name, error.setting);
        PyErr_SetString(PyExc_ValueError, error.what());  // not reached while both lists agree
    } catch (nb::python_error& raised) {
        raised.restore();
    }
}

}  // namespace

void bind_bulk(nb::module_& m) {
    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        try {
            std::rethrow_exception(pointer);
        } catch (const UnknownInstructions& error) {
            raise_unknown_instructions(error);
        }
    });
    m.def("solve_array", &solve_array, "puzzles"_a, "box_rows"_a, "box_cols"_a, "limit"_a, "has_solutions"_a,
          "num_threads"_a, "instructions"_a,
          "Return the first solution of each puzzle (zeros if there is none), the numbers of solutions up to the "
          "limit, and whether the judge accepted all solutions.");
    m.attr("max_guesses") = Auto::max_guesses;
    nb::class_<LineLayout>(m, "LineLayout", "Where to find the puzzles of a text, and what to write for each.")
        .def(
            "__init__",
            [](LineLayout* self, const std::vector<std::string>& columns, char delimiter, const AnswerParts& answer,
               const std::vector<std::string>& keys) {
                new (self) LineLayout(layout_of(columns, delimiter, answer, keys));
            },
            "columns"_a, "delimiter"_a, "answer"_a, "keys"_a);
    m.def("solve_lines", &solve_text, "text"_a, "begin"_a, "first_row"_a, "is_last"_a, "layout"_a, "budget"_a,
          "num_threads"_a,
          "Solve 9×9 puzzles, one per line, row of CSV or object. Return the answers; (number, row, begin, end, "
          "position of the answer, answer) of each other line; the numbers of bytes and lines that have been read, "
          "which is less than the text at a row that continues in the next one, and at a line that may hold several "
          "puzzles or none; the number of the last row; whether the judge accepted all solutions.");
    m.def("are_solutions", &judge, "grids"_a, "givens"_a, "box_rows"_a, "box_cols"_a,
          "Return for each row of grids whether it solves the puzzle in the same row of givens.");
    m.def("is_solution", &judge_one, "grid"_a, "givens"_a, "box_rows"_a, "box_cols"_a,
          "Return whether a grid solves a puzzle.");
    m.def(
        "instructions",
        [] {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < instruction_names.size(); ++i) {
                if (has_instructions(static_cast<Instructions>(i))) names.emplace_back(instruction_names[i]);
            }
            return names;
        },
        "Return the instruction sets available to the bulk engine, best last.");
    m.def(
        "best_instructions", [] { return instruction_names[static_cast<std::size_t>(best_instructions())]; },
        "Return the instruction set that the bulk engine uses by default.");
}

}  // namespace sudokulab
