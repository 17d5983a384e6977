"""Backtracking with propagation."""

from __future__ import annotations

from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver

__all__ = ["Backtracking"]


@parameters
class Backtracking(CompleteSolver):
    """Propagate singles, then branch on the cell with the fewest candidates.

    This is the backtracking search (BS) of Lloyd and Amos. It propagates like their ant colony: a placed digit is
    removed from its peers, and a digit with a single position in a unit is placed, until nothing changes. It branches
    by minimum remaining values.

    Notes
    -----
    The paper leaves open how ties are broken and in which order values are tried. We take the first cell in reading
    order, and digits in ascending order.

    Statistics: ``nodes`` (candidates tried), ``backtracks`` (candidates rejected), ``max_depth`` (most simultaneously
    open decisions). A puzzle that propagation alone solves has 0 nodes.

    References
    ----------
    H. Lloyd and M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games, 2019, section 4.
    """

    name = "backtracking"
