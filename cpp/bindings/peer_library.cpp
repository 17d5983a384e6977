// Third-party solvers, for comparison with ours.
#include "bulk/peer_library.h"

#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bindings/border.h"

namespace sudokulab {
namespace {

template <class T, int width>
using Rows = nb::ndarray<T, nb::shape<-1, width>, nb::c_contig, nb::device::cpu>;
using Lines = Rows<const std::uint8_t, PeerLibrary::line_length>;
using Solutions = Rows<std::uint8_t, PeerLibrary::line_length>;
using Counts = nb::ndarray<std::uint32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

void solve(const PeerLibrary& solver, const Lines& lines, std::size_t limit, const Solutions& solutions,
           const Counts& counts) {
    if (solutions.shape(0) != lines.shape(0) || counts.shape(0) != lines.shape(0)) {
        throw std::invalid_argument("expected one solution and one count per line");
    }
    without_gil([&] {
        solver.solve(reinterpret_cast<const char*>(lines.data()), lines.shape(0), limit,
                     reinterpret_cast<char*>(solutions.data()), counts.data(), is_interrupted);
        return 0;
    });
}

}  // namespace

void bind_peer_library(nb::module_& m) {
    nb::class_<PeerLibrary>(m, "PeerLibrary", "A function in a shared library that solves 9×9 puzzles.")
        .def(nb::init<const std::string&, const std::string&>(), "path"_a, "symbol"_a)
        .def("solve", &solve, "lines"_a, "limit"_a, "solutions"_a.noconvert(), "counts"_a.noconvert(),
             "Write the first solution of each line, as the library formats it, and the numbers of solutions up to "
             "the limit.");
    m.def(
        "compiler",
        [] {
#ifdef __clang__
            return std::string("clang ") + __clang_version__;
#else
            return std::string("g++ ") + __VERSION__;
#endif
        },
        "Return the name and version of the compiler.");
}

}  // namespace sudokulab
