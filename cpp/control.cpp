#include "control.h"

#include <algorithm>

namespace sudokulab {

bool Control::check() {
    using namespace std::chrono_literals;
    const Clock::time_point now = Clock::now();
    stride_ = now - last_check_ < 500us ? std::min(2 * stride_, 64) : std::max(stride_ / 4, 1);
    until_check_ = stride_;
    last_check_ = now;
    if (seconds() >= budget.seconds) stopped_ = true;
    if (!stopped_ && interrupted_ && now - last_asked_ >= interrupt_interval) {
        last_asked_ = now;
        stopped_ = interrupted_();
    }
    return stopped_;
}

}  // namespace sudokulab
