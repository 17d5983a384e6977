"""SimpleSudoku: rows with bars between boxes, and lines of dashes between bands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sudokulab.formats import grid
from sudokulab.formats.base import Format
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT"]


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write grids with bars and dashes but without spaces, separated by blank lines."""
    for number, puzzle in enumerate(puzzles):
        if number:
            stream.write("\n")
        text, size, box = puzzle.line, puzzle.size, puzzle.box
        for row in range(size):
            if row and row % box.rows == 0:
                stream.write("-" * (size + box.rows - 1) + "\n")
            chars = text[row * size : (row + 1) * size]
            stream.write("|".join(chars[col : col + box.cols] for col in range(0, size, box.cols)) + "\n")


FORMAT = Format("ss", "SimpleSudoku puzzle", (".ss",), grid.read, write)
