// The Python bindings: nothing is computed here.
#include "bindings/border.h"

NB_MODULE(_core, m) {
    m.doc() = "The native core. Not a public interface: use the package around it.";
#ifdef NDEBUG
    nanobind::set_leak_warnings(false);  // a search still running at exit keeps its puzzle; users need not know
#endif
    sudokulab::bind_frames(m);
    sudokulab::bind_results(m);
    sudokulab::bind_running(m);
    sudokulab::bind_solvers(m);
    sudokulab::bind_canonical(m);
    sudokulab::bind_logic(m);
    sudokulab::bind_techniques(m);
    sudokulab::bind_generation(m);
    sudokulab::bind_bulk(m);
    sudokulab::bind_scoring(m);
    sudokulab::bind_peer_library(m);
    sudokulab::bind_mechanics(m);
}
