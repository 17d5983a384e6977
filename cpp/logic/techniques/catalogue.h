// All techniques by name.
#pragma once

#include <optional>
#include <string_view>

#include "logic/techniques/board.h"
#include "logic/techniques/simple_chains.h"
#include "logic/techniques/step.h"

namespace sudokulab::techniques {

std::string_view name_of(Technique technique);
std::optional<Technique> technique_named(std::string_view name);

// Visits every instance of a technique on a board, until the visitor stops it. Simple chains are visited from the
// easiest on. Of forcing chains with several branches only the easiest static and the easiest dynamic one are visited,
// if it is of this technique.
void find_instances(Technique technique, const OpenBoard& board, ChainDifficulty difficulty, const Visitor& visit);

}  // namespace sudokulab::techniques
