#include "bindings/border.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#ifdef __APPLE__
#include <pthread.h>
#endif

namespace sudokulab {

bool is_main_thread() {
#ifdef __APPLE__
    return pthread_main_np() != 0;
#else
    return getpid() == static_cast<pid_t>(syscall(SYS_gettid));  // also after a fork from another thread
#endif
}

bool signal_raised() {
    if (!is_main_thread()) return false;
    const nb::gil_scoped_acquire gil;
    return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

ReleasedGil::~ReleasedGil() {
#if PY_VERSION_HEX >= 0x030D0000
    const auto is_finalizing = [] { return Py_IsFinalizing() != 0; };
#else
    const auto is_finalizing = [] { return _Py_IsFinalizing() != 0; };
#endif
    while (is_finalizing() && !is_main_thread()) std::this_thread::sleep_for(std::chrono::hours(1));
    PyEval_RestoreThread(state_);
}

}  // namespace sudokulab
