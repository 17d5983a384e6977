// All techniques by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// In the order of `Technique`.
std::span<const std::string_view> all_names();
std::string_view name_of(Technique technique);
std::optional<Technique> technique_named(std::string_view name);

// Whether the technique works on grids of this size. Beyond 25×25, only singles, last digits, locked candidates and
// subsets do; the others use sets of cells and units of fixed length.
bool is_possible_on(Technique technique, const Geometry& geometry);

// The highest level of nested forcing chains; see forcing_chains.h.
inline constexpr int max_nested_level = 5;

// Visits every instance of a technique on a board, until the visitor or the control stops it. A technique that is not
// possible on the grid has no instances. Chains are visited from the easiest or shortest on, one for each set of
// eliminations. That requires all of them, so none are visited if the control stops the search.
void find_instances(Technique technique, const TechniqueBoard& board, Control& control, const Visitor& visit);
// The same for all techniques that share a finder with this one, such as the types of unique rectangles.
void find_related(Technique technique, const TechniqueBoard& board, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
