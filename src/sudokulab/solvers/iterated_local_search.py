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
    """Min-conflicts local search with a tabu list, perturbed by constraint programming.

    When the local search is stuck, some cells are emptied and refilled by constraint programming.

    Parameters
    ----------
    tabu_size
        Number of features on the tabu list. A feature is a cell and a digit that a move removed from it.
    local_iterations
        Number of consecutive local search steps without a new best state before a perturbation.
    perturbation
        Share of the open cells to empty (at least two cells), starting with cells in conflict.
    refill_nodes
        Number of assignments tried when refilling, with forward checking and the smallest domain first.
    acceptance
        Probability of accepting a state that is no better than the one perturbed last.
    filter
        Filter that fixes cells before the search: ``none``, ``cp`` or ``ac3``.

    Notes
    -----
    The original paper, by Musliu and Winter, was not available. The solver follows the summary by Lloyd and Amos. We
    chose: the values of all parameters; refilling keeps the fullest assignment found and fills the remaining cells at
    random within their boxes; a tabu swap is allowed if it leads to a new best state.

    Statistics: ``iterations`` (local search steps), ``perturbations``.

    References
    ----------
    N. Musliu and F. Winter, "A hybrid approach for the Sudoku problem: using constraint programming in iterated local
    search", IEEE Intelligent Systems 32, 2017. Lloyd and Amos, 2019, compare with it as ILS.
    """

    name = "iterated-local-search"
    unit = "iterations"

    tabu_size: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    local_iterations: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1000
    perturbation: Annotated[float, Field(gt=0, le=1)] = 0.3
    refill_nodes: Annotated[int, Field(ge=0, le=1_000_000)] = 1000
    acceptance: Annotated[float, Field(ge=0, le=1)] = 0.1
    filter: Filter = "none"
