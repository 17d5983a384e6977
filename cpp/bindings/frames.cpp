// Viewers of searches, and their frames as plain Python values.
#include <stdexcept>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "search/live_view.h"

namespace sudokulab {
namespace {

using RawPlacements = nb::typed<nb::tuple, nb::typed<nb::tuple, int, int>, nb::ellipsis>;
using RawValues = nb::typed<nb::dict, nb::str, double>;
// In the order of the fields of `sudokulab.search.frames.Frame`; arrays as bytes.
using RawFrame = nb::typed<nb::tuple, std::int64_t, double, RawValues, nb::bytes, nb::bytes, nb::bytes, RawPlacements,
                           RawPlacements, nb::str>;

template <class Number>
nb::bytes raw(const std::vector<Number>& numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(Number));
}

nb::tuple to_tuple(const Frame::Placements& placements) {
    nb::list list;
    for (const auto& [cell, digit] : placements) list.append(nb::make_tuple(cell, digit));
    return nb::tuple(list);
}

nb::dict values_of(const Frame& frame) {
    nb::dict values;
    for (std::size_t k = 0; frame.columns && k < frame.columns->size() && k < frame.values.size(); ++k) {
        values[(*frame.columns)[k].c_str()] = frame.values[k];
    }
    return values;
}

nb::typed<nb::list, RawFrame> to_list(const std::vector<Frame>& frames) {
    nb::list list;
    for (const Frame& frame : frames) {
        list.append(nb::make_tuple(frame.step, frame.seconds, values_of(frame), to_bytes(frame.grid),
                                   raw(frame.candidates), raw(frame.pheromone), to_tuple(frame.tabu),
                                   to_tuple(frame.decisions), frame.phase));
    }
    return nb::borrow<nb::typed<nb::list, RawFrame>>(list);
}

Grid to_grid(const nb::bytes& cells) {
    const auto* first = static_cast<const std::uint8_t*>(cells.data());
    return {first, first + cells.size()};
}

// Offers a state of a search written in Python; returns whether the search must stop.
bool offer(Viewer& viewer, std::int64_t step, double seconds, std::vector<std::string> names, TraceRow values,
           const nb::bytes& cells) {
    Frame frame{.values = std::move(values), .grid = to_grid(cells)};
    return without_gil([&] {
        if (!viewer.is_stopped() && viewer.is_due(step)) {
            viewer.begin_phase("", std::move(names));
            viewer.show(step, seconds, std::move(frame));
        }
        viewer.hold(step);
        return viewer.is_stopped();
    });
}

}  // namespace

void bind_frames(nb::module_& m) {
    nb::class_<Viewer>(m, "Viewer", "Decides which states of a run to show. One viewer serves one run.")
        .def(
            "begin", [](Viewer& viewer, const nb::bytes& cells) { viewer.begin(to_grid(cells), is_interrupted); },
            "cells"_a, "Start a run that is not native.")
        .def("offer", &offer, "step"_a, "seconds"_a, "names"_a, "values"_a, "cells"_a,
             "Offer a state of a run that is not native; return whether the run must stop.")
        .def(
            "end", [](Viewer& viewer, double seconds, const nb::bytes& cells) { viewer.end(seconds, to_grid(cells)); },
            "seconds"_a, "cells"_a, "End a run that is not native with its result; no cells if there is none.")
        .def_prop_ro("is_stopped", &Viewer::is_stopped, "Whether the run has been cancelled.")
        .def_prop_ro("seconds_waited", &Viewer::seconds_waited, "How long the search has waited for the viewer.");

    nb::class_<Recorder, Viewer>(m, "Recorder", "Keeps evenly spaced frames.")
        .def(
            "__init__",
            [](Recorder* self, std::size_t capacity) {
                if (capacity < 2 || capacity % 2 != 0) throw std::invalid_argument("capacity: expected an even number");
                new (self) Recorder(capacity);
            },
            "capacity"_a)
        .def("take", [](Recorder& recorder) { return to_list(recorder.frames()); }, "Return the frames, oldest first.");

    nb::class_<LiveView, Viewer>(m, "LiveView", "Passes frames of a running search to other threads.")
        .def(
            "__init__",
            [](LiveView* self, std::size_t capacity) {
                if (capacity < 1) throw std::invalid_argument("capacity: expected at least 1");
                new (self) LiveView(capacity);
            },
            "capacity"_a)
        .def("pause", &LiveView::pause)
        .def("resume", &LiveView::resume)
        .def("step", &LiveView::step, "count"_a)
        .def("set_speed", &LiveView::set_speed, "steps_per_frame"_a, "frames_per_second"_a)
        .def("stop", &LiveView::stop)
        .def("take", [](LiveView& view) { return to_list(view.drain()); }, "Return the new frames, oldest first.");
}

}  // namespace sudokulab
