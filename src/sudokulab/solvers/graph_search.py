"""Backtracking with logical rules and graph-based heuristics."""

from __future__ import annotations

from typing import Any

from pydantic import field_validator

from sudokulab import _core
from sudokulab.errors import SudokulabError
from sudokulab.logic.rules import RULES, rule_numbers
from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver
from sudokulab.solvers.notation import parse_heuristic

__all__ = ["GraphSearch"]


@parameters
class GraphSearch(CompleteSolver):
    """Backtracking with ten rules after each decision and heuristics that count edges of an implicit graph.

    This is the search of San Segundo and Jiménez.

    Parameters
    ----------
    heuristic
        Decision heuristic in the paper's notation; see `sudokulab.solvers.notation`. Table 3 of the paper uses ``Lv``,
        ``Dv r1r2(EP)``, ``DvGvmax r1r2(GmaxEP)``, ``DvGvmin r1r2(GmaxEP)``, ``D r1r2(GmaxEP)`` and ``Gmax r1r2(EP)``.
    rules
        Names of the rules applied after each decision, in order.

    Notes
    -----
    The paper leaves several points open. We chose: remaining ties go to the first in reading order; a heuristic without
    variable scope tries the best candidate of the whole grid and, if it fails, removes it, filters and chooses again; E
    and P with variable scope are those of the cell's best value; a candidate that r1r2 refutes comes last but is still
    tried.

    Statistics: ``nodes`` (candidates tried), ``backtracks`` (candidates rejected), ``max_depth`` (most simultaneously
    open decisions).

    References
    ----------
    P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009.
    """

    name = "graph-search"

    heuristic: str = "DvGvmax r1r2(GmaxEP)"
    rules: tuple[str, ...] = tuple(rule.name for rule in RULES)

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

    def _make_native(self) -> Any:
        before, after = parse_heuristic(self.heuristic).to_native()
        return _core.GraphSearch(before, after, rule_numbers(self.rules))
