"""Grids for the terminal."""

from __future__ import annotations

from collections.abc import Collection

from rich.text import Text

from sudokulab import symbols
from sudokulab.puzzle import Puzzle

__all__ = ["draw"]

_GIVEN = "bold"
_FOUND = "cyan"
_CLASH = "bold red"
_BLANK = "dim"
_FRAME = "dim"


def draw(puzzle: Puzzle, solution: Puzzle | None = None, clashes: Collection[int] = ()) -> Text:
    """Draw a puzzle in a frame: givens bold, the digits of a solution coloured, clashing cells red."""
    box, size = puzzle.box, puzzle.size
    cells = solution.cells if solution else puzzle.cells
    chars = symbols.encode(cells, size)
    text = Text(no_wrap=True)

    def rule(left: str, middle: str, right: str) -> None:
        text.append(left + middle.join(["─" * (2 * box.cols + 1)] * box.rows) + right, style=_FRAME)

    rule("┌", "┬", "┐\n")
    for row in range(size):
        if row and row % box.rows == 0:
            rule("├", "┼", "┤\n")
        for col in range(size):
            cell = row * size + col
            text.append("│ " if col % box.cols == 0 else "", style=_FRAME)
            text.append(chars[cell], style=_style(puzzle, cells, cell, clashes))
            text.append(" ")
        text.append("│\n", style=_FRAME)
    rule("└", "┴", "┘")
    return text


def _style(puzzle: Puzzle, cells: bytes, cell: int, clashes: Collection[int]) -> str:
    if cell in clashes:
        return _CLASH
    if puzzle.cells[cell]:
        return _GIVEN
    return _FOUND if cells[cell] else _BLANK
