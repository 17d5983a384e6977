#include "search/frames.h"

#include <algorithm>

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
        Frame first;
        first.grid = puzzle_;
        last_shown_ = 0;
        take(std::move(first));
    }
    // the result of a run without steps is still a new state
    show(std::max(step, last_shown_ == 0 ? 1 - first_step_ : step), seconds, std::move(frame));
}

void Viewer::end(double seconds, const Grid& grid) {
    if (has_ended_ || (grid.empty() && last_shown_ >= 0)) return;
    Frame frame;
    frame.grid = grid.empty() ? puzzle_ : grid;
    begin_phase("", {});
    show_last(last_shown_ + 1 - first_step_, seconds, std::move(frame));
}

void Recorder::take(Frame frame) {
    if (!frames_.empty() && frames_.back().step == frame.step) frames_.pop_back();
    if (frames_.size() == capacity_) {
        for (std::size_t i = 0; 2 * i < frames_.size(); ++i) {
            if (i > 0) frames_[i] = std::move(frames_[2 * i]);
        }
        frames_.resize((frames_.size() + 1) / 2);
        stride_ *= 2;
    }
    next_ = (frame.step / stride_ + 1) * stride_;
    frames_.push_back(std::move(frame));
}

}  // namespace sudokulab
