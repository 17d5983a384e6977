// A view of a running search from other threads: they read its frames, pause it, step through it and change its speed.
//
// At most 60 frames per second enter a ring buffer; a slow reader loses the oldest. At full speed the search never
// waits for a frame. At a limited speed a frame is due every so many steps, and the search waits for its turn. Waiting
// is not search time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "search/frames.h"

namespace sudokulab {

// The time between two frames.
constexpr std::chrono::steady_clock::duration interval_of(double frames_per_second) {
    return std::chrono::ceil<std::chrono::steady_clock::duration>(std::chrono::duration<double>(1 / frames_per_second));
}

class LiveView : public Viewer {
public:
    static constexpr double max_frames_per_second = 60;

    explicit LiveView(std::size_t capacity) : capacity_(capacity) {}  // frames in the ring buffer, at least 1

    // For any thread.
    void pause();
    void resume();
    // Runs this many steps, then pauses. Calls while it is stepping add up.
    void step(std::int64_t num_steps);
    // A frame every so many steps, at most so many frames per second; 0 steps: full speed.
    void set_speed(std::int64_t steps_per_frame, double frames_per_second);
    // Cancels the run.
    void stop();
    bool is_stopped() const override { return is_stopped_.load(std::memory_order_relaxed); }
    // Empties the ring buffer, oldest frame first.
    std::vector<Frame> drain();

    double seconds_waited() const override { return std::chrono::duration<double>(waited_.load()).count(); }

protected:
    bool is_wanted(std::int64_t step) override;
    void take(Frame frame) override;
    std::int64_t hold_at(std::int64_t step) override;

private:
    using Clock = std::chrono::steady_clock;
    using Lock = std::unique_lock<std::mutex>;

    static constexpr std::int64_t at_once = 0;  // no step is earlier
    static constexpr Clock::duration shortest_interval = interval_of(max_frames_per_second);

    bool must_halt(std::int64_t step);
    // Waits until `time_left` returns zero or less, or the run is cancelled.
    template <class TimeLeft>
    void wait(Lock& lock, TimeLeft time_left);

    const std::size_t capacity_;
    std::atomic<bool> is_stopped_ = false;
    std::atomic<Clock::duration> waited_{Clock::duration::zero()};

    mutable std::mutex mutex_;  // protects everything below
    std::condition_variable has_changed_;
    std::deque<Frame> frames_;
    bool is_paused_ = false;
    std::int64_t num_to_step_ = 0;    // requested, not begun
    std::int64_t halt_at_ = at_once;  // if paused: the step to run to
    std::int64_t steps_per_frame_ = 0;
    Clock::duration interval_ = shortest_interval;
    Clock::time_point last_time_{};  // of a frame
};

}  // namespace sudokulab
