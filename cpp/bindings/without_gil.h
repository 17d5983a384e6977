// Runs searches without the GIL, and lets Ctrl-C and other threads stop them.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "bindings/bind.h"
#include "search/control.h"
#include "search/solver.h"
#include "search/threads.h"

namespace sudokulab {

// Whether this thread runs Python's signal handlers.
bool is_main_thread();

// Lets other threads stop the searches of the threads that have entered it.
class Cancellation {
public:
    void enter();
    void exit();
    void cancel() { is_cancelled_ = true; }
    bool is_cancelled() const { return is_cancelled_; }

private:
    std::atomic<bool> is_cancelled_ = false;
};

// Whether to stop the searches of this thread: they have been cancelled, or one of Python's signal handlers, which this
// runs, raised (KeyboardInterrupt). Threads other than the main one have no handlers to run and do not take the GIL:
// the interpreter may be shutting down.
bool is_interrupted();

// Releases the GIL during its lifetime. A thread that returns while the interpreter shuts down keeps sleeping.
class ReleasedGil {
public:
    ReleasedGil() : state_(PyEval_SaveThread()) {}
    ~ReleasedGil();
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;

private:
    PyThreadState* state_;
};

// Raises CancelledError if the searches of this thread have been cancelled, or what a signal handler has raised.
void raise_interruption();

// Calls `search` without the GIL, unless or until it is interrupted.
template <class Search>
auto without_gil(Search search) {
    raise_interruption();
    auto result = [&] {
        const ReleasedGil released;
        return search();
    }();
    raise_interruption();
    return result;
}

// Calls work(puzzle, control) for each puzzle, in parallel and without the GIL; returns the answers in order. All have
// the same seed, so that an answer does not depend on the other puzzles.
template <class Work>
auto answer_each(const std::vector<Puzzle>& puzzles, const Budget& budget, int num_threads, Work work,
                 std::uint64_t seed = 0) {
    return without_gil([&] {
        std::vector<std::invoke_result_t<Work, const Puzzle&, Control&>> answers(puzzles.size());
        run_parallel(puzzles.size(), num_threads, is_interrupted, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, seed, 0, stop);
            answers[i] = work(puzzles[i], control);
        });
        return answers;
    });
}

}  // namespace sudokulab
