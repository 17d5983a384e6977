"""Comma-separated values with a header, as data sets on Kaggle have them.

The puzzle's column is called ``puzzle`` or ``quizzes``, the solution's ``solution`` or ``solutions``. ``name`` or
``id`` becomes the name; all other columns are kept in the comment.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats.base import Format, Record, Text, blank_as_zero, column_of, comment_of, one_line
from sudokulab.formats.symbols import decode, encode
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT", "is_header", "row_writer"]

_PUZZLE = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "question")
_SOLUTION = ("solution", "solutions", "answer")
_NAME = ("name", "id")
_COMMENT = ("comment",)


def is_header(line: str, following: str) -> bool:
    """Tell whether a line is a header that names a column of puzzles, by itself or with the line after it."""
    names = [name.strip().strip('"').lower() for name in line.split(",")]
    if not any(name in names for name in _PUZZLE):
        return False
    if len(names) > 1:
        return not _is_grid((line.split() or [""])[0])  # or a puzzle whose name speaks of puzzles
    return _is_grid(following.strip().strip('"'))


def _is_grid(text: str) -> bool:
    return len(text) >= 16 and decode(text, math.isqrt(len(text))) is not None


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each row under the header."""
    header: list[str] | None = None
    for line in text:
        if not line.strip() or (header is None and line.startswith("#")):
            continue
        try:
            row = next(csv.reader([line], strict=True))
        except csv.Error as error:
            yield text.error(str(error), "comma-separated values")
            continue
        if header is None:
            header = [name.strip().lower() for name in row]
            if not any(name in header for name in _PUZZLE):
                yield text.error("no column of puzzles in the header", "a column named puzzle or quizzes")
                return
        elif len(row) < len(header):
            problem = f"a row with {len(header) - len(row)} fields too few"
            yield text.error(problem, "a field for each column of the header")
        else:
            yield _read_row(text, line, dict(zip(header, row, strict=False)))


def _read_row(text: Text, line: str, row: dict[str, str]) -> Record:
    puzzle, solution = _take(row, _PUZZLE).strip(), _take(row, _SOLUTION).strip()
    name, comment = _take(row, _NAME), _take(row, _COMMENT)
    others = "; ".join(f"{key}={value}" for key, value in row.items() if value)
    column = column_of(line, puzzle)
    cells = text.cells(puzzle, like=puzzle + solution, column=column)
    if isinstance(cells, FormatError):
        return cells
    column = column_of(line, solution, column - 1 + len(puzzle))
    solved = text.cells(solution, like=puzzle + solution, column=column) if solution else None
    if isinstance(solved, FormatError):
        return solved
    return text.puzzle(cells, name=name, comment="; ".join(filter(None, (comment, others))), solution=solved)


def _take(row: dict[str, str], names: tuple[str, ...]) -> str:
    name = next((name for name in names if name in row), None)
    return row.pop(name) if name else ""


def row_writer(stream: TextIO) -> Callable[[Puzzle], None]:
    """Write the header, and return what writes a row: puzzle, solution, name and comment, empty where there is none."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["puzzle", "solution", "name", "comment"])

    def write_row(puzzle: Puzzle) -> None:
        solution = encode(puzzle.solution.cells, puzzle.size) if puzzle.solution else ""
        writer.writerow([blank_as_zero(puzzle), solution, one_line(puzzle.name), comment_of(puzzle)])

    return write_row


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write a header and a row for each puzzle."""
    write_row = row_writer(stream)
    for puzzle in puzzles:
        write_row(puzzle)


FORMAT = Format("csv", "comma-separated values with the columns puzzle and solution", (".csv",), read, write)
