"""Hill climbing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.solvers.filters import Filter, FilteringSolver

__all__ = ["HillClimbing"]


@parameters
class HillClimbing(FilteringSolver):
    """Steepest-ascent hill climbing with swaps inside boxes, a queue of unexplored states, and restarts on plateaus.

    This is the algorithm of Jones, Roach and Perkins. It maximises f = w1·f1 + w2·f2 over grids with every digit once
    in each box. f1 sums the distinct digits of all rows and columns; f2 counts the clashes between a given and another
    cell of its row or column. Each iteration explores a state: all states one swap away enter a priority queue, and the
    best state of the queue is explored next. If the `cutoff` best states of the queue share one score, and none of them
    has a successor with a better score, the queue is cleared and the climb restarts from a new initial state.

    Parameters
    ----------
    w1, w2
        Weights of the objective function.
    greedy
        Whether to build the initial state box by box, giving each open cell the next missing digit that clashes with no
        given. Otherwise it is random.
    post_swap
        Whether to swap away digits of the initial state that clash with a given, where possible.
    variant
        ``random-restart`` is the algorithm above. The paper's earlier variants are ``best-first``, with the queue but
        without restarts, and ``steepest-ascent``, without both: it stops at the first state that has no better
        successor.
    ties
        Which of several states with the same score is explored first: the ``newest`` in the queue, the ``oldest``, or a
        ``random`` one.
    successors
        Which successors with a better score keep a state from being part of a plateau: ``all``, or only ``unexplored``
        ones.
    cutoff
        Number of best states in the queue that must share one score for a restart.
    queue_limit
        Maximum number of states in the queue. When it is full, its worst half is dropped. Explored states are
        remembered as well, at least the last `queue_limit`. A state takes about 50 bytes, an explored one also its
        grid.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``. Fixed cells count as givens.

    Notes
    -----
    The paper leaves several points open. We chose: missing digits are placed in ascending order at the first start and
    in random order at restarts; a state enters the queue only once between restarts; an empty queue also leads to a
    restart, or ends a best-first search. With ``successors="all"``, the states next to an explored peak do not form a
    plateau, and some climbs last for tens of thousands of iterations. The defaults of `ties` and `successors` are those
    whose iterations and restarts agree best with the paper's Figure 5.

    Statistics: ``iterations`` (states explored), ``restarts``, ``initial_f1`` and ``initial_clashes`` (f1 and f2 of the
    first initial state). Further trace column: ``restarts``.

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
    variant: Literal["random-restart", "best-first", "steepest-ascent"] = "random-restart"
    ties: Literal["newest", "oldest", "random"] = "random"
    successors: Literal["all", "unexplored"] = "all"
    cutoff: Annotated[int, Field(ge=1, le=1000)] = 10
    queue_limit: Annotated[int, Field(ge=2000, le=100_000_000)] = 1_000_000
    filter: Filter = "none"
