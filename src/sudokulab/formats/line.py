"""One puzzle a line, one character a cell; a name and, behind ``#``, a comment may follow.

::

    # a comment line
    4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4...... Norvig's first # hard
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats import symbols
from sudokulab.formats.base import Format, Record, Text, comment_of, one_line
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT"]

_NUMBER_SIGN = "\uff03"  # for the # in a name, which would begin the comment
_SPLIT = re.compile(r"(\s*)([^\s,;:|#]*)[\s,;:|]*([^#]*)(?:#(.*))?", re.DOTALL)


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each line that is neither empty nor a comment."""
    for line in text:
        if line.strip() and not line.lstrip().startswith("#"):
            yield read_line(text, line)


def read_line(text: Text, line: str) -> Record:
    """Read one line; the text says where it stands."""
    match = _SPLIT.fullmatch(line)
    assert match is not None, "the pattern takes any line"
    indent, puzzle, name, comment = match.groups(default="")
    cells = text.cells(puzzle, column=len(indent) + 1)
    if isinstance(cells, FormatError):
        return cells
    name, solution = name.strip(), None
    if len(name) == len(puzzle) and symbols.decode(name, math.isqrt(len(puzzle))) is not None:
        # a second grid on the line is the solution, or one puzzle too many
        column = line.index(name, len(indent) + len(puzzle)) + 1
        both = puzzle + name
        cells, second = text.cells(puzzle, like=both), text.cells(name, like=both, column=column)
        if isinstance(cells, FormatError):
            return cells
        if isinstance(second, FormatError):
            return second
        if 0 in second:
            return text.error("a second puzzle on the line", "a name, or the solution", column=column)
        name, solution = "", second
    elif _is_quoted_grid(name, len(puzzle)):
        name = name[1:-1]
    return text.puzzle(cells, name=name, comment=comment.strip(), solution=solution, column=len(indent) + 1)


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write one line a puzzle."""
    for puzzle in puzzles:
        stream.write(f"{write_line(puzzle)}\n")


def write_line(puzzle: Puzzle) -> str:
    """Return the line of a puzzle, without its end."""
    name, comment = one_line(puzzle.name).replace("#", _NUMBER_SIGN), comment_of(puzzle)
    if _is_quoted_grid(f'"{name}"', len(puzzle.cells)):
        name = f'"{name}"'  # otherwise it would be the solution
    return f"{puzzle.line}{f' {name}' if name else ''}{f' # {comment}' if comment else ''}"


def _is_quoted_grid(name: str, length: int) -> bool:
    is_quoted = len(name) == length + 2 and name[0] == name[-1] == '"'
    return is_quoted and symbols.decode(name[1:-1], math.isqrt(length)) is not None


FORMAT = Format("line", "one puzzle a line, one character a cell", (".txt", ".sudoku"), read, write)
