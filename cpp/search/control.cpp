#include "search/control.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif

#include <algorithm>
#include <cassert>

namespace sudokulab {

#ifdef _WIN32
double Control::cpu_seconds() {
    FILETIME start, end, kernel, user;
    GetThreadTimes(GetCurrentThread(), &start, &end, &kernel, &user);
    const auto seconds = [](const FILETIME& time) {
        return 1e-7 * (4294967296.0 * time.dwHighDateTime + time.dwLowDateTime);
    };
    return seconds(kernel) + seconds(user);
}
#else
double Control::cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
#endif

bool Control::check() {
    using namespace std::chrono_literals;
    const Clock::time_point now = Clock::now();
    stride_ = now - last_check_ < 500us ? std::min(2 * stride_, 64) : std::max(stride_ / 4, 1);
    until_check_ = stride_;
    assert(1 <= stride_ && stride_ <= 64);
    last_check_ = now;
    if (viewer_ != nullptr) {
        grant_calls(steps_left_ - num_granted_);
        if (viewer_->is_stopped()) stopped_ = true;
    }
    if (seconds_spent() >= budget.seconds) stopped_ = true;
    if (!stopped_ && interrupted_ && now - last_poll_ >= interrupt_interval) {
        last_poll_ = now;
        stopped_ = interrupted_();
    }
    return stopped_;
}

}  // namespace sudokulab
