"""Conflict-driven search, for large grids."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver

__all__ = ["ConflictDriven"]


@parameters
class ConflictDriven(CompleteSolver):
    """A search that learns from every dead end, on constraints that are all "exactly one of these".

    Parameters
    ----------
    restart_unit
        Conflicts until a restart, times Luby's sequence 1, 1, 2, 1, 1, 2, 4, …
    first_reduction
        Conflicts until clauses are dropped for the first time; later intervals grow with the root of the conflicts.

    Notes
    -----
    Singles are placed first. What is left are variables, one for each candidate, and groups of which exactly one is
    true, as bit sets: the digits of a cell, the positions of a digit in a unit. None of that is written as clauses.
    A dead end is analysed up to its first unique implication point, implied literals are dropped, and digits that one
    placement crosses out are replaced by that placement, which makes the learnt clauses a third as long. Decisions are
    placements, chosen by activity and by what stood in the fullest grids met of late; restarts are rare; clauses that
    join many levels and are not used are dropped.

    Solutions are enumerated without storing them: no backjump goes below a decision that was turned round.

    Statistics: ``nodes`` (decisions), ``conflicts``, ``propagations`` (candidates decided), ``restarts``,
    ``max_depth``.

    References
    ----------
    J. P. Marques-Silva and K. A. Sakallah, "GRASP: a new search algorithm for satisfiability", ICCAD 1996.
    M. W. Moskewicz, C. F. Madigan, Y. Zhao, L. Zhang and S. Malik, "Chaff: engineering an efficient SAT solver", DAC
    2001. N. Eén and N. Sörensson, "An extensible SAT-solver", SAT 2003. N. Sörensson and A. Biere, "Minimizing learned
    clauses", SAT 2009. G. Audemard and L. Simon, "Predicting learnt clauses quality in modern SAT solvers", IJCAI 2009.
    M. Gebser, B. Kaufmann, A. Neumann and T. Schaub, "Conflict-driven answer set enumeration", LPNMR 2007.
    A. Biere and M. Fleury, "Chasing target phases", POS 2020.
    """

    name = "conflict-driven"

    restart_unit: Annotated[int, Field(ge=1, le=1_000_000)] = 2048
    first_reduction: Annotated[int, Field(ge=1, le=1_000_000)] = 150
