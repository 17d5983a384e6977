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

    This is the algorithm of Musliu and Winter, as their program does it. Naked and hidden singles fix cells, and the
    others are filled at random. A step of the local search draws an open cell in conflict and makes its best swap
    inside the box. Once the local search is stuck, its best state is perturbed: all open cells in conflict and a random
    share of all open cells are emptied, and backtracking with singles refills them. If that fails, they are filled at
    random.

    Parameters
    ----------
    tabu_share
        Number of iterations in which a swap is tabu, as a share of the number of open cells. A tabu swap is made only
        if it leads to a new best state.
    local_iterations
        Number of consecutive local search steps without a new best state before a perturbation.
    acceptance
        Probability of making the best swap even though it raises the cost.
    reset_factor
        Share of the open cells that the first perturbation empties, besides those in conflict.
    reset_decay
        Factor between the shares of successive perturbations (α in the paper).
    refill_nodes
        Number of assignments that the backtracking may try when refilling.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``.

    Notes
    -----
    The paper was not available. The algorithm and all defaults but one follow the authors' program, which is public
    [1]_ and whose manual gives the values of the paper. A public report [2]_ reprints the two algorithms of the paper.
    It has arc consistency where the program also fixes hidden singles, and forward checking where the program
    propagates singles. It always makes the first swap of a local search, and no swap of equal cost; the program always
    makes swaps of equal cost.

    These details are only in the program: a cell can be swapped with itself, which costs nothing; every chosen swap
    becomes tabu, even if it is not made, but only for the drawn cell; the first perturbation empties all open cells, so
    that the backtracking sees the puzzle itself; the share stops shrinking at 0.01; each local search starts from the
    result of the latest one, even if an earlier one was better.

    The program limits the backtracking to five seconds. We count nodes instead, so that runs can be repeated, and end
    at once if a cell has no digit left, where the program goes on with other cells. The default of `refill_nodes` is
    enough for the sixteen named 9×9 instances of Lloyd and Amos.

    Statistics: ``iterations`` (local search steps), ``perturbations``, and ``share_fixed`` (share of cells given or
    fixed by the filter). Further trace column: ``perturbations``.

    References
    ----------
    N. Musliu and F. Winter, "A hybrid approach for the Sudoku problem: using constraint programming in iterated local
    search", IEEE Intelligent Systems 32, 2017. Lloyd and Amos, 2019, compare with it as ILS.

    .. [1] ``Solvers/Sudoku_ils`` in the public repository Ailuras/AllDIff-LS.
    .. [2] M. Sitarica and M. Savić, "Rešavač NxN Sudokua", University of Belgrade, 2025, figures 2.3 and 2.4.
    """

    name = "iterated-local-search"
    unit = "iterations"

    tabu_share: Annotated[float, Field(ge=0, le=1)] = 0.05
    local_iterations: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1000
    acceptance: Annotated[float, Field(ge=0, le=1)] = 0.15
    reset_factor: Annotated[float, Field(ge=0, le=1)] = 1.0
    reset_decay: Annotated[float, Field(ge=0, le=1)] = 0.8
    refill_nodes: Annotated[int, Field(ge=0, le=1_000_000)] = 2000
    filter: Filter = "cp"
