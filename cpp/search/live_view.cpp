#include "search/live_view.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace sudokulab {
namespace {

// Before asking whether the run has been cancelled.
constexpr std::chrono::steady_clock::duration longest_wait = std::chrono::milliseconds(10);
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

std::int64_t later(std::int64_t step, std::int64_t num_steps) {
    return step < never - num_steps ? step + num_steps : never;
}

}  // namespace

void LiveView::pause() {
    const Lock lock(mutex_);
    is_paused_ = true;
    num_to_step_ = 0;
    halt_at_ = at_once;
}

void LiveView::resume() {
    const Lock lock(mutex_);
    is_paused_ = false;
    num_to_step_ = 0;
    has_changed_.notify_all();
}

void LiveView::step(std::int64_t num_steps) {
    const Lock lock(mutex_);
    is_paused_ = true;
    num_to_step_ = later(num_to_step_, num_steps);
    has_changed_.notify_all();
}

void LiveView::set_speed(std::int64_t steps_per_frame, double frames_per_second) {
    const Lock lock(mutex_);
    steps_per_frame_ = steps_per_frame;
    interval_ = std::max(shortest_interval, interval_of(frames_per_second));
    has_changed_.notify_all();
}

void LiveView::stop() {
    const Lock lock(mutex_);
    is_stopped_ = true;
    has_changed_.notify_all();
}

std::vector<Frame> LiveView::drain() {
    std::deque<Frame> drained;
    {
        const Lock lock(mutex_);
        drained.swap(frames_);
    }
    return {std::make_move_iterator(drained.begin()), std::make_move_iterator(drained.end())};
}

bool LiveView::must_halt(std::int64_t step) {
    if (num_to_step_ > 0) {
        halt_at_ = later(std::max(halt_at_, step), std::exchange(num_to_step_, 0));
    }
    return is_paused_ && step >= halt_at_;
}

bool LiveView::is_wanted(std::int64_t step) {
    Lock lock(mutex_);
    const bool is_at_full_speed = steps_per_frame_ == 0;
    const bool is_due = last_shown() < 0 || step >= later(last_shown(), steps_per_frame_);
    if (must_halt(step) || (!is_at_full_speed && is_due)) {
        wait(lock, [&] { return last_time_ + (must_halt(step) ? shortest_interval : interval_) - Clock::now(); });
        return !is_stopped();
    }
    return is_at_full_speed && Clock::now() >= last_time_ + interval_;
}

void LiveView::take(Frame frame) {
    const Lock lock(mutex_);
    if (frames_.size() == capacity_) frames_.pop_front();
    frames_.push_back(std::move(frame));
    last_time_ = Clock::now();
}

std::int64_t LiveView::hold_at(std::int64_t step) {
    Lock lock(mutex_);
    wait(lock, [&] { return must_halt(step) ? longest_wait : Clock::duration::zero(); });
    const std::int64_t until_halt = is_paused_ ? halt_at_ - step : never;
    const std::int64_t until_frame = steps_per_frame_ > 0 ? later(last_shown(), steps_per_frame_) - step : never;
    return std::max<std::int64_t>(1, std::min(until_halt, until_frame));
}

template <class TimeLeft>
void LiveView::wait(Lock& lock, TimeLeft time_left) {
    const Clock::time_point start = Clock::now();
    for (auto left = time_left(); left > Clock::duration::zero() && !is_stopped(); left = time_left()) {
        has_changed_.wait_for(lock, std::min(left, longest_wait));
        lock.unlock();  // the callback may need a lock that callers of this class hold
        if (is_interrupted()) is_stopped_ = true;
        lock.lock();
    }
    waited_ = waited_.load() + (Clock::now() - start);
}

}  // namespace sudokulab
