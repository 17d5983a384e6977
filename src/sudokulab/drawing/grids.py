"""Draw grids for the terminal and as pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from sudokulab.drawing.shapes import Line, Picture, Shape, Text, to_svg
from sudokulab.formats import symbols
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import BoxShape, Puzzle

if TYPE_CHECKING:
    from rich.text import Text as Styled

__all__ = ["CELL", "MARGIN", "corner", "digit_in", "draw", "grid_picture", "picture_of", "svg"]

_GIVEN = "bold"
_FOUND = "cyan"
_CLASH = "bold red"
_BLANK = "dim"
_FRAME = "dim"

CELL = 54
"""The side length of a cell in a picture."""
MARGIN = 24
"""The margin around the grid, which has room for the names of rows and columns."""
_SOLVED = "#2f6db0"
_NAMES = "#555"


def draw(puzzle: PuzzleLike, solution: PuzzleLike | None = None, clashes: Collection[int] = ()) -> Styled:
    """Draw a puzzle in a frame: givens bold, solution digits coloured, clashing cells red."""
    puzzle, solution = _as_puzzles(puzzle, solution)
    box, size = puzzle.box, puzzle.size
    cells = solution.cells if solution else puzzle.cells
    chars = symbols.encode(cells, size)
    from rich.text import Text as Styled

    text = Styled(no_wrap=True)

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


def _as_puzzles(puzzle: PuzzleLike, solution: PuzzleLike | None) -> tuple[Puzzle, Puzzle | None]:
    puzzle = as_puzzle(puzzle)
    return puzzle, None if solution is None else as_puzzle(solution, puzzle.box)


def _style(puzzle: Puzzle, cells: bytes, cell: int, clashes: Collection[int]) -> str:
    if cell in clashes:
        return _CLASH
    if puzzle.cells[cell]:
        return _GIVEN
    return _FOUND if cells[cell] else _BLANK


def svg(puzzle: PuzzleLike, solution: PuzzleLike | None = None) -> str:
    """Draw a puzzle as an SVG document: givens bold and black, other digits of the solution thin and blue.

    Examples
    --------
    >>> svg("1.....3..4.....2").splitlines()[1]
    '<title>Sudoku 4×4</title>'
    """
    return to_svg(picture_of(puzzle, solution))


def picture_of(puzzle: PuzzleLike, solution: PuzzleLike | None = None) -> Picture:
    """Draw a puzzle and optionally its solution, as `svg` does, as a picture."""
    puzzle, solution = _as_puzzles(puzzle, solution)
    size = puzzle.size
    digits = []
    for cell, given in enumerate(puzzle.cells):
        if given:
            digits.append(digit_in(cell, size, given, "black", is_bold=True))
        elif solution is not None and solution.cells[cell]:
            digits.append(digit_in(cell, size, solution.cells[cell], _SOLVED))
    return grid_picture(puzzle.box, digits, puzzle.name or f"Sudoku {size}×{size}")


def grid_picture(
    box: BoxShape, shapes: Iterable[Shape], title: str, *, below: Iterable[Shape] = (), has_names: bool = False
) -> Picture:
    """Return a picture of shapes in their cells, in a grid.

    Parameters
    ----------
    box
        The box shape.
    shapes
        Shapes above the lines of the grid.
    title
        What the picture shows.
    below
        Shapes below the lines of the grid.
    has_names
        Whether to write the names of rows and columns in the margin.
    """
    side = box.size * CELL
    start, end, width = MARGIN, MARGIN + side, side + 2 * MARGIN
    parts = list(below)
    for line in range(box.size + 1):
        at = start + line * CELL
        across, down = (3 if line % boxes == 0 else 1 for boxes in box)
        parts += [Line(start, at, end, at, across), Line(at, start, at, end, down)]
    parts += shapes
    for line in range(box.size if has_names else 0):
        middle = start + (line + 0.5) * CELL
        parts.append(Text(middle, start - 8, 12, f"c{line + 1}", _NAMES))
        parts.append(Text(start / 2, middle + 4, 12, f"r{line + 1}", _NAMES))
    return Picture(width, width, parts, title)


def corner(cell: int, size: int) -> tuple[int, int]:
    """Return the x and y coordinates of a cell's top left corner."""
    return MARGIN + cell % size * CELL, MARGIN + cell // size * CELL


def digit_in(cell: int, size: int, digit: int, colour: str, *, is_bold: bool = False) -> Text:
    """Return a digit that fills its cell."""
    x, y = corner(cell, size)
    symbol = symbols.alphabet(size)[digit - 1]
    return Text(x + CELL / 2, y + CELL * 0.7, CELL * 0.6, symbol, colour, is_bold)
