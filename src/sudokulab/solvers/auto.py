"""The default solver."""

from __future__ import annotations

from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver

__all__ = ["Auto"]


@parameters
class Auto(CompleteSolver):
    """The fastest engine for the puzzle at hand: the bulk engine, backtracking or conflict-driven search.

    Notes
    -----
    The choice is made in the core (``cpp/solvers/auto.h``). The bulk engine takes 9×9 grids, backtracking smaller ones
    and conflict-driven search larger ones. The bulk engine gives up a grid after 10,000 guesses, ten times what any
    puzzle of the public collections needs; conflict-driven search then takes over. Backtracking enumerates all
    solutions of a 9×9 grid but the first, and counts them where there are 1,000 or more.

    Statistics: ``nodes`` (guesses, candidates tried or decisions), ``backtracks`` (or conflicts), ``max_depth``. A
    trace of a 9×9 grid has two rows, the puzzle and the end: the bulk engine takes no samples. If conflict-driven
    search has to take over, the trace is of that search alone.

    References
    ----------
    Those of `ConflictDriven`; the bulk engine is described in ``cpp/bulk/bulk.h``.
    """

    name = "auto"
