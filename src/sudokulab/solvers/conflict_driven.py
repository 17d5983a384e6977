"""Conflict-driven search, for large grids."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters
from sudokulab.puzzle import Puzzle
from sudokulab.solvers.base import CompleteSolver

__all__ = ["ConflictDriven"]


@parameters
class ConflictDriven(CompleteSolver):
    """Conflict-driven search with clause learning on native exactly-one constraints.

    Parameters
    ----------
    restart_unit
        Number of conflicts until a restart, multiplied by Luby's sequence 1, 1, 2, 1, 1, 2, 4, …
    first_reduction
        Number of conflicts until clauses are first discarded; later intervals grow with the square root of the
        number of conflicts.
    moves_per_conflict
        Number of moves of the local search at a restart, for each conflict since the last restart; 0 turns it off.

    Notes
    -----
    The search is our own combination of the techniques referenced below. Singles are placed first. Each remaining
    candidate becomes a variable, and exactly one variable is true in each group: the digits of a cell, or the positions
    of a digit in a unit. Groups are stored as bit sets, not as clauses. A conflict is analysed up to its first unique
    implication point, and implied literals are dropped. Several literals ruled out by the same placement are replaced
    by that placement, which reduces learnt clauses to a third of their length. Decisions are placements, chosen by
    activity and by the phases of the fullest recent grids. Restarts are rare. Unused clauses that span many decision
    levels are discarded.

    At each restart, tabu search looks for a full grid with few conflicts, and its best grid becomes the new phases. If
    it finds a solution, the decisions follow it. It continues where it stopped at the last restart. Its random numbers
    come from the seed of the run.

    Enumeration stores no solutions: no backjump goes below a flipped decision.

    With several threads, `solve` runs a portfolio: after 1,000 nodes, more searches start, at most one per core, each
    with its first decisions in another random order. Of every four searches, the third does four times as much local
    search, and the fourth none. They share clauses that span at most two decision levels. The first answer wins.

    Statistics: ``nodes`` (decisions), ``conflicts``, ``propagations`` (candidates decided), ``restarts``,
    ``max_depth``, ``moves`` (of the local search). A portfolio reports the statistics of the search that answered,
    ``threads`` (the number of searches) and ``stopping_seconds`` (from the answer until the others had stopped).
    Further trace columns: ``conflicts`` (each teaches a clause), ``learnt`` (clauses kept), ``restarts``.

    References
    ----------
    J. P. Marques-Silva and K. A. Sakallah, "GRASP: a new search algorithm for satisfiability", ICCAD 1996.
    M. W. Moskewicz, C. F. Madigan, Y. Zhao, L. Zhang and S. Malik, "Chaff: engineering an efficient SAT solver", DAC
    2001. N. Eén and N. Sörensson, "An extensible SAT-solver", SAT 2003. N. Sörensson and A. Biere, "Minimizing learned
    clauses", SAT 2009. G. Audemard and L. Simon, "Predicting learnt clauses quality in modern SAT solvers", IJCAI 2009.
    M. Gebser, B. Kaufmann, A. Neumann and T. Schaub, "Conflict-driven answer set enumeration", LPNMR 2007.
    A. Biere and M. Fleury, "Chasing target phases", POS 2020. A. Hertz and D. de Werra, "Using tabu search techniques
    for graph coloring", Computing 39, 1987. P. Galinier and J.-K. Hao, "Hybrid evolutionary algorithms for graph
    coloring", Journal of Combinatorial Optimization 3, 1999. S. Cai and X. Zhang, "Deep cooperation of CDCL and local
    search for SAT", SAT 2021.
    """

    name = "conflict-driven"

    restart_unit: Annotated[int, Field(ge=1, le=1_000_000)] = 2048
    first_reduction: Annotated[int, Field(ge=1, le=1_000_000)] = 150
    moves_per_conflict: Annotated[int, Field(ge=0, le=1_000_000)] = 100

    def _uses_threads(self, puzzle: Puzzle) -> bool:
        return True
