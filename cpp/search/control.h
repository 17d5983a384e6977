// The budget of a run, and the one place where a search asks whether to stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

#include "search/rng.h"
#include "search/trace.h"

namespace sudokulab {

struct Budget {
    double seconds = std::numeric_limits<double>::infinity();
    std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
    std::int64_t nodes = std::numeric_limits<std::int64_t>::max();
    bool is_cpu_time = false;  // the seconds are CPU time of the thread that runs the search
};

// Polled periodically from the thread that runs the search; true once the run has been cancelled.
using Interrupted = std::function<bool()>;

inline constexpr std::chrono::milliseconds interrupt_interval{20};  // the polling interval

class Control {
public:
    using Clock = std::chrono::steady_clock;

    Control(const Budget& limits, std::uint64_t seed, std::size_t trace_capacity, Interrupted interrupted)
        : budget(limits), rng(seed), trace(trace_capacity), interrupted_(std::move(interrupted)) {}

    const Budget budget;
    Rng rng;
    Trace trace;
    std::int64_t num_nodes = 0;  // of all tree searches under this control

    bool is_out_of_nodes() const { return num_nodes >= budget.nodes; }

    // True once time is up or the run has been cancelled. Cheap enough to call at every step: the clock is read at most
    // every 64th call, and more often when steps are slow, so time limits are kept to a few milliseconds on any size.
    bool must_stop() {
        if (--until_check_ > 0) return stopped_;
        return check();
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    bool check();
    double seconds_spent() const { return budget.is_cpu_time ? cpu_seconds() - cpu_start_ : seconds(); }
    static double cpu_seconds();  // of the calling thread

    const Interrupted interrupted_;
    const Clock::time_point start_ = Clock::now();
    const double cpu_start_ = budget.is_cpu_time ? cpu_seconds() : 0;
    Clock::time_point last_check_ = start_;
    Clock::time_point last_asked_ = start_;
    int stride_ = 1;
    int until_check_ = 0;
    bool stopped_ = false;
};

}  // namespace sudokulab
