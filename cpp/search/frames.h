// Frames: snapshots of a running search, for people who want to watch it.
//
// A search offers its state at every step (`Control::must_stop`), and a viewer decides which states to look at. Without
// a viewer the offer costs nothing; with one, the search takes the same course. `Recorder` keeps evenly spaced frames
// of a whole run; `LiveView` (live_view.h) passes frames to another thread while the search runs.
#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grid/geometry.h"
#include "search/trace.h"

namespace sudokulab {

// Polled periodically from the thread that runs the search; true once the run has been cancelled.
using Interrupted = std::function<bool()>;

struct Frame {
    using Columns = std::shared_ptr<const std::vector<std::string>>;
    using Placements = std::vector<std::pair<int, int>>;  // cell and digit, 1..size

    // From the search; everything but the values and the grid may be missing.
    TraceRow values{};
    Grid grid{};
    std::vector<std::uint64_t> candidates{};  // by cell: bit 0 stands for digit 1
    std::vector<float> pheromone{};           // by cell and digit
    Placements tabu{};
    Placements decisions{};  // the open decisions of a tree search, in order

    // From the viewer.
    Columns columns{};  // names of the values
    const char* phase = "";
    std::int64_t step = 0;
    double seconds = 0;
};

// Decides which states of a run to show. Unless noted otherwise, only the thread of the search calls it.
class Viewer {
public:
    Viewer() = default;
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;
    virtual ~Viewer() = default;

    // Starts a run. `interrupted` is polled while the viewer keeps the search waiting.
    void begin(Grid puzzle, Interrupted interrupted);

    // Starts a part of the run with its own values. Its first step follows the last one of the part before, which must
    // have ended.
    void begin_phase(const char* name, std::vector<std::string> columns);
    // Ends a part of the run before the search proper; it has shown `num_states` states, due or not.
    void end_phase(std::int64_t num_states) { first_step_ += num_states; }

    // Whether to show the state after a step of this phase.
    bool is_due(std::int64_t step) { return first_step_ + step > last_shown_ && is_wanted(first_step_ + step); }
    void show(std::int64_t step, double seconds, Frame frame);
    // Waits as long as the search is paused. Returns the number of steps, at least 1, after which to ask again.
    std::int64_t hold(std::int64_t step) { return hold_at(first_step_ + step); }

    // Shows the final state. The puzzle comes first if nothing else was shown.
    void show_last(std::int64_t step, double seconds, Frame frame);
    // Ends a run. One that has not shown its final state shows this grid.
    void end(double seconds, const Grid& grid);

    virtual bool is_stopped() const { return false; }
    virtual double seconds_waited() const { return 0; }

protected:
    virtual bool is_wanted(std::int64_t step) = 0;
    virtual void take(Frame frame) = 0;
    virtual std::int64_t hold_at(std::int64_t step) = 0;

    std::int64_t last_shown() const { return last_shown_; }
    bool is_interrupted() const { return interrupted_ && interrupted_(); }

private:
    Grid puzzle_;
    Interrupted interrupted_;
    Frame::Columns columns_;
    const char* phase_ = "";
    std::int64_t first_step_ = 0;  // of the current phase
    std::int64_t last_shown_ = -1;
    bool has_ended_ = false;
};

// Keeps evenly spaced frames: when it is full, every second one is dropped and the interval doubles.
class Recorder : public Viewer {
public:
    explicit Recorder(std::size_t capacity) : capacity_(capacity) { assert(capacity >= 2 && capacity % 2 == 0); }

    std::vector<Frame> frames() { return std::move(frames_); }

protected:
    bool is_wanted(std::int64_t step) override { return step >= next_; }
    void take(Frame frame) override;
    std::int64_t hold_at(std::int64_t step) override { return next_ - step; }

private:
    std::size_t capacity_;
    std::vector<Frame> frames_;
    std::int64_t stride_ = 1;
    std::int64_t next_ = 0;
};

}  // namespace sudokulab
