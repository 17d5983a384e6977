"""Simulated annealing."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.budget import MAX_COUNT
from sudokulab.parameters import parameters
from sudokulab.solvers.base import Filter, NativeSolver

__all__ = ["Annealing", "CpAnnealing"]


@parameters
class Annealing(NativeSolver):
    """Swap cells inside boxes, uphill with a probability that falls with the temperature.

    A state holds every digit once in each box; its cost is the number of digits missing from rows and columns. A swap
    of two open cells of one box is accepted if the cost does not rise, else with probability exp(−δ/t).

    Parameters
    ----------
    cooling
        The factor α from one temperature to the next.
    sampling_moves
        The random moves whose variance of cost is the first temperature.
    moves_factor
        Moves at each temperature, as a multiple of (open cells)².
    reheat_after
        Temperatures in a row without improvement after which the temperature is set back to the first.
    filter
        What is fixed before the search: nothing, or what CP or AC3 can deduce.

    Notes
    -----
    Open in the paper and chosen here: the first cell of a swap is any open cell that can move, the second any other of
    its box; the sampling moves are not taken back; a temperature improves if it meets a lower cost than it began with;
    the first temperature is at least 0.01, since none would freeze the search.

    Statistics: ``iterations`` (moves tried), ``temperatures``, ``reheats``.

    References
    ----------
    R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", Hybrid
    Metaheuristics, LNCS 4771, 2007; the algorithm is that of R. Lewis, "Metaheuristics can solve Sudoku puzzles",
    Journal of Heuristics 13, 2007.
    """

    name = "annealing"
    unit = "iterations"

    cooling: Annotated[float, Field(gt=0, lt=1)] = 0.99
    sampling_moves: Annotated[int, Field(ge=2, le=1_000_000)] = 100
    moves_factor: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    reheat_after: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 20
    filter: Filter = "none"


@parameters
class CpAnnealing(Annealing):
    """Fix what the five-step CP procedure can deduce, then anneal the rest.

    See `Annealing` for the parameters and `sudokulab.logic.filtering.cp` for the procedure.

    Notes
    -----
    Statistics: those of `Annealing`, and ``share_fixed``, the share of cells that are given or fixed by CP.

    References
    ----------
    R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", Hybrid
    Metaheuristics, LNCS 4771, 2007.
    """

    name = "cp-annealing"

    filter: Filter = "cp"
