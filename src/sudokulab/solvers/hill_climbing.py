"""Hill climbing."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.solvers.base import Filter, NativeSolver

__all__ = ["HillClimbing"]


@parameters
class HillClimbing(NativeSolver):
    """Steepest-ascent hill climbing with swaps inside boxes and a restart on every plateau.

    This is the algorithm of Jones, Roach and Perkins. It maximises f = w1·f1 + w2·f2 over grids with every digit once
    in each box. f1 sums the distinct digits of all rows and columns; f2 counts the clashes between a given and another
    cell of its row or column. A queue of the best unexplored states detects plateaus.

    Parameters
    ----------
    w1, w2
        Weights of the objective function.
    greedy
        Whether to build the initial state box by box, giving each open cell the next missing digit that clashes with no
        given. Otherwise it is random.
    post_swap
        Whether to swap away digits of the initial state that clash with a given, where possible.
    plateau
        Number of states explored without a better score before a restart.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3`` or ``rules``. Fixed cells count as givens.

    Notes
    -----
    The paper leaves several points open. We chose: missing digits are placed in ascending order at the first start and
    in random order at restarts; ties between best swaps are broken at random; states explored since the last
    improvement do not re-enter the queue; the `plateau` states need not have equal scores, so that a peak without a
    plateau also ends in a restart. The queue keeps only as many states as can be explored before a restart.

    Statistics: ``iterations`` (states explored), ``restarts``, ``initial_f1`` and ``initial_clashes`` (f1 and f2 of the
    first initial state).

    References
    ----------
    S. K. Jones, P. A. Roach and S. Perkins, "Construction of heuristics for a search-based approach to solving
    Sudoku", Research and Development in Intelligent Systems XXIV, 2007.
    """

    name = "hill-climbing"
    unit = "iterations"

    w1: Annotated[float, Field(allow_inf_nan=False)] = 1.0
    w2: Annotated[float, Field(allow_inf_nan=False)] = -1.0
    greedy: bool = True
    post_swap: bool = True
    plateau: Annotated[int, Field(ge=1, le=1000)] = 10
    filter: Filter = "none"
