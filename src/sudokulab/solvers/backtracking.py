"""Backtracking with propagation."""

from __future__ import annotations

from typing import Literal

from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver

__all__ = ["Backtracking"]


@parameters
class Backtracking(CompleteSolver):
    """Propagate, then branch on the cell with the fewest candidates.

    This is the backtracking search (BS) of Lloyd and Amos. It propagates like their ant colony and branches by minimum
    remaining values; the candidates of a cell are tried in numeric order (section 3).

    Parameters
    ----------
    propagation
        ``peers`` is the paper's procedure, described under `AntColony`: two rules, applied to the peers of each fixed
        cell; a branch fails when a cell has no candidates left. ``singles`` places naked and hidden singles anywhere
        until none is left, and also fails when a digit has no place in a unit; it needs fewer nodes. `Auto`, ratings
        and generation use ``singles``.

    Notes
    -----
    The paper leaves ties between cells open. We take the first cell in reading order, as the authors' program does.

    Statistics: ``nodes`` (candidates tried), ``backtracks`` (candidates rejected), ``max_depth`` (most simultaneously
    open decisions). A puzzle that propagation alone solves has 0 nodes.

    References
    ----------
    H. Lloyd and M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games, 2019, sections 3
    and 4.
    """

    name = "backtracking"

    propagation: Literal["peers", "singles"] = "peers"
