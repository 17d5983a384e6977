"""Ant colony optimisation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.solvers.filters import Filter, FilteringSolver

__all__ = ["AntColony", "AntPropagation"]

AntPropagation = Literal["peers", "singles", "ac3"]
"""How ants propagate a choice; see `AntColony`."""


@parameters
class AntColony(FilteringSolver):
    """Ant Colony System with constraint propagation and best value evaporation.

    This is the algorithm of Lloyd and Amos. Every ant visits all cells of its own copy of the puzzle, chooses a digit
    for each open cell by pheromone, and propagates the choice. The best solution so far, the one with the most cells
    fixed, deposits pheromone on its digits: the fewer open cells it has, the more. Its value evaporates over time, so
    that newer solutions can replace it.

    Parameters
    ----------
    ants
        Number of ants m.
    q0
        Threshold of eq. 3: a choice is greedy if a uniform random number is *greater* than q0, otherwise weighted. This
        is the reverse of the usual rule, and intended: with 0.9, nine choices in ten are weighted.
    rho
        Weight ρ of the best value in the global update, eq. 6.
    xi
        Weight ξ of the initial value in the local update, eq. 4.
    evaporation
        Best value evaporation f_BVE, eq. 7; 0 disables it.
    propagation
        How a choice is propagated. ``peers`` is the paper's procedure: two rules, applied to the peers of each fixed
        cell. ``singles`` places naked and hidden singles anywhere until none is left, which leaves fewer choices open.
        ``ac3`` is arc consistency on disequalities, which amounts to naked singles.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``.

    Notes
    -----
    Equations 1–7 are implemented as printed, with τ0 = 1/c. A cell without candidates counts as not fixed, and the ant
    continues.

    The paper's propagation (section 3.1) examines the peers of a cell when its value is fixed: values fixed in a peer's
    units leave its value set, and a value of the peer with no other place in one of its units is fixed. Cells fixed
    this way are handled recursively. The text says that this ends when no further changes are possible. In the authors'
    program, which ``peers`` follows, other cells are not examined, so hidden singles can remain, and a digit without a
    place in a unit goes unnoticed.

    The paper leaves several points open. We chose: among equally good ants the first wins; a greedy choice takes the
    first of equal digits; peers are examined in the order of the authors' program, on which the result depends
    slightly: for each position j in a unit, the cell at j in the box, in the column and in the row, depth first.

    Statistics: ``iterations``, ``best_cells_fixed`` (most cells fixed by any ant). With ``trace``, ``pheromone`` holds
    the final matrix, with one row per cell and one column per digit. Further trace columns: ``cells_fixed`` (by the
    best ant of the iteration), ``best_value`` (after evaporation). Frames show the grid of the best ant of the
    iteration, and the pheromone.

    References
    ----------
    H. Lloyd and M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games, 2019.
    """

    name = "ant-colony"
    unit = "iterations"

    ants: Annotated[int, Field(ge=1, le=1000)] = 10
    q0: Annotated[float, Field(ge=0, le=1)] = 0.9
    rho: Annotated[float, Field(ge=0, le=1)] = 0.9
    xi: Annotated[float, Field(ge=0, le=1)] = 0.1
    evaporation: Annotated[float, Field(ge=0, le=1)] = 0.005
    propagation: AntPropagation = "peers"
    filter: Filter = "none"
