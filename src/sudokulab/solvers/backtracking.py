"""Backtracking with propagation."""

from __future__ import annotations

from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver

__all__ = ["Backtracking"]


@parameters
class Backtracking(CompleteSolver):
    """Propagate singles, then branch on the cell with the fewest candidates.

    The backtracking search (BS) of Lloyd and Amos: constraint propagation as in their ant colony (a digit placed leaves
    its peers; a digit with one place in a unit is placed; until nothing changes), and minimum remaining values.

    Notes
    -----
    The paper leaves open how ties are broken and in which order values are tried: here the first such cell in reading
    order, and ascending digits.

    Statistics: ``nodes`` (candidates tried), ``backtracks`` (candidates given up), ``max_depth`` (most decisions open
    at once). A puzzle that propagation alone solves has 0 nodes.

    References
    ----------
    H. Lloyd and M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games, 2019, section 4.
    """

    name = "backtracking"
