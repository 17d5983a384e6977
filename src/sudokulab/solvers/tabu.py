"""Tabu search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.search.budget import MAX_COUNT
from sudokulab.solvers.filters import Filter, FilteringSolver

__all__ = ["Tabu"]


@parameters
class Tabu(FilteringSolver):
    """Tabu search with swaps inside boxes.

    This is algorithm 1 of Soto et al., on which their hybrid is based (see `Ac3Tabu`). Each iteration makes the best
    swap that restores no recently removed digit, even if it raises the cost.

    Parameters
    ----------
    tabu_size
        Number of features on the tabu list. A feature is a cell and a digit that a move removed from it.
    candidates
        Number of neighbours drawn for the candidate list; 0 for the whole neighbourhood.
    accept_worse
        Whether the best candidate is accepted if it raises the cost. If not, the search follows line 11 of the
        algorithm as printed.
    restart_after
        Number of consecutive iterations without a new lowest cost before a restart from a random state; 0 for never,
        as in the paper.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``.

    Notes
    -----
    The paper gives the algorithm in general form. We chose: a state holds every digit once in each box; its cost is the
    number of digits missing from rows and columns; a neighbour is a swap inside a box; a sample of candidates is drawn
    with replacement; restarts are possible and clear the tabu list.

    The paper contradicts itself about worse candidates. Section 3.1 says that the tabu list helps to leave poor
    regions, but line 11 of the algorithm accepts a candidate only if it costs no more than the current state, so the
    search would end in its first local minimum or plateau. By default, we follow the text, as tabu searches usually do:
    the best candidate is accepted whatever it costs, and a tabu swap is a candidate if it leads to a new lowest cost
    (aspiration). With `accept_worse=False` tabu swaps are never candidates, and if all candidates raise the cost, the
    iteration changes nothing.

    Statistics: ``iterations``, ``restarts``. Further trace column: ``restarts``. Frames show the tabu list.

    References
    ----------
    R. Soto, B. Crawford, C. Galleguillos, E. Monfroy and F. Paredes, "A hybrid AC3-tabu search algorithm for solving
    Sudoku puzzles", Expert Systems with Applications 40, 2013, algorithm 1.
    """

    name = "tabu"
    unit = "iterations"

    tabu_size: Annotated[int, Field(ge=0, le=1_000_000)] = 20
    candidates: Annotated[int, Field(ge=0, le=100_000)] = 0
    accept_worse: bool = True
    restart_after: Annotated[int, Field(ge=0, le=MAX_COUNT)] = 0
    filter: Filter = "none"
