"""Ant colony optimisation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.solvers.base import NativeSolver

__all__ = ["AntColony"]


@parameters
class AntColony(NativeSolver):
    """Let ants fill the grid by pheromone, propagating every choice, and let the best value evaporate.

    The Ant Colony System with best value evaporation: every ant walks over all cells of its own copy of the puzzle and
    chooses a digit for each open one; the walk that fixed the most cells lays pheromone on its digits, in proportion to
    how few it left; that best value evaporates, so that newer walks can replace it.

    Parameters
    ----------
    ants
        The number of ants m.
    q0
        By the paper's eq. 3 a choice is greedy if a uniform random number is *greater* than q0, and weighted otherwise:
        the reverse of the usual rule, and meant. With 0.9, nine choices in ten are weighted.
    rho
        The share ρ of the best value in the global update, eq. 6.
    xi
        The share ξ of the initial value in the local update, eq. 4.
    evaporation
        Best value evaporation f_BVE, eq. 7; 0 switches it off.
    propagation
        ``singles`` as in the paper (naked and hidden singles), or ``ac3``: arc consistency on disequalities, which
        amounts to naked singles.

    Notes
    -----
    Equations 1–7 as printed, τ0 = 1/c. A cell that has no candidate left counts as not fixed; the walk goes on. Open in
    the paper and chosen here: the best walk of equals is that of the first ant; the greedy choice takes the first of
    equals; propagation runs to its fixed point, where the authors' program looks only at the peers of cells just fixed.

    Statistics: ``iterations``, ``best_cells_fixed`` (in any walk). With ``trace``, ``pheromone`` holds the matrix at
    the end, a row for each cell and a column for each digit.

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
    propagation: Literal["singles", "ac3"] = "singles"
