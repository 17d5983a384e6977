// The budget of a run, and the one place where a search asks whether to stop.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "search/frames.h"
#include "search/rng.h"
#include "search/trace.h"

namespace sudokulab {

struct Budget {
    double seconds = std::numeric_limits<double>::infinity();
    std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
    std::int64_t nodes = std::numeric_limits<std::int64_t>::max();
    bool is_cpu_time = false;  // the seconds are CPU time of the thread that runs the search
};

inline constexpr std::chrono::milliseconds interrupt_interval{20};  // the polling interval

class Control {
public:
    using Clock = std::chrono::steady_clock;

    Control(const Budget& limits, std::uint64_t seed, std::size_t trace_capacity, Interrupted interrupted,
            Viewer* viewer = nullptr)
        : budget(limits), rng(seed), trace(trace_capacity), interrupted_(std::move(interrupted)), viewer_(viewer) {}

    const Budget budget;
    Rng rng;
    Trace trace;
    std::int64_t num_nodes = 0;  // of all tree searches under this control
    // The effort of a metaheuristic so far: states whose cost it computed, and changes of its state, such as swaps, new
    // individuals or placed digits.
    std::int64_t num_evaluations = 0;
    std::int64_t num_moves = 0;
    int num_threads = 1;  // that a solver may use

    bool is_out_of_nodes() const { return num_nodes >= budget.nodes; }
    // What is left of the time and the nodes, for searches under controls of their own.
    Budget budget_left() const {
        Budget left = budget;
        left.seconds -= seconds_spent();
        if (left.nodes != Budget().nodes) left.nodes -= num_nodes;  // unlimited stays unlimited
        return left;
    }

    // True once time is up or the run has been cancelled. Cheap enough to call at every step: the clock is read at most
    // every 64th call, and more often when steps are slow, so time limits are kept to a few milliseconds on any size.
    bool must_stop() {
        if (--until_check_ > 0) return stopped_;
        return check();
    }

    // The same, and offers the state after a step to the viewer, if there is one. Steps are numbered from 0 without
    // gaps; an offer can be repeated. `snapshot` returns a frame. The viewer may keep the search waiting.
    template <class Snapshot>
    bool must_stop(std::int64_t step, const Snapshot& snapshot) {
        if (--until_check_ > 0) return stopped_;
        if (viewer_ == nullptr || stopped_) return check();
        if (viewer_->is_due(step)) viewer_->show(step, seconds(), snapshot());
        const std::int64_t num_steps = viewer_->hold(step);
        check();
        grant_calls(num_steps);
        return stopped_;
    }

    bool has_viewer() const { return viewer_ != nullptr; }

    // Names the values in the trace and in the frames of a tree search.
    void set_columns(std::initializer_list<const char*> names) { begin_columns({names.begin(), names.end()}); }
    // The same for a metaheuristic, with the values that follow iterations, cost and best cost.
    void set_cost_columns(std::initializer_list<const char*> further) {
        std::vector<std::string> names{"iterations", "cost", "best_cost"};
        names.insert(names.end(), further.begin(), further.end());
        has_costs_ = true;
        begin_columns(std::move(names));
    }
    // The same for frames of a part of the run before the search; it is not in the trace.
    void begin_phase(const char* name, std::initializer_list<const char*> names) {
        if (viewer_ != nullptr) viewer_->begin_phase(name, {names.begin(), names.end()});
    }
    void end_phase(std::int64_t num_states) {
        if (viewer_ != nullptr) viewer_->end_phase(num_states);
    }

    // Adds a row of values to the trace if one is due. The trace also shows the effort so far.
    template <class Row>
    void sample(const Row& row) {
        if (trace.is_due()) trace.add(with_effort(row()));
    }
    // The same, and adds a row whenever the best cost has fallen.
    template <class Row>
    void sample(int best_cost, const Row& row) {
        const bool is_due = trace.is_due();
        if (best_cost < best_cost_) {
            sample_improvement(best_cost, row);
        } else if (is_due) {
            trace.add(with_effort(row()));
        }
    }
    template <class Row>
    void sample_improvement(int best_cost, const Row& row) {
        if (best_cost >= best_cost_ || !trace.is_on()) return;
        best_cost_ = best_cost;
        trace.add_improvement(with_effort(row()));
    }

    // Ends the trace and the frames of a search with its final state. The first value is the number of steps.
    template <class Snapshot>
    void finish(const Snapshot& snapshot) {
        if (!trace.is_on() && viewer_ == nullptr) return;
        Frame frame = snapshot();
        if (trace.is_on()) trace.add_last(with_effort(frame.values));
        if (viewer_ == nullptr) return;
        const auto step = static_cast<std::int64_t>(frame.values.front());
        viewer_->show_last(step, seconds(), std::move(frame));
    }

    void begin_view(const Grid& puzzle) {
        if (viewer_ != nullptr) viewer_->begin(puzzle, interrupted_);
    }
    void end_view(const Grid& result) {
        if (viewer_ != nullptr) viewer_->end(seconds(), result);
    }

    // The search time, in the unit of the budget: CPU time, or wall time without waiting for a viewer.
    double seconds() const {
        return budget.is_cpu_time && num_threads == 1 ? cpu_seconds() - cpu_start_ : wall_seconds();
    }

private:
    void begin_columns(std::vector<std::string> names) {
        std::vector<std::string> with_effort = names;
        if (has_costs_) with_effort.insert(with_effort.end(), {"evaluations", "moves"});
        with_effort.emplace_back("seconds");
        trace.set_columns(std::move(with_effort));
        if (viewer_ != nullptr) viewer_->begin_phase("", std::move(names));
    }
    TraceRow with_effort(TraceRow values) const {
        if (has_costs_) {
            values.push_back(static_cast<double>(num_evaluations));
            values.push_back(static_cast<double>(num_moves));
        }
        values.push_back(seconds());
        return values;
    }
    bool check();
    double wall_seconds() const {
        const double passed = std::chrono::duration<double>(Clock::now() - start_).count();
        return viewer_ == nullptr ? passed : passed - viewer_->seconds_waited();
    }
    // Sets the number of calls until the next check: not so many that a step could be missed.
    void grant_calls(std::int64_t num_steps) {
        steps_left_ = std::max<std::int64_t>(1, num_steps);
        num_granted_ = until_check_ = static_cast<int>(std::min<std::int64_t>(stride_, steps_left_));
        assert(num_granted_ >= 1);
    }
    double seconds_spent() const { return budget.is_cpu_time ? cpu_seconds() - cpu_start_ : wall_seconds(); }
    static double cpu_seconds();  // of the calling thread

    const Interrupted interrupted_;
    Viewer* const viewer_;  // may be null
    const Clock::time_point start_ = Clock::now();
    const double cpu_start_ = budget.is_cpu_time ? cpu_seconds() : 0;
    Clock::time_point last_check_ = start_;
    Clock::time_point last_poll_ = start_;  // of `interrupted_`
    int stride_ = 1;
    int until_check_ = 0;
    int num_granted_ = 0;          // calls, at the last check
    std::int64_t steps_left_ = 0;  // until the viewer wants to see the state; at most one per call
    bool stopped_ = false;
    bool has_costs_ = false;
    int best_cost_ = std::numeric_limits<int>::max();  // in the trace
};

}  // namespace sudokulab
