#include "search/frames.h"

#include <algorithm>
#include <cassert>

namespace sudokulab {

void Viewer::begin(Grid puzzle, Interrupted interrupted) {
    puzzle_ = std::move(puzzle);
    interrupted_ = std::move(interrupted);
}

void Viewer::begin_phase(const char* name, std::vector<std::string> columns) {
    phase_ = name;
    columns_ = std::make_shared<const std::vector<std::string>>(std::move(columns));
}

void Viewer::show(std::int64_t step, double seconds, Frame frame) {
    frame.columns = columns_;
    frame.phase = phase_;
    frame.step = last_shown_ = first_step_ + step;
    frame.seconds = seconds;
    take(std::move(frame));
}

void Viewer::show_last(std::int64_t step, double seconds, Frame frame) {
    has_ended_ = true;
    if (last_shown_ < 0) {
        last_shown_ = 0;
        take({.grid = puzzle_});
    }
    // the result of a run without steps is still a new state
    show(std::max(step, last_shown_ == 0 ? 1 - first_step_ : step), seconds, std::move(frame));
}

void Viewer::end(double seconds, const Grid& grid) {
    if (has_ended_ || (grid.empty() && last_shown_ >= 0)) return;
    begin_phase("", {});
    show_last(last_shown_ + 1 - first_step_, seconds, {.grid = grid.empty() ? puzzle_ : grid});
}

void Recorder::take(Frame frame) {
    if (!frames_.empty() && frames_.back().step == frame.step) frames_.pop_back();
    assert(frames_.size() <= capacity_ && (frames_.empty() || frames_.back().step < frame.step));
    if (frames_.size() == capacity_) {
        std::vector<Frame> kept;
        kept.reserve(capacity_);
        for (std::size_t i = 0; i < frames_.size(); i += 2) kept.push_back(std::move(frames_[i]));
        frames_.swap(kept);
        stride_ *= 2;
    }
    next_ = (frame.step / stride_ + 1) * stride_;
    frames_.push_back(std::move(frame));
}

}  // namespace sudokulab
