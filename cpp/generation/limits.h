// Limits of the generator.
#pragma once

#include <cstdint>
#include <limits>

#include "search/control.h"
#include "search/solver.h"

namespace sudokulab {

inline constexpr int max_changes = 60;  // consecutive changes without improvement before an attempt ends

// Node limit of a search for a second solution; if it is reached, the given stays. Up to 9×9, every search ends soon.
inline std::int64_t max_check_nodes(BoxShape box) {
    return box.size() <= 9 ? std::numeric_limits<std::int64_t>::max() : 500;
}

// A separate control for one search, with this node limit, that stops when the main control does.
inline Control limited(Control& control, std::int64_t max_nodes) {
    Budget budget;
    budget.nodes = max_nodes;
    return Control(budget, 0, 0, [&control] { return control.must_stop(); });
}

}  // namespace sudokulab
