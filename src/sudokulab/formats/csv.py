"""Comma-separated values with a header, as data sets on Kaggle have them.

The puzzle's column is called ``puzzle`` or ``quizzes``, the solution's ``solution`` or ``solutions``. ``name`` or
``id`` becomes the name; all other columns are kept in the comment.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats.base import Format, Record, Text, blank_as_zero, one_line
from sudokulab.puzzle import Puzzle
from sudokulab.symbols import encode

__all__ = ["FORMAT", "is_header"]

_PUZZLE = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "question")
_SOLUTION = ("solution", "solutions", "answer")
_NAME = ("name", "id")
_COMMENT = ("comment",)


def is_header(line: str) -> bool:
    """Tell whether a line is a header that names a column of puzzles."""
    names = [name.strip().strip('"').lower() for name in line.split(",")]
    return any(name in names for name in _PUZZLE)


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each row under the header."""
    rows = csv.reader(iter(text), strict=True)
    try:
        header = [name.strip().lower() for name in next(rows, [])]
        if not any(name in header for name in _PUZZLE):
            yield text.error("no column of puzzles in the header", "a column named puzzle or quizzes")
            return
        for row in rows:
            if row:
                yield _read_row(text, dict(zip(header, row, strict=False)), num_missing=len(header) - len(row))
    except csv.Error as error:
        yield text.error(str(error), "comma-separated values")


def _read_row(text: Text, row: dict[str, str], num_missing: int) -> Record:
    if num_missing > 0:
        return text.error(f"a row with {num_missing} fields too few", "a field for each column of the header")
    puzzle = _take(row, _PUZZLE).strip()
    solution = _take(row, _SOLUTION).strip()
    name, comment = _take(row, _NAME), _take(row, _COMMENT)
    others = "; ".join(f"{key}={value}" for key, value in row.items() if value)
    cells = text.cells(puzzle)
    if isinstance(cells, FormatError):
        return cells
    solved = text.cells(solution, column=len(puzzle) + 2) if solution else None
    if isinstance(solved, FormatError):
        return solved
    return text.puzzle(cells, name=name, comment="; ".join(filter(None, (comment, others))), solution=solved)


def _take(row: dict[str, str], names: tuple[str, ...]) -> str:
    name = next((name for name in names if name in row), None)
    return row.pop(name) if name else ""


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write puzzle and solution, and name and comment if the first puzzle has one of them."""
    iterator = iter(puzzles)
    first = next(iterator, None)
    has_names = first is not None and bool(first.name or first.comment)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["puzzle", "solution", *(["name", "comment"] if has_names else [])])
    for puzzle in chain([first] if first else [], iterator):
        solution = encode(puzzle.solution, puzzle.size) if puzzle.solution else ""
        names = [one_line(puzzle.name), one_line(puzzle.comment)] if has_names else []
        writer.writerow([blank_as_zero(puzzle), solution, *names])


FORMAT = Format("csv", "comma-separated values with the columns puzzle and solution", (".csv",), read, write)
