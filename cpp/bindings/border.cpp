#include "bindings/border.h"

#include <cxxabi.h>
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
    return getpid() == static_cast<pid_t>(syscall(SYS_gettid));  // also correct after a fork from another thread
#endif
}

namespace {

thread_local const Cancellation* current_cancellation = nullptr;

bool is_cancelled() { return current_cancellation != nullptr && current_cancellation->is_cancelled(); }

}  // namespace

void Cancellation::enter() {
    outer_ = current_cancellation;
    current_cancellation = this;
}

void Cancellation::exit() { current_cancellation = outer_; }

bool is_interrupted() {
    if (is_cancelled()) return true;
    if (!is_main_thread()) return false;
    const nb::gil_scoped_acquire gil;
    return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

void raise_interruption() {
    if (PyErr_Occurred() == nullptr && is_cancelled()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
}

ReleasedGil::~ReleasedGil() {
    // During shutdown, CPython ends a thread that requests the GIL by unwinding its stack. That would abort the process
    // in our frames, which do not expect it; so the thread sleeps until the process ends.
#ifdef __GLIBCXX__
    try {
        PyEval_RestoreThread(state_);
    } catch (const abi::__forced_unwind&) {
        while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
#else
    PyEval_RestoreThread(state_);
#endif
}

}  // namespace sudokulab
