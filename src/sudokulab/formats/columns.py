"""The columns of tables: which of them hold puzzles, solutions and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["ANSWERS", "HEADER", "NO_TABLE", "PUZZLE", "SOLUTION", "Columns", "index_of", "named_columns"]

HEADER = ("puzzle", "solution", "name", "comment")
"""The names of the columns of puzzles that come from no table."""

ANSWERS = ("solution", "status")
"""The columns that a solved table gains, unless it has them."""

PUZZLE = (
    *("puzzle", "puzzles", "quiz", "quizzes", "question", "questions"),
    *("sudoku", "sudokus", "board", "boards", "inputs"),
)
SOLUTION = ("solution", "solutions", "answer", "answers", "labels")
_NAME = ("name", "id")
_COMMENT = ("comment",)
_STATUS = ("status",)


@dataclass(frozen=True)
class Columns:
    """The meaning of the columns, each by its index.

    Parameters
    ----------
    count
        The number of columns.
    puzzle
        The column of the puzzle.
    solution, status, name, comment
        Optional columns.
    others
        Further columns with their names, kept in the comment as ``name=value``.
    header
        The names of all columns as they are in the file; empty without a header.
    delimiter
        The character between columns of text; empty in a binary table.
    """

    count: int
    puzzle: int
    solution: int | None = None
    status: int | None = None
    name: int | None = None
    comment: int | None = None
    others: tuple[tuple[int, str], ...] = ()
    header: tuple[str, ...] = ()
    delimiter: str = ","

    @property
    def are_plain(self) -> bool:
        """Whether the core can read rows with these columns: none gives the box shape, the header fits on a line."""
        return all("box" not in key for _, key in self.others) and not any("\n" in name for name in self.header)

    def roles(self) -> list[str]:
        """Return the role of each column, as the core expects them."""
        roles = {self.puzzle: "puzzle", self.solution: "solution", self.name: "name"}
        return [roles.get(index, "other") for index in range(self.count)]

    def names(self) -> list[str]:
        """Return the names of all columns, without quotes."""
        if not self.header:
            known = {self.puzzle: "puzzle", self.solution: "solution", self.name: "name", self.comment: "comment"}
            return [known.get(index, f"column {index + 1}") for index in range(self.count)]
        return [name[1:-1].replace('""', '"') if name[:1] == '"' else name for name in self.header]

    def answers(self) -> dict[str, int]:
        """Return the places of the solution and the status in an answered row; those not in the row follow it."""
        places, count = {}, self.count
        for name, place in zip(ANSWERS, (self.solution, self.status), strict=True):
            places[name] = count if place is None else place
            count += place is None
        return places


def index_of(names: Sequence[str], synonyms: Sequence[str]) -> int | None:
    """Return the index of a column, in any case, by the first of its synonyms."""
    plain = [name.strip().lower() for name in names]
    return next((plain.index(synonym) for synonym in synonyms if synonym in plain), None)


def named_columns(names: Sequence[str], column: str | None = None, delimiter: str = ",") -> Columns | None:
    """Return the columns of a header; None if none is named for puzzles.

    Parameters
    ----------
    names
        The names of all columns.
    column
        The column of puzzles that the user has named.
    delimiter
        The character between columns of text.
    """
    wanted = PUZZLE if column is None else (column.strip().lower(),)
    puzzle = names.index(column) if column in names else index_of(names, wanted)
    if puzzle is None:
        return None
    places = [index_of(names, synonyms) for synonyms in (SOLUTION, _STATUS, _NAME, _COMMENT)]
    solution, status, name, comment = (None if place == puzzle else place for place in places)
    taken = (puzzle, solution, status, name, comment)
    others = tuple((index, key.strip().lower()) for index, key in enumerate(names) if index not in taken)
    return Columns(len(names), puzzle, solution, status, name, comment, others, tuple(names), delimiter)


NO_TABLE = Columns(len(HEADER), puzzle=0, solution=1, name=2, comment=3, header=HEADER)
"""The columns of puzzles that come from no table."""
