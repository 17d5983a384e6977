"""The default solver."""

from __future__ import annotations

from sudokulab.parameters import plain_parameters
from sudokulab.puzzle import Puzzle
from sudokulab.solvers.base import CompleteSolver

__all__ = ["Auto"]


@plain_parameters
class Auto(CompleteSolver):
    """Use the fastest engine for the puzzle: the bulk engine, backtracking or conflict-driven search.

    Notes
    -----
    The core makes the choice (``cpp/solvers/auto.h``). The bulk engine solves 9×9 grids, backtracking smaller ones and
    conflict-driven search larger ones. The bulk engine abandons a grid after 10,000 guesses, ten times what any puzzle
    of the public collections needs; conflict-driven search then takes over. Backtracking enumerates all solutions of a
    9×9 grid except the first, and counts them if there are 1,000 or more.

    Statistics: ``nodes`` (guesses, candidates tried or decisions), ``backtracks`` (or conflicts), ``max_depth``, and
    ``threads`` if several were allowed on a larger grid (see `ConflictDriven`). The trace of a 9×9 grid has two rows,
    for the start and the end, because the bulk engine takes no samples. If conflict-driven search takes over, the trace
    covers only that search. The same holds for frames.

    References
    ----------
    See `ConflictDriven`. The bulk engine is our own and is described in ``cpp/bulk/bulk.h``.
    """

    name = "auto"

    def _uses_threads(self, puzzle: Puzzle) -> bool:
        return puzzle.size > 9  # as cpp/solvers/auto.cpp chooses conflict-driven search
