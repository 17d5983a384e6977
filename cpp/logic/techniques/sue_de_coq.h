// Sue de Coq: cells where a line meets a box, with at least two more digits than cells, completed by cells of the line
// and of the box.
//
// Choose two or more open cells of the intersection, some other cells of the line and some of the box. All cells
// together have as many digits as cells, counting a digit that is in no intersection cell once for the line and once
// for the box; the digits of the line cells and of the box cells that are in the intersection differ. Then every digit
// has its place: those of the line cells in the line, those of the box cells in the box, and intersection digits that
// are in neither, in both. The other cells of the line and the box lose them. Over 9×9, each part has at most
// four cells.
//
// Source: "Two-sector disjoint subsets" by the player Sue de Coq, with HoDoKu's extended conditions. Order: rows before
// columns, boxes, then the cells of intersection, line and box, each in ascending order.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// False if the visitor or the control stopped it.
bool find_sue_de_coqs(const TechniqueBoard& board, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
