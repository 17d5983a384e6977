#include "bindings/results.h"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include "bulk/bulk.h"
#include "bulk/lines.h"
#include "grid/judge.h"

namespace sudokulab {
namespace {

constexpr std::size_t values_between_signals = 1 << 16;

// Interned names of attributes; they live as long as the process.
struct Names {
    static PyObject* intern(const char* text) { return PyUnicode_InternFromString(text); }

    PyObject* const best = intern("best");
    PyObject* const box = intern("box");
    PyObject* const cells = intern("cells");
    PyObject* const cost = intern("cost");
    PyObject* const error = intern("error");
    PyObject* const matrices = intern("matrices");
    PyObject* const parameters = intern("parameters");
    PyObject* const puzzle = intern("puzzle");
    PyObject* const seconds = intern("seconds");
    PyObject* const seed = intern("seed");
    PyObject* const solution = intern("solution");
    PyObject* const solver = intern("solver");
    PyObject* const stats = intern("stats");
    PyObject* const status = intern("status");
    PyObject* const trace = intern("trace");
};

const Names& names() {
    static const Names all;
    return all;
}

nb::object get(nb::handle object, PyObject* name) {
    auto value = nb::steal<nb::object>(PyObject_GetAttr(object.ptr(), name));
    if (!value.is_valid()) throw nb::python_error();
    return value;
}

// Sets an attribute of a frozen dataclass.
void set(nb::handle object, PyObject* name, nb::handle value) {
    if (PyObject_GenericSetAttr(object.ptr(), name, value.ptr()) != 0) throw nb::python_error();
}

// An instance without attributes. Those that are not set have the default values of the class.
nb::object new_instance(nb::handle cls) {
    auto* type = reinterpret_cast<PyTypeObject*>(cls.ptr());
    static const auto make = reinterpret_cast<newfunc>(PyType_GetSlot(&PyBaseObject_Type, Py_tp_new));
    auto made = nb::steal<nb::object>(make(type, nb::tuple().ptr(), nullptr));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

nb::object new_puzzle(nb::handle cls, nb::handle cells, nb::handle box) {
    nb::object made = new_instance(cls);
    set(made, names().cells, cells);
    set(made, names().box, box);
    PyObject_GC_UnTrack(made.ptr());  // immutable, and its parts are atoms: it is never part of a cycle
    return made;
}

// The cells of a puzzle, as they are, and its box shape.
struct PuzzleView {
    explicit PuzzleView(nb::handle puzzle)
        : cells(nb::cast<nb::bytes>(get(puzzle, names().cells))), shape(get(puzzle, names().box)) {
        if (!PyTuple_Check(shape.ptr()) || PyTuple_Size(shape.ptr()) != 2) {
            throw std::invalid_argument("expected rows and columns");
        }
        box = {static_cast<int>(PyLong_AsLong(PyTuple_GetItem(shape.ptr(), 0))),
               static_cast<int>(PyLong_AsLong(PyTuple_GetItem(shape.ptr(), 1)))};
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
    }

    const std::uint8_t* data() const { return static_cast<const std::uint8_t*>(cells.data()); }

    nb::bytes cells;
    nb::object shape;
    BoxShape box{};
};

// The name of a statistic. There are few, so they live as long as the process.
PyObject* name_of(const std::string& stat) {
    static std::vector<std::pair<std::string, PyObject*>> known;
    for (const auto& [text, name] : known) {
        if (text == stat) return name;
    }
    PyObject* name = PyUnicode_InternFromString(stat.c_str());
    if (name == nullptr) throw nb::python_error();
    known.emplace_back(stat, name);
    return name;
}

nb::dict to_dict(const Stats& stats) {
    nb::dict dict;
    for (const auto& stat : stats) {  // no structured binding: clang cannot capture one
        std::visit([&](auto number) { dict[nb::handle(name_of(stat.first))] = number; }, stat.second);
    }
    return dict;
}

using Column = nb::ndarray<nb::numpy, const double>;

nb::dict trace_of(const Trace& trace) {
    nb::dict dict;
    for (std::size_t k = 0; k < trace.names().size(); ++k) {
        const auto& column = trace.columns()[k];
        dict[trace.names()[k].c_str()] = nb::cast(Column(column.data(), {column.size()}), nb::rv_policy::copy);
    }
    return dict;
}

nb::dict matrices_of(const Trace& trace) {
    nb::dict dict;
    if (!trace.snapshot_name().empty()) {
        const auto& values = trace.snapshot();
        const std::size_t width = trace.snapshot_width();
        dict[trace.snapshot_name().c_str()] =
            nb::cast(Column(values.data(), {values.size() / width, width}), nb::rv_policy::copy);
    }
    return dict;
}

void run_signal_handlers(std::size_t index) {
    if (index % values_between_signals == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
}

Values read_nines(const Values& values, nb::handle puzzle_class, nb::handle box) {
    nb::list puzzles;
    std::uint8_t cells[bulk_cells];
    for (std::size_t i = 0; i < values.size(); ++i) {
        const nb::object value = values[i];
        puzzles.append(read_nine(value, cells) ? new_puzzle(puzzle_class, nb::bytes(cells, bulk_cells), box) : value);
    }
    return puzzles;
}

using DecodedPuzzles = nb::ndarray<nb::numpy, std::uint8_t, nb::shape<-1, 81>>;
using Symbols = nb::ndarray<const std::uint8_t, nb::shape<-1, 81>, nb::c_contig, nb::device::cpu>;

// Decodes each puzzle by `read(index, cells)`; returns the cells, and the indices where it returned false.
template <class Read>
std::pair<DecodedPuzzles, std::vector<std::size_t>> decode_each(std::size_t number, Read read) {
    std::unique_ptr<std::uint8_t[]> cells(new std::uint8_t[number * bulk_cells]);
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < number; ++i) {
        run_signal_handlers(i);
        if (!read(i, &cells[i * bulk_cells])) others.push_back(i);
    }
    auto* data = cells.get();
    const nb::capsule owner(cells.release(), [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
    return {DecodedPuzzles(data, {number, bulk_cells}, owner), std::move(others)};
}

std::pair<DecodedPuzzles, std::vector<std::size_t>> decode_values(const Values& values) {
    return decode_each(values.size(), [&](std::size_t i, std::uint8_t* cells) { return read_nine(values[i], cells); });
}

std::pair<DecodedPuzzles, std::vector<std::size_t>> decode_array(const Symbols& symbols) {
    const auto* first = reinterpret_cast<const char*>(symbols.data());
    return decode_each(symbols.shape(0), [first](std::size_t i, std::uint8_t* cells) {
        return decode_symbols(first + i * bulk_cells, cells);
    });
}

bool is_valid(nb::handle result) {
    const nb::object puzzle = get(result, names().puzzle);
    const nb::object solution = get(result, names().solution);
    if (puzzle.is_none() || solution.is_none()) return false;
    const PuzzleView given(puzzle);
    const PuzzleView grid(solution);
    return given.box.rows == grid.box.rows && given.box.cols == grid.box.cols &&
           given.cells.size() == grid.cells.size() &&
           given.cells.size() == static_cast<std::size_t>(given.box.num_cells()) &&
           is_solution(grid.data(), given.data(), given.box.rows, given.box.cols);
}

std::vector<std::size_t> invalid_results(const Values& results, nb::handle solved) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const nb::object result = results[i];
        if (get(result, names().status).is(solved) && !is_valid(result)) indices.push_back(i);
    }
    return indices;
}

}  // namespace

bool read_nine(nb::handle value, std::uint8_t* cells) {
    constexpr auto num_symbols = static_cast<Py_ssize_t>(bulk_cells);
    PyObject* object = value.ptr();
    if (PyUnicode_Check(object)) {
        if (PyUnicode_GetLength(object) != num_symbols) return false;
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(object, &size);  // without a copy if it is ASCII
        if (text == nullptr) PyErr_Clear();                         // a lone surrogate
        return text != nullptr && size == num_symbols && decode_symbols(text, cells);
    }
    if (!PyBytes_Check(object) || PyBytes_Size(object) != num_symbols) return false;
    const char* bytes = PyBytes_AsString(object);
    if (decode_symbols(bytes, cells)) return true;
    std::copy(bytes, bytes + bulk_cells, cells);
    return are_digits({cells, bulk_cells}, bulk_box);
}

Puzzle puzzle_of(nb::handle puzzle) {
    const PuzzleView view(puzzle);
    return make_puzzle(view.box.rows, view.box.cols, view.cells);
}

ResultMaker::ResultMaker(nb::str solver, const Objects& classes) : solver_(std::move(solver)) {
    if (classes.size() != 2 + statuses_.size()) throw std::invalid_argument("expected two classes and three statuses");
    result_class_ = classes[0];
    puzzle_class_ = classes[1];
    for (std::size_t k = 0; k < statuses_.size(); ++k) statuses_[k] = classes[2 + k];
}

nb::any ResultMaker::make(const Result& result, nb::handle puzzle, std::uint64_t seed) const {
    nb::object made = new_instance(result_class_);
    set(made, names().status, statuses_[static_cast<std::size_t>(result.status)]);
    set(made, names().puzzle, puzzle);
    set(made, names().solver, solver_);
    if (!result.grid.empty()) {
        const bool is_solved = result.status == Status::solved;
        set(made, is_solved ? names().solution : names().best,
            new_puzzle(puzzle_class_, to_bytes(result.grid), get(puzzle, names().box)));
    }
    if (result.cost) set(made, names().cost, nb::float_(*result.cost));
    set(made, names().stats, to_dict(result.stats));
    set(made, names().trace, trace_of(result.trace));
    set(made, names().matrices, matrices_of(result.trace));
    set(made, names().parameters, nb::dict());
    set(made, names().seconds, nb::float_(result.seconds));
    set(made, names().seed, nb::int_(seed));
    if (!result.error.empty()) set(made, names().error, nb::str(result.error.c_str(), result.error.size()));
    PyObject_GC_UnTrack(made.ptr());  // its mappings hold atoms: no cycles, and lists of results are twice as fast
    return nb::steal<nb::any>(made.release());
}

nb::any Results::next() {
    if (next_ == results_.size()) throw nb::stop_iteration();
    const std::size_t i = next_++;
    nb::any made = maker_.make(results_[i], puzzles_[i], seeds_[i]);
    results_[i] = Result();
    return made;
}

void bind_results(nb::module_& m) {
    nb::class_<Results>(m, "Results", "An iterator over the results of a batch.")
        .def(
            "__iter__", [](Results& self) -> Results& { return self; }, nb::rv_policy::reference)
        .def("__next__", &Results::next)
        .def_prop_ro("are_valid", &Results::are_valid, "Whether the judge accepts all solutions.");
    m.def("read_nines", &read_nines, "values"_a, "puzzle_class"_a, "box"_a,
          "Return the values, with puzzles in place of plain 9×9 texts: 81 symbols, or 81 digits as bytes.");
    m.def("decode_nines", &decode_values, "values"_a,
          "Return the cells of plain 9×9 texts, and the indices of all other values, whose cells are arbitrary.");
    m.def("decode_nines", &decode_array, "symbols"_a, "The same for an array of symbols, one text per row.");
    m.def("invalid_results", &invalid_results, "results"_a, "solved"_a,
          "Return the indices of the results with the status `solved` that have no valid solution.");
}

}  // namespace sudokulab
