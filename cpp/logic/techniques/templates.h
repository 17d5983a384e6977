// Templates: the ways in which one digit can fill the whole grid.
//
// A template has one cell in every row, column and box: all cells with the digit, and otherwise cells where it is a
// candidate. Cells that are in all templates of another digit are taken, so templates that use them are left out; this
// is repeated until nothing changes.
//
// - Template set: cells in all templates of a digit are placed.
// - Template delete: candidates in no template are removed.
//
// Source: HoDoKu. Order: by digit; one step per digit. Whether a template exists is decided by a search over the rows,
// the one with the fewest positions first, so larger grids work too.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// Reports template sets, then template deletes. False if the visitor stopped it, or the control, before any report.
bool find_templates(const TechniqueBoard& board, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
