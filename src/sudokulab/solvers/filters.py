"""The filters of solvers: which cells to fix before the search."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from sudokulab.errors import ParameterError
from sudokulab.logic.selection import select_techniques
from sudokulab.logic.steps import native_order
from sudokulab.logic.techniques import LARGEST_SIZE

__all__ = ["Filter", "check_size"]

_FILTERS = ("none", "cp", "ac3", "rules")
"""The filters that are not lists of techniques."""


def _checked_filter(name: str) -> str:
    """Return the filter with the names of techniques as the core knows them."""
    if name in _FILTERS:
        return name
    try:
        chosen = select_techniques(name)
    except ParameterError:
        expected = "none, cp, ac3, rules, or techniques such as singles,x-wing"
        raise ValueError(f"{name!r}, expected {expected}") from None
    for technique in chosen:
        if technique.assumes_uniqueness:
            raise ValueError(f"{technique.name} assumes a unique solution, expected techniques that hold on any puzzle")
    return ",".join(technique.name for technique in chosen) or "none"


Filter = Annotated[
    str,
    AfterValidator(_checked_filter),
    Field(description="none, cp, ac3, rules, or techniques such as singles,x-wing"),
]
"""Which cells to fix before the search: ``none``, or those that `sudokulab.logic.filtering.cp`, `ac3`, all ten rules
(``rules``) or a list of techniques (``singles,x-wing``) can fix."""


def check_size(filter: str, size: int) -> None:
    """Raise an error if a size is too large for the techniques of a filter."""
    if size > LARGEST_SIZE and filter not in _FILTERS:
        native_order(select_techniques(filter), size)
