"""One puzzle per line with one character per cell, optionally followed by a name and, after ``#``, a comment.

::

    # a comment line
    4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4...... Norvig's first # hard
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats import symbols
from sudokulab.formats.base import Format, Record, Text, comment_of, one_line, placeholder, plain_puzzle, size_of
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT", "has_blank_spaces"]

_NUMBER_SIGN = "\uff03"  # replaces # in names, where it would start the comment
_SPLIT = re.compile(r"(\s*)([^\s,;:|#]*)[\s,;:|]*([^#]*)(?:#(.*))?", re.DOTALL)
_DIGITS_AND_SPACES = re.compile(r"[1-9A-Za-z ]+")


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each line that is neither empty nor a comment."""
    for line in text:
        if line.strip() and not line.lstrip().startswith("#"):
            yield read_line(text, line)


def read_line(text: Text, line: str) -> Record:
    """Read the puzzle of one line."""
    if len(line) == 81 and (plain := symbols.decode(line, 9)) and text.box is None:
        return plain_puzzle(plain)  # the common case
    if has_blank_spaces(line) or (len(line) > 2 * 81 - 1 and symbols.is_candidate_list(line.split())):
        cells = text.cells(line)
        return cells if isinstance(cells, FormatError) else text.puzzle(cells)
    match = _SPLIT.fullmatch(line)
    assert match is not None, "the pattern matches any line"
    indent, puzzle, name, comment = match.groups(default="")
    cells = text.cells(puzzle, column=len(indent) + 1)
    if isinstance(cells, FormatError):
        return cells
    name, solution = name.strip(), None
    if len(name) == len(puzzle) and symbols.decode(name, math.isqrt(len(puzzle))) is not None:
        # a second grid on the line must be the solution
        column = line.index(name, len(indent) + len(puzzle)) + 1
        both = puzzle + name
        cells, second = text.cells(puzzle, like=both), text.cells(name, like=both, column=column)
        if isinstance(cells, FormatError):
            return cells
        if isinstance(second, FormatError):
            return second
        if 0 in second:
            return text.error("found a second puzzle on the line", "write a name or the solution", column=column)
        name, solution = "", second
    elif _is_quoted_grid(name, len(puzzle)):
        name = name[1:-1]
    return text.puzzle(cells, name=name, comment=comment.strip(), solution=solution, column=len(indent) + 1)


def has_blank_spaces(line: str) -> bool:
    """Return whether a line is a whole grid with spaces as blanks, rather than words or columns of numbers."""
    size = size_of(len(line))
    if " " not in line or not size or not _DIGITS_AND_SPACES.fullmatch(line):
        return False
    words = list(re.finditer(r"\S+", line))
    if not words or size_of(len(words[0][0])):
        return False  # a puzzle with a name
    starts = {second.start() - first.start() for first, second in pairwise(words)}
    ends = {second.end() - first.end() for first, second in pairwise(words)}
    are_columns = len(starts) == 1 or len(ends) == 1
    return not are_columns and symbols.decode(line.replace(" ", "."), size) is not None


def write(records: Iterable[Record], stream: TextIO) -> None:
    """Write one puzzle per line."""
    for number, record in enumerate(records, start=1):
        text = write_line(record) if isinstance(record, Puzzle) else f"# {placeholder(number, record)}"
        stream.write(f"{text}\n")


def write_line(puzzle: Puzzle) -> str:
    """Return the line of a puzzle without its line end."""
    name, comment = one_line(puzzle.name).replace("#", _NUMBER_SIGN), comment_of(puzzle)
    if _is_quoted_grid(f'"{name}"', len(puzzle.cells)):
        name = f'"{name}"'  # unquoted, it would be read as the solution
    return f"{puzzle.line}{f' {name}' if name else ''}{f' # {comment}' if comment else ''}"


def _is_quoted_grid(name: str, length: int) -> bool:
    is_quoted = len(name) == length + 2 and name[0] == name[-1] == '"'
    return is_quoted and symbols.decode(name[1:-1], math.isqrt(length)) is not None


FORMAT = Format(
    "line", "one puzzle per line, one character per cell", (".txt", ".sudoku"), read, write, has_placeholders=True
)
