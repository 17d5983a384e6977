"""Tabu search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.budget import MAX_COUNT
from sudokulab.parameters import parameters
from sudokulab.solvers.base import Filter, NativeSolver

__all__ = ["Tabu"]


@parameters
class Tabu(NativeSolver):
    """Take the best swap that brings back nothing of what was given up lately, unless it is worse.

    Algorithm 1 of the paper, the ancestor of its hybrid (see `Ac3Tabu`).

    Parameters
    ----------
    tabu_size
        The features remembered: a feature is a cell holding a digit that a move took from it.
    candidates
        The neighbours drawn for the candidate list; 0 for the whole neighbourhood.
    restart_after
        Iterations in a row without a lower cost before the search begins anew from a random state.
    filter
        What is fixed before the search: nothing, or what CP or AC3 can deduce.

    Notes
    -----
    The paper prints the algorithm for no problem in particular. Chosen here: a state holds every digit once in each
    box, its cost is the number of digits missing from rows and columns, and a neighbour is a swap inside a box; a
    sample of them is drawn with replacement; a restart clears the list. By line 11 of the algorithm a candidate is
    taken only if it is no worse; without the restarts, which the paper does not have, the search would end in its first
    local minimum.

    Statistics: ``iterations``, ``restarts``.

    References
    ----------
    R. Soto, B. Crawford, C. Galleguillos, E. Monfroy and F. Paredes, "A hybrid AC3-tabu search algorithm for solving
    Sudoku puzzles", Expert Systems with Applications 40, 2013, algorithm 1.
    """

    name = "tabu"
    unit = "iterations"

    tabu_size: Annotated[int, Field(ge=0, le=1_000_000)] = 20
    candidates: Annotated[int, Field(ge=0, le=100_000)] = 50
    restart_after: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 500
    filter: Filter = "none"
