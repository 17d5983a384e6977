// Forcing chains and forcing nets as in HoDoKu: tables of everything that follows from a candidate.
//
// There is a table for every candidate assumed true, and one for every candidate assumed false. The tables of chains
// follow the links between candidates and groups (see inference_graph.h). Those of nets also contain what four rounds
// of singles place after the assumption. A table with a contradiction refutes its assumption; what is common to the
// tables of both assumptions about a candidate, of all candidates of a cell, or of all positions of a digit in a unit,
// is true.
//
// A contradiction is a candidate both true and false, two digits true in a cell, a digit true twice in a unit, a cell
// without candidates, or a unit in which a digit is excluded from all cells that no placed digit excludes.
//
// Of all conclusions, HoDoKu takes the placement in the first cell; if there is none, the elimination in the first
// cell, and there of the lowest digit. How long the chains are does not matter.
#pragma once

#include <optional>

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab {

enum class TableKind : std::uint8_t { chains, nets };

// The step taken; none if the control stopped the search. The pattern and links of the chains are not recorded.
std::optional<techniques::Step> find_in_tables(const techniques::TechniqueBoard& board, TableKind kind,
                                               Control& control);

}  // namespace sudokulab
