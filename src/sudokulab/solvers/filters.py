"""Filters, which fix cells before a search, and the base class of solvers that start with one.

``cp+annealing`` names the solver ``annealing`` with the filter ``cp``.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from sudokulab.errors import ParameterError
from sudokulab.logic.selection import select_techniques
from sudokulab.logic.steps import native_order
from sudokulab.logic.techniques import LARGEST_SIZE, Technique
from sudokulab.puzzle import Puzzle
from sudokulab.solvers.base import NativeSolver

__all__ = ["FILTERS", "Filter", "FilteringSolver"]

FILTERS = {
    "cp": "naked and hidden singles, the CP procedure of Lewis",
    "ac3": "arc consistency, as in the hybrid of Soto et al.",
    "rules": "the ten rules of San Segundo and Jiménez",
}
"""The filters with a name of their own, and what they apply; others are lists of techniques."""


def _checked_filter(name: str) -> str:
    if name == "none" or name in FILTERS:
        return name
    try:
        chosen = select_techniques(name)
    except ParameterError:
        known = "none, cp, ac3, rules, or techniques such as singles,x-wing"
        raise ValueError(f"{name!r}; choose {known}") from None
    for technique in chosen:
        if technique.assumes_uniqueness:
            raise ValueError(f"{technique.name} assumes a unique solution; choose techniques that hold on every puzzle")
    return name if chosen else "none"


Filter = Annotated[
    str,
    AfterValidator(_checked_filter),
    Field(description="none, cp, ac3, rules, or techniques such as singles,x-wing"),
]
"""Which cells to fix before the search: ``none``, or those that `sudokulab.logic.filtering.cp`, `ac3`, all ten rules
(``rules``) or a list of techniques (``singles,x-wing``) can fix."""


class FilteringSolver(NativeSolver):
    """A native solver that fixes cells with a filter before its search.

    The filter is part of its name unless it is the default: ``cp+annealing``.
    """

    filter: str

    def __post_init__(self) -> None:
        if self.filter != type(self).filter:
            object.__setattr__(self, "name", "+".join([*self.filter.split(","), self.name]))

    def check_size(self, puzzle: Puzzle) -> None:
        """Raise an error if the puzzle is too large for the techniques of the filter."""
        if puzzle.size > LARGEST_SIZE and self._techniques:
            native_order(self._techniques, puzzle.size)

    def native_parameters(self) -> dict[str, object]:
        """Return the parameters, with the names of techniques as the core knows them."""
        names = ",".join(technique.name for technique in self._techniques)
        return {**super().native_parameters(), "filter": names or self.filter}

    @property
    def _techniques(self) -> list[Technique]:
        is_named = self.filter == "none" or self.filter in FILTERS
        return [] if is_named else select_techniques(self.filter)
