#include "bindings/without_gil.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace sudokulab {

#ifndef __linux__
// The thread that loaded the library, which is the main one unless the package was first imported in another.
[[maybe_unused]] static const std::thread::id importing_thread = std::this_thread::get_id();
#endif

bool is_main_thread() {
#ifdef __APPLE__
    return pthread_main_np() != 0;
#elif !defined(__linux__)
    return std::this_thread::get_id() == importing_thread;
#else
    return getpid() == static_cast<pid_t>(syscall(SYS_gettid));  // also correct after a fork from another thread
#endif
}

namespace {

thread_local std::vector<const Cancellation*> entered;  // by this thread, the innermost last

bool is_cancelled() {
    return std::any_of(entered.begin(), entered.end(), [](const auto* token) { return token->is_cancelled(); });
}

}  // namespace

void Cancellation::enter() { entered.push_back(this); }

void Cancellation::exit() {
    const auto last = std::find(entered.rbegin(), entered.rend(), this);
    if (last != entered.rend()) entered.erase(std::next(last).base());
}

bool is_interrupted() {
    if (is_cancelled()) return true;
    if (!is_main_thread()) return false;
    const nb::gil_scoped_acquire gil;
    return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

void raise_interruption() {
    if (PyErr_Occurred() == nullptr && is_cancelled()) {
        const nb::object error = nb::module_::import_("sudokulab.errors").attr("CancelledError");
        PyErr_SetString(error.ptr(), "the search was cancelled");
    }
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
