"""Iterated local search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.budget import MAX_COUNT
from sudokulab.parameters import parameters
from sudokulab.solvers.base import Filter, NativeSolver

__all__ = ["IteratedLocalSearch"]


@parameters
class IteratedLocalSearch(NativeSolver):
    """Min-conflicts with a tabu list; where that is stuck, empty some cells and fill them by constraint programming.

    Parameters
    ----------
    tabu_size
        The features remembered: a feature is a cell holding a digit that a move took from it.
    local_iterations
        Steps of local search in a row without a new best before a perturbation.
    perturbation
        The share of the open cells that is emptied, at least two of them, the ones in conflict first.
    refill_nodes
        Assignments tried to fill them again, with forward checking and the smallest domain first.
    acceptance
        The probability of going on from a state that is no better than the one perturbed last.
    filter
        What is fixed before the search: nothing, or what CP or AC3 can deduce.

    Notes
    -----
    The original paper is not at hand; this follows the summary that Lloyd and Amos give of it. Chosen here: all values
    of the parameters; the refilling keeps the fullest assignment it met and fills the rest at random inside the boxes;
    a tabu swap is made all the same if it leads to a new best.

    Statistics: ``iterations`` (steps of local search), ``perturbations``.

    References
    ----------
    N. Musliu and F. Winter, "A hybrid approach for the Sudoku problem: using constraint programming in iterated local
    search", IEEE Intelligent Systems 32, 2017; the peer ILS in Lloyd and Amos, 2019.
    """

    name = "iterated-local-search"
    unit = "iterations"

    tabu_size: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    local_iterations: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1000
    perturbation: Annotated[float, Field(gt=0, le=1)] = 0.3
    refill_nodes: Annotated[int, Field(ge=0, le=1_000_000)] = 1000
    acceptance: Annotated[float, Field(ge=0, le=1)] = 0.1
    filter: Filter = "none"
