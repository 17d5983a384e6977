// Trial and error, the last resort: refute a candidate by searching all ways to fill the grid with it.
//
// The search places the candidate and all singles, then tries the candidates of the cell with the fewest, and so on. A
// candidate with which no grid is complete is wrong and is removed. Nothing but the candidates of the board is used. On
// a board with exactly one solution, every open cell has one right candidate, so this always finds a step: the cell
// loses another candidate, or, if it has none, its digit is placed.
//
// Order: the cells with the fewest candidates first, ties by cell; then the candidates. Each refuted candidate is a
// step; its length is the number of digits tried, including the candidate itself. The search stops with the control, at
// the latest after its budget of nodes.
//
// Source: backtracking; in the terms of the players' forums, T&E or bifurcation without a limit of depth.
#pragma once

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// False if the visitor or the control stopped it.
bool find_trials(const TechniqueBoard& board, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
