"""Backtracking with logical rules and graph-based heuristics."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from sudokulab import _core
from sudokulab.errors import SudokulabError
from sudokulab.logic.selection import rule_numbers
from sudokulab.logic.techniques import RULES
from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver
from sudokulab.solvers.notation import parse_heuristic

__all__ = ["GraphSearch"]


@parameters
class GraphSearch(CompleteSolver):
    """Backtracking with ten rules after each decision and heuristics that measure an implicit graph.

    This is the search of San Segundo and Jiménez.

    Parameters
    ----------
    heuristic
        Decision heuristic in the paper's notation; see `sudokulab.solvers.notation`. Table 3 of the paper uses ``Lv``,
        ``Dv r1r2(EP)``, ``DvGvmax r1r2(GmaxEP)``, ``DvGvmin r1r2(GmaxEP)``, ``D r1r2(GmaxEP)`` and ``Gmax r1r2(EP)``.
    rules
        Names of the rules applied after each decision (the paper's FILTER), in order.
    refuted
        What happens to a candidate that r1r2 refutes while it is evaluated. ``remove``: it is removed from the board,
        the rules are applied again at the same node, and the choice is repeated; section 4.2 says that detecting a
        wrong decision "implies removing the candidate". ``ties-first``: the ties are broken first; then it is removed,
        the rules are applied again, and the best of the other candidates in scope is tried without a new choice.
        ``drop``: it is not tried at this node. ``last``: it is tried after the others.
    tested
        Which candidates r1r2 tests for refutation. ``all``: every candidate in scope, that is of the selected cell, or
        of the grid without variable scope. ``ties``: only those that the measures before it leave tied, as the caption
        of Table 3 suggests.
    tied_cells
        How a heuristic with variable scope breaks ties between cells. ``first``: the first in reading order.
        ``tested``: by r1r2, as the caption of Table 3 suggests; the cell is that of the best candidate of all tied
        cells.
    branching
        How a heuristic with variable scope continues after a failed value. ``d-way``: with the next value of the same
        cell, as in Table 1. ``two-way``: the value is removed, the rules are applied, and a cell is selected again.
    invariant
        What G measures. ``density``: the number of edges divided by the number of pairs of vertices, as section 2
        suggests. ``edges``: the number of edges, as section 4.2 says.

    Notes
    -----
    The paper leaves several points open. We chose: remaining ties go to the first in reading order; a heuristic without
    variable scope always branches two-way; E and P with variable scope belong to the cell's best value. The paper
    also leaves `refuted`, `tested`, `tied_cells`, `branching` and `invariant` open, or contradicts itself. The
    defaults are the combination that comes closest to its Table 3; docs/papers/san-segundo-notes.md compares all of
    them.

    Statistics: ``nodes`` (candidates tried), ``backtracks`` (candidates that passed the rules and failed later: line 9
    of Table 1), ``rejected`` (all candidates that failed, including those that the rules refute at once), ``max_depth``
    (largest recursion depth: candidates on a path that passed the rules), ``max_unforced`` (the same without the last
    open value of a cell).

    References
    ----------
    P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009.
    """

    name = "graph-search"

    heuristic: str = "DvGvmax r1r2(GmaxEP)"
    rules: tuple[str, ...] = tuple(rule.code for rule in RULES)
    refuted: Literal["last", "drop", "remove", "ties-first"] = "remove"
    tested: Literal["ties", "all"] = "all"
    tied_cells: Literal["first", "tested"] = "first"
    branching: Literal["d-way", "two-way"] = "d-way"
    invariant: Literal["edges", "density"] = "density"

    @field_validator("heuristic")
    @classmethod
    def _check_heuristic(cls, text: str) -> str:
        parse_heuristic(text)
        return text

    @field_validator("rules")
    @classmethod
    def _check_rules(cls, rules: tuple[str, ...]) -> tuple[str, ...]:
        try:
            rule_numbers(rules)
        except SudokulabError as error:
            raise ValueError(str(error)) from None
        return rules

    def _make_native(self) -> object:
        before, after = parse_heuristic(self.heuristic).to_native()
        readings = (self.refuted, self.tested, self.tied_cells, self.branching, self.invariant)
        return _core.GraphSearch(before, after, rule_numbers(self.rules), *readings)
