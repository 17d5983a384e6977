// The Python bindings: nothing is computed here.
#include <string>

#include "bindings/bind.h"

static std::string compiler() {
#ifdef __clang__
    return std::string("clang ") + __clang_version__;
#else
    return std::string("g++ ") + __VERSION__;
#endif
}

// The macro defines the entry point of the module under another name; ours comes first, see below.
#define PyInit__core make_core
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
    sudokulab::bind_filters(m);
    sudokulab::bind_techniques(m);
    sudokulab::bind_generation(m);
    sudokulab::bind_bulk(m);
    sudokulab::bind_scoring(m);
    m.def("compiler", &compiler, "Return the name and version of the compiler.");
#if SUDOKULAB_INTERNALS
    sudokulab::bind_solver_library(m);
    sudokulab::bind_test_parts(m);
#endif
}
#undef PyInit__core

// The entry point of the module. Types and functions of the core belong to one interpreter, and nanobind replaces
// those of the main one as soon as a subinterpreter initialises the module. The stable ABI lacks
// PyInterpreterState_Main, but the main interpreter always has the ID 0.
extern "C" NB_EXPORT PyObject* PyInit__core() {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(
            PyExc_ImportError,
            "sudokulab cannot be used in a subinterpreter; use threads, which it runs in parallel, or processes");
        return nullptr;
    }
    return make_core();
}
