"""Iterated local search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.search.budget import MAX_COUNT
from sudokulab.solvers.filters import Filter, FilteringSolver

__all__ = ["IteratedLocalSearch"]


@parameters
class IteratedLocalSearch(FilteringSolver):
    """Min-conflicts local search with a tabu list, perturbed by constraint programming.

    These are algorithms 1 and 2 of Musliu and Winter. Arc consistency fixes cells, and the others are filled at random.
    A step of the local search draws an open cell in conflict and makes its best swap inside the box. Once the local
    search is stuck, its best state is perturbed: all open cells in conflict and a share of the others are emptied, and
    a search with forward checking refills as many as it can; the rest is filled at random.

    Parameters
    ----------
    tabu_size
        Number of swaps on the tabu list. A tabu swap is made only if it leads to a new best state.
    local_iterations
        Number of consecutive local search steps without a new best state before a perturbation.
    acceptance
        Probability of making the best swap even though it does not lower the cost.
    reset_factor
        Share of the open cells without conflicts that the first perturbation empties.
    reset_decay
        Factor between the shares of successive perturbations (α in the paper).
    refill_nodes
        Number of assignments tried when refilling.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``.

    Notes
    -----
    The paper was not available, but a public report [1]_ reprints both of its algorithms. From them come the arc
    consistency at the start, the choice of the cell and of the swap, the acceptance of swaps and the exception for tabu
    swaps, the end of the local search, the cells to empty, the forward checking, the random fill, and the shrinking
    share. As printed, each local search makes its first swap whatever its cost, and each perturbation starts from the
    result of the latest local search, even if an earlier one was better.

    The report adds that the tabu list holds recent swaps. The defaults of `tabu_size`, `acceptance`, `reset_factor`
    and `reset_decay` are the values of the report; we do not know those of the paper. No source gives
    `local_iterations`, the order of the forward checking, its limit, or what remains if it fails. We chose: the
    smallest domain first and its digits in random order; `refill_nodes`; the fullest assignment remains. The random
    fill gives each box its missing digits, since swaps could not restore them.

    Statistics: ``iterations`` (local search steps), ``perturbations``, and ``share_fixed`` (share of cells given or
    fixed by the filter). Further trace column: ``perturbations``.

    References
    ----------
    N. Musliu and F. Winter, "A hybrid approach for the Sudoku problem: using constraint programming in iterated local
    search", IEEE Intelligent Systems 32, 2017. Lloyd and Amos, 2019, compare with it as ILS.

    .. [1] M. Sitarica and M. Savić, "Rešavač NxN Sudokua", University of Belgrade, 2025, figures 2.3 and 2.4.
    """

    name = "iterated-local-search"
    unit = "iterations"

    tabu_size: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    local_iterations: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1000
    acceptance: Annotated[float, Field(ge=0, le=1)] = 0.15
    reset_factor: Annotated[float, Field(ge=0, le=1)] = 0.2
    reset_decay: Annotated[float, Field(ge=0, le=1)] = 0.995
    refill_nodes: Annotated[int, Field(ge=0, le=1_000_000)] = 1000
    filter: Filter = "ac3"
