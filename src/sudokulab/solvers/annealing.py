"""Simulated annealing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.search.budget import MAX_COUNT
from sudokulab.solvers.filters import Filter, FilteringSolver

__all__ = ["Annealing", "CpAnnealing"]


@parameters
class Annealing(FilteringSolver):
    """Simulated annealing with swaps inside boxes.

    This is the algorithm of Lewis. A state holds every digit once in each box; its cost is the number of digits missing
    from rows and columns. A swap of two open cells in a box is accepted if the cost does not rise, otherwise with
    probability exp(−δ/t).

    Parameters
    ----------
    cooling
        Cooling factor α between successive temperatures.
    sampling_moves
        Number of random moves whose cost variance gives the initial temperature.
    moves_factor
        Number of moves per temperature, as a multiple of (open cells)².
    reheat_after
        Number of consecutive temperatures without improvement before a reset to the initial temperature.
    improvement
        What a temperature improves if it reaches a lower cost: the cost at its ``start``, or the ``best`` cost since
        the beginning of the run.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``.

    Notes
    -----
    The paper leaves several points open. We chose: the first cell of a swap is a random open cell that can move, the
    second another open cell of its box; the sampling moves are not undone; the initial temperature is at least 0.01,
    since 0 would freeze the search. The paper does not say what `improvement` means either. With ``best``, the resets
    come long before the system has cooled; `docs/papers/lewis-2007.md` compares both.

    Statistics: ``iterations`` (moves tried), ``temperatures``, ``reheats``. Further trace columns: ``temperature``,
    ``acceptance`` (share of the moves at this temperature that were accepted so far; before the first, at the previous
    temperature), ``reheats``.

    References
    ----------
    R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", Hybrid
    Metaheuristics, LNCS 4771, 2007. The algorithm is from R. Lewis, "Metaheuristics can solve Sudoku puzzles",
    Journal of Heuristics 13, 2007.
    """

    name = "annealing"
    unit = "iterations"
    watch_speed = 50_000  # a step is a single move

    cooling: Annotated[float, Field(gt=0, lt=1)] = 0.99
    sampling_moves: Annotated[int, Field(ge=2, le=1_000_000)] = 100
    moves_factor: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    reheat_after: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 20
    improvement: Literal["start", "best"] = "start"
    filter: Filter = "none"


@parameters
class CpAnnealing(Annealing):
    """Simulated annealing after Lewis's five-step CP procedure.

    See `Annealing` for the parameters and `sudokulab.logic.filtering.cp` for the procedure.

    Notes
    -----
    Statistics: as in `Annealing`, and ``share_fixed`` (share of cells given or fixed by CP).

    References
    ----------
    R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", Hybrid
    Metaheuristics, LNCS 4771, 2007.
    """

    name = "cp-annealing"

    filter: Filter = "cp"
