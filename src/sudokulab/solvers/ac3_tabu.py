"""AC3 inside tabu search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.search.budget import MAX_COUNT
from sudokulab.solvers.base import NativeSolver

__all__ = ["Ac3Tabu"]


@parameters
class Ac3Tabu(NativeSolver):
    """Fill cells one by one with a roulette wheel and a tabu list, enforcing arc consistency after every step.

    This is algorithm 4 of Soto et al. AC3 runs before the search and on the best candidate of every iteration. A domain
    with a single value fills its cell. The cost is the number of empty cells. A candidate that costs no more than the
    best state replaces it, and its assignment enters the tabu list.

    Parameters
    ----------
    tabu_size
        Number of assignments on the tabu list; the oldest is dropped first.
    candidates
        Number of candidates that the wheel draws in each iteration.
    restart_after
        Number of consecutive candidates that are not accepted before the search starts again; 0 for never, as algorithm
        4 is printed.

    Notes
    -----
    The paper leaves several points open. We chose:

    - A neighbour assigns to one empty cell a value of its domain.
    - The wheel draws a cell with weight 1/d if its domain has d values, then one of its values that are not tabu,
      uniformly.
    - The cost of a candidate counts cells as filled if the assignment leaves them a single value at once. Otherwise all
      candidates would cost the same before AC3.
    - A candidate is not accepted if AC3 wipes out a domain. Its assignment does not become tabu and may be drawn again.
    - After `restart_after` such failures in a row, the search starts again from the state after the first AC3. The tabu
      list is kept, so it steers the search elsewhere. If all assignments are tabu, the list is cleared.

    Algorithm 4 as printed does not start again: accepted assignments are never undone, so a single wrong one makes the
    try fail. With ``restart_after=0`` the search follows the listing, and ends once AC3 would wipe out a domain for
    every assignment that is left. This is tested whenever as many candidates in a row as there are cells were rejected.

    The times of the paper's Table 1 fit a program that starts again; see `docs/papers/soto-2013.md`. Its success rates
    agree best with an immediate restart, 20 candidates and a list of 30 assignments, which are the defaults. The page
    gives the rule by which `tabu_size` was chosen.

    AC3 on a candidate starts with the arcs that its assignment touches; all others are already consistent.

    Statistics: ``iterations``, ``restarts``. Further trace column: ``restarts``. Frames show the domains, the tabu
    list, and each elimination of the first AC3.

    References
    ----------
    R. Soto, B. Crawford, C. Galleguillos, E. Monfroy and F. Paredes, "A hybrid AC3-tabu search algorithm for solving
    Sudoku puzzles", Expert Systems with Applications 40, 2013, algorithm 4.
    """

    name = "ac3-tabu"
    unit = "iterations"

    tabu_size: Annotated[int, Field(ge=0, le=1_000_000)] = 30
    candidates: Annotated[int, Field(ge=1, le=1000)] = 20
    restart_after: Annotated[int, Field(ge=0, le=MAX_COUNT)] = 1
