"""The checks of an audit, and what they found."""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["ACROSS", "KINDS", "MAX_EXAMPLES", "OF_ROWS", "WITHIN", "Check", "Example", "Kind", "Place"]

MAX_EXAMPLES = 5
"""The number of examples of each check."""


@dataclass(frozen=True)
class Kind:
    """A kind of check.

    Parameters
    ----------
    title
        What the rows it finds are.
    is_defect
        Whether such rows are a defect of the data set.
    """

    title: str
    is_defect: bool = True


OF_ROWS = {
    "unreadable": Kind("unreadable rows"),
    "no-solution": Kind("puzzles without a solution"),
    "several-solutions": Kind("puzzles with several solutions"),
    "missing-solution": Kind("missing solutions"),
    "broken-rules": Kind("stated solutions that break the rules"),
    "changed-givens": Kind("stated solutions that change givens"),
}
"""Checks of single rows."""

WITHIN = {
    "duplicates": Kind("duplicate puzzles"),
    "twins": Kind("twins (equivalent puzzles)"),
    "repeated-solutions": Kind("equivalent solutions", is_defect=False),
}
"""Checks for rows that repeat an earlier row of the same split."""

ACROSS = {
    "shared-puzzles": Kind("leaked puzzles"),
    "shared-twins": Kind("leaked twins (equivalent puzzles)"),
    "shared-solutions": Kind("leaked solutions (equivalent)"),
}
"""Checks for rows that repeat a row of an earlier split."""

KINDS = OF_ROWS | WITHIN | ACROSS
"""All kinds of checks by name."""


@dataclass(frozen=True)
class Place:
    """A row of a file, counted from 1 without a header."""

    file: str
    row: int

    def __str__(self) -> str:
        return f"{self.file}, row {self.row}"


@dataclass(frozen=True)
class Example:
    """A row that a check found, or a pair of rows.

    Parameters
    ----------
    places
        The row, or the original and its repeat.
    puzzles
        The puzzles in these rows; an empty text if unreadable.
    problem
        Why the row is unreadable.
    """

    places: tuple[Place, ...]
    puzzles: tuple[str, ...]
    problem: str = ""


@dataclass(frozen=True)
class Check:
    """The result of a check.

    Parameters
    ----------
    kind
        The name, a key of `KINDS`.
    splits
        The split, or the earlier and the later one.
    num_rows
        The number of rows found; across splits, rows of the later split. None if the check does not apply: the file
        states no solutions, or the grids are too large to be compared up to symmetry.
    examples
        The first of them. Pairs were compared cell by cell, or by a search for the symmetry.
    """

    kind: str
    splits: tuple[str, ...]
    num_rows: int | None
    examples: tuple[Example, ...] = ()

    @property
    def title(self) -> str:
        """What the rows are."""
        return KINDS[self.kind].title

    @property
    def is_defect(self) -> bool:
        """Whether the check found a defect."""
        return bool(self.num_rows) and KINDS[self.kind].is_defect

    def to_dict(self) -> dict[str, object]:
        """Return the result as JSON-compatible data."""
        return {**asdict(self), "is_defect": self.is_defect}
