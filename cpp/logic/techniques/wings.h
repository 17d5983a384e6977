// Wings: a few cells with as many digits, one of which must be in a certain place.
//
// - XY-wing: the hinge has the candidates x and y, the wings see the hinge and have x z and y z. One of the wings is z,
//   so cells that see both wings lose z.
// - XYZ-wing: the hinge also has z, so the cells must see the hinge too.
// - WXYZ-wing: four cells with four digits in two units that meet, not all in one of them. All cells with the same
//   digit see each other, except for one digit z. The other three digits fill at most three cells, so cells that see
//   all candidates for z lose z.
// - W-wing: two cells with the same two candidates x and z, which do not see each other, are joined by a strong link of
//   x: one cell sees one end of it, the other cell the other end. One of the ends is x, so that one of the cells is z,
//   and cells that see both lose z.
//
// An instance removes at least one candidate. XY- and XYZ-wings are reported once for each order of the wings.
//
// Source: Sudoku Explainer (XY, XYZ), HoDoKu (W), Sudopedia (WXYZ).
//
// Order: hinge, first wing, second wing, each by cell (Sudoku Explainer); the two cells of a W-wing by cell, then the
// digit z, then the unit of the strong link; WXYZ-wings by the two units, rows before columns before boxes, then the
// four cells.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Each of these returns false if the visitor stopped it.
bool find_xy_wings(const TechniqueBoard& board, const Visitor& visit);
bool find_xyz_wings(const TechniqueBoard& board, const Visitor& visit);
bool find_wxyz_wings(const TechniqueBoard& board, const Visitor& visit);
bool find_w_wings(const TechniqueBoard& board, const Visitor& visit);

}  // namespace sudokulab::techniques
