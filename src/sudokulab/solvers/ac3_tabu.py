"""AC3 inside tabu search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.budget import MAX_COUNT
from sudokulab.parameters import parameters
from sudokulab.solvers.base import NativeSolver

__all__ = ["Ac3Tabu"]


@parameters
class Ac3Tabu(NativeSolver):
    """Fill cell after cell by a roulette wheel, with arc consistency after every step and a tabu list against repeats.

    Algorithm 4 of the paper: AC3 before the search and on the best candidate of every iteration; a domain of one value
    fills its cell; the cost is the number of empty cells.

    Parameters
    ----------
    tabu_size
        The assignments remembered; they are forgotten in order of entry.
    candidates
        The candidates that the wheel makes in each iteration.
    restart_after
        Candidates dropped in a row, because AC3 wiped out a domain, before the search begins anew.

    Notes
    -----
    Open in the paper and chosen here:

    - A neighbour gives one empty cell a value of its domain.
    - The wheel draws the cell with weight 1/|D|, then any of its values that are not tabu.
    - The cost of a candidate counts as filled the cells that its assignment leaves one value at once; before AC3 all
      candidates would cost the same otherwise.
    - If AC3 wipes out a domain, the candidate is dropped; its assignment enters the tabu list all the same. After
    `restart_after` of them in a row, or if no candidate is
      left, the search begins anew from the state after the first AC3; the tabu list stays and turns it elsewhere,
      unless everything is on it.
    - AC3 on a candidate begins with the arcs that its assignment touches: all others are consistent already.

    Statistics: ``iterations``, ``restarts``.

    References
    ----------
    R. Soto, B. Crawford, C. Galleguillos, E. Monfroy and F. Paredes, "A hybrid AC3-tabu search algorithm for solving
    Sudoku puzzles", Expert Systems with Applications 40, 2013, algorithm 4.
    """

    name = "ac3-tabu"
    unit = "iterations"

    tabu_size: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    candidates: Annotated[int, Field(ge=1, le=1000)] = 20
    restart_after: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 5
