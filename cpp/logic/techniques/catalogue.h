// All techniques by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "logic/techniques/board.h"
#include "logic/techniques/step.h"
#include "search/control.h"

namespace sudokulab::techniques {

// In the order of `Technique`.
std::span<const std::string_view> all_names();
std::string_view name_of(Technique technique);
std::optional<Technique> technique_named(std::string_view name);

// The highest level of nested forcing chains; see forcing_chains.h.
inline constexpr int max_nested_level = 5;

// Visits every instance of a technique on a board, until the visitor stops it. Chains are visited from the easiest or
// shortest on, one for each set of eliminations.
void find_instances(Technique technique, const OpenBoard& board, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
