"""Draw grids for the terminal and as SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from html import escape
from typing import TYPE_CHECKING

from sudokulab.formats import symbols
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import BoxShape, Puzzle

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["SVG_CELL", "draw", "svg", "svg_corner", "svg_digit", "svg_document", "svg_text"]

_GIVEN = "bold"
_FOUND = "cyan"
_CLASH = "bold red"
_BLANK = "dim"
_FRAME = "dim"

SVG_CELL = 54
"""The side length of a cell in an SVG."""
_SVG_MARGIN = 24
_SVG_FOUND = "#2f6db0"


def draw(puzzle: PuzzleLike, solution: PuzzleLike | None = None, clashes: Collection[int] = ()) -> Text:
    """Draw a puzzle in a frame: givens bold, solution digits coloured, clashing cells red."""
    puzzle, solution = _as_puzzles(puzzle, solution)
    box, size = puzzle.box, puzzle.size
    cells = solution.cells if solution else puzzle.cells
    chars = symbols.encode(cells, size)
    from rich.text import Text

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
    puzzle, solution = _as_puzzles(puzzle, solution)
    size = puzzle.size
    digits = []
    for cell, given in enumerate(puzzle.cells):
        if given:
            digits.append(svg_digit(cell, size, given, "black", bold=True))
        elif solution is not None and solution.cells[cell]:
            digits.append(svg_digit(cell, size, solution.cells[cell], _SVG_FOUND))
    return svg_document(puzzle.box, puzzle.name or f"Sudoku {size}×{size}", digits)


def svg_document(box: BoxShape, title: str, parts: Iterable[str], *, has_names: bool = False) -> str:
    """Wrap SVG elements in a document with grid lines and, optionally, row and column names."""
    side = box.size * SVG_CELL
    start, end, width = _SVG_MARGIN, _SVG_MARGIN + side, side + 2 * _SVG_MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width}" '
        'font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(one_line(title))}</title>",
        f'<rect width="{width}" height="{width}" fill="white"/>',
        *parts,
    ]
    for line in range(box.size + 1):
        at = start + line * SVG_CELL
        across, down = (3 if line % boxes == 0 else 1 for boxes in box)
        lines.append(f'<path d="M{start} {at}H{end}" stroke="black" stroke-width="{across}"/>')
        lines.append(f'<path d="M{at} {start}V{end}" stroke="black" stroke-width="{down}"/>')
    for line in range(box.size if has_names else 0):
        middle = start + (line + 0.5) * SVG_CELL
        lines.append(svg_text(middle, start - 8, 12, f"c{line + 1}", "#555"))
        lines.append(svg_text(start / 2, middle + 4, 12, f"r{line + 1}", "#555"))
    return "\n".join([*lines, "</svg>\n"])


def svg_corner(cell: int, size: int) -> tuple[int, int]:
    """Return the x and y coordinates of a cell's top left corner."""
    return _SVG_MARGIN + cell % size * SVG_CELL, _SVG_MARGIN + cell // size * SVG_CELL


def svg_digit(cell: int, size: int, digit: int, colour: str, *, bold: bool = False) -> str:
    """Draw a digit that fills its cell."""
    x, y = svg_corner(cell, size)
    symbol = symbols.alphabet(size)[digit - 1]
    return svg_text(x + SVG_CELL / 2, y + SVG_CELL * 0.7, SVG_CELL * 0.6, symbol, colour, bold=bold)


def svg_text(x: float, y: float, size: float, text: str, colour: str, *, bold: bool = False) -> str:
    """Draw text centred on x, with its baseline at y."""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{colour}"{weight}>{escape(text)}</text>'
