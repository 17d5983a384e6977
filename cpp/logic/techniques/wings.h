// XY-wing and XYZ-wing: a hinge and two wings that leave one digit in one of the three cells.
//
// XY-wing: the hinge has the candidates x and y, the wings see the hinge and have x z and y z. One of the wings is z,
// so cells that see both wings lose z. XYZ-wing: the hinge also has z, so the cells must see the hinge too. An instance
// removes at least one candidate; it is reported once for each order of the wings.
//
// Order (Sudoku Explainer): hinge, first wing, second wing, each by cell.
#pragma once

#include "logic/techniques/board.h"
#include "logic/techniques/step.h"

namespace sudokulab::techniques {

// Each of these returns false if the visitor stopped it.
bool find_xy_wings(const OpenBoard& board, const Visitor& visit);
bool find_xyz_wings(const OpenBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
