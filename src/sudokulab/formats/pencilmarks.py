"""Recognise and refuse 9×9 puzzles given by their candidates, wrapped as one cell or one row of cells per line.

A pencilmark puzzle on one line, or on 27 lines, has the shape of a 27×27 grid, and is refused by `Text`. One on 81 or 9
lines has the shape of nine 9×9 puzzles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import TextIO

from sudokulab.formats import grid, line, symbols
from sudokulab.formats.base import Format, Record, Text
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT", "is_wrapped"]


def is_wrapped(text: Text) -> bool:
    """Return whether a text begins with a wrapped pencilmark puzzle, unless the user asked for a box shape."""
    return _num_lines(text) > 0


def read(text: Text) -> Iterator[Record]:
    """Refuse the pencilmark puzzles, and read what follows them as grids or lines."""
    follower = line.FORMAT
    while num_lines := _num_lines(text):
        follower = grid.FORMAT if num_lines == 81 else line.FORMAT
        first, *_ = [text.line for _ in islice(filter(_is_content, text), num_lines)]
        advice = "use one symbol per cell, or box 3x3 for nine 9×9 grids"
        yield text.error(f"found {symbols.PENCILMARKS}", advice, line=first)
    if any(map(_is_content, text.peek())):
        yield from follower.read(text)


def _num_lines(text: Text) -> int:
    """Return the number of lines of the pencilmark puzzle at the beginning of a text, 0 if there is none."""
    if text.box is not None:
        return 0
    rows = list(islice(takewhile(symbols.is_candidates, filter(_is_content, text.peek())), 81))
    for num_lines in (81, 9):
        chosen = rows[:num_lines]
        # with more than 81 digits, one of nine 9×9 puzzles would repeat one in a column
        if {len(row) * num_lines for row in chosen} == {729} and symbols.is_pencilmarks("".join(chosen), min_digits=82):
            return num_lines
    return 0


def _is_content(row: str) -> bool:
    return bool(row.strip()) and not row.startswith("#")


def _write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    raise NotImplementedError


FORMAT = Format("pencilmarks", symbols.PENCILMARKS, (), read, _write)
"""Not among the formats to choose from: only the result of detection."""
