// The canonical form of puzzles.
#include "grid/canonical.h"

#include <stdexcept>

#include "bindings/border.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

void check_shape(const Puzzle& puzzle) {
    if (!has_canonical_form(puzzle.box)) throw std::invalid_argument("no canonical form for this box shape");
}

Canonical find_canonical(const Puzzle& puzzle) {
    check_shape(puzzle);
    return without_gil([&] { return canonical_form(puzzle.box, puzzle.givens); });
}

std::vector<Canonical> find_canonical_many(const std::vector<Puzzle>& puzzles, int num_threads) {
    for (const Puzzle& puzzle : puzzles) check_shape(puzzle);
    return without_gil([&] {
        std::vector<Canonical> found(puzzles.size());
        run_parallel(puzzles.size(), num_threads, is_interrupted, [&](std::size_t i, const Interrupted&) {
            found[i] = canonical_form(puzzles[i].box, puzzles[i].givens);
        });
        return found;
    });
}

}  // namespace

void bind_canonical(nb::module_& m) {
    nb::class_<Canonical>(m, "Canonical", "The smallest isomorph of a puzzle, and a transformation that leads there.")
        .def_prop_ro("cells", [](const Canonical& self) { return to_bytes(self.cells); })
        .def_ro("is_transposed", &Canonical::is_transposed, "Whether to transpose before permuting.")
        .def_ro("rows", &Canonical::rows, "The source of each row.")
        .def_ro("cols", &Canonical::cols, "The source of each column.")
        .def_ro("digits", &Canonical::digits, "The digits that replace 1, 2, and so on.")
        .def_ro("num_automorphisms", &Canonical::num_automorphisms);
    m.def("canonical", &find_canonical, "puzzle"_a, "Return the canonical form of a puzzle up to size 9.");
    m.def("canonical_many", &find_canonical_many, "puzzles"_a, "num_threads"_a,
          "Return the canonical form of each puzzle.");
}

}  // namespace sudokulab
