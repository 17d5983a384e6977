"""The columns of tables: which of them hold puzzles, solutions and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from sudokulab.errors import FormatError
from sudokulab.formats.base import Text, one_line

__all__ = [
    "HEADER",
    "NO_TABLE",
    "PUZZLE",
    "SOLUTION",
    "Columns",
    "MissingColumnError",
    "index_of",
    "named_columns",
]

HEADER = ("puzzle", "solution", "name", "comment")
"""The names of the columns of puzzles that come from no table."""

_ANSWERS = ("solution", "status")
_OWN_ANSWERS = ("sudokulab_solution", "sudokulab_status")
PUZZLE = (
    *("puzzle", "puzzles", "quiz", "quizzes", "question", "questions"),
    *("sudoku", "sudokus", "board", "boards", "inputs"),
)
SOLUTION = ("sudokulab_solution", "solution", "solutions", "answer", "answers", "labels")
_NAME = ("id", "name")
_COMMENT = ("comment",)


class MissingColumnError(FormatError):
    """A table has no column of puzzles, so no row can be read."""

    @classmethod
    def of(cls, text: Text, names: Sequence[str]) -> Self:
        """Return the error for the last line read, which has these names."""
        shown = ", ".join(map(one_line, names))
        if text.column is not None:
            problem, advice = f"found no column {text.column!r}", f"choose one of {shown}"
            return cls(problem, advice, source=text.source, line=text.line or 1)
        advice = f"add a column named {PUZZLE[0]} or {PUZZLE[3]}, or choose one with --column NAME"
        return cls(f"found no column of puzzles among {shown}", advice, source=text.source, line=text.line or 1)


@dataclass(frozen=True)
class Columns:
    """The meaning of the columns, each by its index.

    Parameters
    ----------
    count
        The number of columns.
    puzzle
        The column of the puzzle.
    solution, name, comment
        Optional columns. The name comes from the column ``id`` if there is one.
    others
        Further columns with their names, kept in the comment as ``name=value``.
    header
        The names of all columns as they are in the file; empty without a header.
    delimiter
        The character between columns of text; empty in a binary table.
    are_members
        Whether these are the members of an object in JSON lines; the header has their keys, in quotes.
    box
        The member that gives the box shape.
    """

    count: int
    puzzle: int
    solution: int | None = None
    name: int | None = None
    comment: int | None = None
    others: tuple[tuple[int, str], ...] = ()
    header: tuple[str, ...] = ()
    delimiter: str = ","
    are_members: bool = False
    box: int | None = None

    @property
    def are_plain(self) -> bool:
        """Whether the core can read rows with these columns: none gives the box shape, the header fits on a line."""
        return all("box" not in key for _, key in self.others) and not any("\n" in name for name in self.header)

    def roles(self) -> list[str]:
        """Return the role of each column, as the core expects them."""
        roles = {self.puzzle: "puzzle", self.name: "name", self.box: "box"}
        return [roles.get(index, "other") for index in range(self.count)]

    def names(self) -> list[str]:
        """Return the names of all columns, without quotes."""
        if not self.header:
            known = {self.puzzle: "puzzle", self.solution: "solution", self.name: "name", self.comment: "comment"}
            return [known.get(index, f"column {index + 1}") for index in range(self.count)]
        return [name[1:-1].replace('""', '"') if name[:1] == '"' else name for name in self.header]

    def answers(self) -> dict[str, int]:
        """Return the names of the columns of the solution and the status in an answered table, and their places.

        They follow the columns of a table, which are never changed: if one has the name of an answer, in any case, both
        answers get names of their own. Only tables with exactly the columns that this package writes have places for
        the answers.
        """
        names = [name.strip().lower() for name in self.names()]
        is_own = tuple(names) in (HEADER, (*HEADER, "status"))
        chosen = _ANSWERS if is_own or not any(name in names for name in _ANSWERS) else _OWN_ANSWERS
        places, count = {}, self.count
        for name in chosen:
            places[name] = names.index(name) if name in names else count
            count += name not in names
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
    places = [index_of(names, synonyms) for synonyms in (SOLUTION, _NAME, _COMMENT)]
    solution, name, comment = (None if place == puzzle else place for place in places)
    taken = (puzzle, solution, name, comment)
    known = [(index, key.strip().lower()) for index, key in enumerate(names) if index not in taken]
    others = tuple((index, key) for index, key in known if key not in (*_ANSWERS, *_OWN_ANSWERS))
    return Columns(len(names), puzzle, solution, name, comment, others, tuple(names), delimiter)


NO_TABLE = Columns(len(HEADER), puzzle=0, solution=1, name=2, comment=3, header=HEADER)
"""The columns of puzzles that come from no table."""
