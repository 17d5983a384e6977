#include "bindings/border.h"

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "logic/techniques/catalogue.h"
#include "search/array_job.h"

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

bool is_shape(BoxShape box) {
    return box.rows > 0 && box.cols > 0 && box.rows <= max_size && box.cols <= max_size && box.size() <= max_size;
}

Puzzle make_puzzle(int box_rows, int box_cols, const nb::bytes& givens) {
    const BoxShape box{box_rows, box_cols};
    if (!is_shape(box)) throw std::invalid_argument("box shape out of range");
    const auto* first = static_cast<const std::uint8_t*>(givens.data());
    Grid cells(first, first + givens.size());
    if (cells.size() != static_cast<std::size_t>(box.num_cells()) || !are_digits(cells, box)) {
        throw std::invalid_argument("givens do not fit the box shape");
    }
    return {box, std::move(cells)};
}

std::vector<Rule> rules_of(const std::vector<int>& numbers) {
    std::vector<Rule> rules;
    for (const int number : numbers) {
        if (number < 0 || number >= static_cast<int>(num_rules)) throw std::invalid_argument("no such rule");
        rules.push_back(static_cast<Rule>(number));
    }
    return rules;
}

std::vector<techniques::Technique> techniques_named(const std::vector<std::string>& names) {
    std::vector<techniques::Technique> order;
    for (const std::string& name : names) {
        const std::optional<techniques::Technique> found = techniques::technique_named(name);
        if (!found) throw std::invalid_argument("unknown technique: " + name);
        order.push_back(*found);
    }
    return order;
}

Filter filter_named(const std::string& name) {
    if (name == "none") return {};
    if (name == "cp") return {Filter::Kind::cp, {}};
    if (name == "ac3") return {Filter::Kind::ac3, {}};
    if (name == "rules") return {Filter::Kind::rules, {}};
    std::vector<std::string> names;
    std::istringstream list(name);
    for (std::string entry; std::getline(list, entry, ',');) names.push_back(entry);
    return {Filter::Kind::techniques, techniques_named(names)};
}

}  // namespace sudokulab
