"""Hill climbing."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.solvers.base import Filter, NativeSolver

__all__ = ["HillClimbing"]


@parameters
class HillClimbing(NativeSolver):
    """Climb by the best of all swaps inside boxes; restart where the ten best states lead no higher.

    Maximises f = w1·f1 + w2·f2 over grids with every digit once in each box: f1 counts the different digits of every
    row and column, f2 the clashes between a given and another cell of its row or column. A queue of the best states met
    and not explored tells a plateau.

    Parameters
    ----------
    w1, w2
        The weights of the objective function.
    greedy
        Whether the initial state is placed box by box, each open cell taking the next missing digit that clashes with
        no given; else it is random.
    post_swap
        Whether digits of the initial state that clash with a given are swapped away where that is possible.
    plateau
        The states explored without a better score before a restart.
    filter
        What is fixed before the search: nothing, or what CP or AC3 can deduce. Fixed cells count as givens.

    Notes
    -----
    Open in the paper and chosen here: the missing digits are taken in ascending order at the first start and in random
    order at a restart; ties between best swaps are broken at random; a state explored since the last improvement is
    not entered again; the ten states count whether or not their scores are equal, so that a peak without a
    plateau ends in a restart too. The queue holds no more states than are ever looked at.

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
