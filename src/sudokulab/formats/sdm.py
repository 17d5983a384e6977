"""SadMan collections: one puzzle a line with ``0`` for a blank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sudokulab.formats import line
from sudokulab.formats.base import Format, blank_as_zero
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT"]


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write one line a puzzle."""
    for puzzle in puzzles:
        stream.write(f"{blank_as_zero(puzzle)}{line.write_line(puzzle)[len(puzzle.cells) :]}\n")


FORMAT = Format("sdm", "SadMan collection, one puzzle a line", (".sdm",), line.read, write)
