"""Comma-separated values: a puzzle per row, or the cells of a grid as exported from a spreadsheet.

The header names the columns: ``puzzle`` or ``quizzes``, ``solution`` or ``solutions``, ``name`` or ``id``. All other
columns are kept in the comment. Without a header, puzzle and solution are found by their content. Semicolons and tabs
may take the place of commas. See `spreadsheet` for grids with a cell per column.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats import spreadsheet
from sudokulab.formats.base import (
    Format,
    Record,
    Text,
    blank_as_zero,
    column_of,
    comment_of,
    counted,
    one_line,
    placeholder,
    plain_puzzle,
    size_of,
)
from sudokulab.formats.symbols import decode, encode

__all__ = ["FORMAT", "HEADER", "Columns", "find_columns", "is_header", "is_row", "read_rows", "row_text", "row_writer"]

HEADER = ("puzzle", "solution", "name", "comment")
"""The columns of a written file."""

_PUZZLE = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "question")
_SOLUTION = ("solution", "solutions", "answer")
_NAME = ("name", "id")
_COMMENT = ("comment",)
_PLAIN_KEY = re.compile(r"[^\W\"]+([ .-][^\W\"]+)*", re.ASCII)


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
        Optional columns.
    others
        Further columns with their names, kept in the comment as ``name=value``.
    delimiter
        The character between columns.
    """

    count: int
    puzzle: int
    solution: int | None = None
    name: int | None = None
    comment: int | None = None
    others: tuple[tuple[int, str], ...] = ()
    delimiter: str = ","

    @property
    def are_plain(self) -> bool:
        """Whether the core can read rows with these columns."""
        return self.delimiter == "," and all(_PLAIN_KEY.fullmatch(key) and "box" not in key for _, key in self.others)

    def roles(self) -> list[tuple[str, str]]:
        """Return role and name of each column, as the core expects them."""
        roles = {index: ("other", key) for index, key in self.others}
        for role in HEADER:
            if (index := getattr(self, role)) is not None:
                roles[index] = (role, "")
        return [roles[index] for index in range(self.count)]


def is_header(line: str, following: str) -> bool:
    """Return whether a line is a header that names a column of puzzles, by itself or because a grid follows."""
    names = [name.strip().strip('"').lower() for name in line.split(_delimiter_of(line))]
    if not any(name in names for name in _PUZZLE):
        return False
    if len(names) > 1:
        return not _is_grid((line.split() or [""])[0])  # else a puzzle with a name that mentions puzzles
    return _is_grid(following.strip().strip('"'))


def is_row(line: str) -> bool:
    """Return whether a line is a row with a grid in it, and not a puzzle with a name in the line format."""
    fields = line.split(_delimiter_of(line))
    if len(fields) < 2 or _is_grid(line.split()[0]):
        return False
    if not _is_grid(fields[0]):
        return any(_is_grid(field.strip('"')) for field in fields)
    return len(fields) > 2 and len(fields[1]) == len(fields[0]) and _is_grid(fields[1])


def _is_grid(text: str) -> bool:
    size = size_of(len(text))
    return size > 0 and decode(text, size) is not None


def _delimiter_of(line: str) -> str:
    return spreadsheet.delimiter_of(line) or ","


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each row, or from the cells of several rows."""
    if spreadsheet.is_grid(text, may_be_integers=True):
        yield from spreadsheet.read(text)
        return
    columns = find_columns(text)
    if isinstance(columns, FormatError):
        yield columns
    elif columns:
        yield from read_rows(text, columns)


def find_columns(text: Text) -> Columns | FormatError | None:
    """Return the columns that the header names, or the content of the first row shows; None for an empty text.

    Consumes everything before the first row.
    """
    while (line := text.next_line()) is not None:
        if not line.strip() or line.startswith("#"):
            continue
        delimiter = _delimiter_of(line)
        try:
            row = next(csv.reader([line], strict=True, delimiter=delimiter))
        except csv.Error as error:
            return text.error(str(error), "comma-separated values")
        names = [name.strip().lower() for name in row]
        if any(name in names for name in _PUZZLE):
            return _named_columns(names, delimiter)
        if columns := _columns_by_content(row, delimiter):
            text.put_back(line)
            return columns
        return text.error("found no column of puzzles in the header", "a column named puzzle or quizzes")
    return None


def _named_columns(names: list[str], delimiter: str) -> Columns:
    def index_of(synonyms: tuple[str, ...]) -> int | None:
        return next((names.index(name) for name in synonyms if name in names), None)

    puzzle, solution, name, comment = map(index_of, (_PUZZLE, _SOLUTION, _NAME, _COMMENT))
    assert puzzle is not None, "the header names a column of puzzles"
    taken = (puzzle, solution, name, comment)
    others = tuple((index, key) for index, key in enumerate(names) if index not in taken)
    return Columns(len(names), puzzle, solution, name, comment, others, delimiter)


def _columns_by_content(row: list[str], delimiter: str) -> Columns | None:
    """Return the columns of a row without a header: grids by their form, then name and comment by their order."""
    grids = [index for index, field in enumerate(row) if _is_grid(field.strip())]
    if not grids:
        return None
    size = size_of(len(row[grids[0]].strip()))
    puzzle = next((index for index in grids if 0 in (decode(row[index].strip(), size) or b"")), grids[0])
    solution = next((index for index in grids if index != puzzle), None)
    rest = [index for index in range(len(row)) if index not in (puzzle, solution)]
    name, comment = [*rest[:2], None, None][:2]
    others = tuple((index, f"column {index + 1}") for index in rest[2:])
    return Columns(len(row), puzzle, solution, name, comment, others, delimiter)


def read_rows(text: Text, columns: Columns) -> Iterator[Record]:
    """Read a puzzle from each row after the header."""
    for line in text:
        if line.strip():
            yield _read_row(text, line, columns)


def _read_row(text: Text, line: str, columns: Columns) -> Record:
    if '"' in line or "\r" in line:
        try:
            row = next(csv.reader([line], strict=True, delimiter=columns.delimiter))
        except csv.Error as error:
            return text.error(str(error), "comma-separated values")
    else:
        row = line.split(columns.delimiter)
    if len(row) < columns.count:
        missing = counted(columns.count - len(row), "field")
        return text.error(f"found a row with {missing} too few", "a field for each column of the header")
    puzzle = row[columns.puzzle]
    solution = "" if columns.solution is None else row[columns.solution]
    name = "" if columns.name is None else row[columns.name]
    comment = _comment(row, columns)
    if len(puzzle) == 81 and len(solution) in (0, 81) and text.box is None and "box=" not in comment:
        both = puzzle + solution  # the common case, in a third of the time
        cells, solved = decode(puzzle, 9, both), decode(solution, 9, both)
        if cells is not None and solved is not None:
            return plain_puzzle(cells, name, comment, plain_puzzle(solved) if solved else None)
    return _read_fields(text, line, _trimmed(puzzle), _trimmed(solution), name, comment)


def _comment(row: list[str], columns: Columns) -> str:
    if columns.comment is None and not columns.others:
        return ""
    remarks = [] if columns.comment is None else [row[columns.comment]]
    remarks += [f"{key}={row[index]}" for index, key in columns.others if row[index]]
    return "; ".join(filter(None, remarks))


def _trimmed(field: str) -> str:
    """Strip a field unless the spaces are blanks of a grid."""
    return field if len(field) == 81 else field.strip()


def _read_fields(text: Text, line: str, puzzle: str, solution: str, name: str, comment: str) -> Record:
    both = puzzle + solution
    cells = text.cells(puzzle, like=both, column=column_of(line, puzzle))
    if isinstance(cells, FormatError):
        return cells
    column = column_of(line, solution, column_of(line, puzzle) - 1 + len(puzzle))
    solved = text.cells(solution, like=both, column=column) if solution else None
    if isinstance(solved, FormatError):
        return solved
    return text.puzzle(cells, name=name, comment=comment, solution=solved)


def row_writer(stream: TextIO) -> Callable[[Record], None]:
    """Write the header and return a function that writes a row: puzzle, solution, name and comment.

    An unreadable puzzle gives a row with the error as its comment.
    """
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    number = 0

    def write_row(record: Record) -> None:
        nonlocal number
        number += 1
        writer.writerow(_fields(record, number))

    return write_row


def row_text(record: Record, number: int) -> str:
    """Return the row of a puzzle, or of an unreadable one at this position, with its line end."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(_fields(record, number))
    return stream.getvalue()


def _fields(record: Record, number: int) -> list[str]:
    if isinstance(record, FormatError):
        return ["", "", "", placeholder(number, record)]
    solution = encode(record.solution.cells, record.size) if record.solution else ""
    return [blank_as_zero(record), solution, one_line(record.name), comment_of(record)]


def write(records: Iterable[Record], stream: TextIO) -> None:
    """Write a header and a row for each puzzle."""
    write_row = row_writer(stream)
    for record in records:
        write_row(record)


FORMAT = Format(
    "csv",
    "comma-separated values: puzzle and solution, or a cell per column",
    (".csv",),
    read,
    write,
    has_placeholders=True,
)
