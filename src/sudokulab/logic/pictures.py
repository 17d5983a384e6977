"""A step as a picture: the grid with its candidates, the pattern marked, what is placed and what goes.

Colours are told apart by lightness as well: the pattern is a light fill, a placed digit is bold, a candidate that goes
is struck through.
"""

from __future__ import annotations

import math
from html import escape

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from sudokulab.logic.hints import Explanation
from sudokulab.puzzle import Puzzle
from sudokulab.rules import Step
from sudokulab.symbols import alphabet

__all__ = ["draw_step", "svg_of_step"]

_CELL = 54  # the side of a cell in an SVG
_MARGIN = 24
_PATTERN = "#cfe3f7"
_PLACED = "#1b6e3c"
_GONE = "#b3261e"


def svg_of_step(explanation: Explanation, number: int = 0) -> str:
    """Draw a step of an explanation, or without any step its grid, as an SVG document."""
    puzzle, filled = explanation.puzzle, explanation.filled(number)
    state = explanation.states[min(number, len(explanation.states) - 1)]
    step = explanation.steps[number] if number < len(explanation.steps) else None
    size, box = puzzle.size, puzzle.box
    side = size * _CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side + 2 * _MARGIN} {side + 2 * _MARGIN}" '
        'font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(explanation.sentences[min(number, len(explanation.sentences) - 1)])}</title>",
        f'<rect width="{side + 2 * _MARGIN}" height="{side + 2 * _MARGIN}" fill="white"/>',
    ]
    for cell in step.cells if step else ():
        x, y = _corner(cell, size)
        parts.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{_PATTERN}"/>')
    for cell in range(size * size):
        parts += _svg_cell(puzzle, filled, state, step, cell)
    for line in range(size + 1):
        at = _MARGIN + line * _CELL
        across, down = (3 if line % width == 0 else 1 for width in (box.rows, box.cols))
        end = _MARGIN + side
        parts.append(f'<path d="M{_MARGIN} {at}H{end}" stroke="black" stroke-width="{across}"/>')
        parts.append(f'<path d="M{at} {_MARGIN}V{end}" stroke="black" stroke-width="{down}"/>')
    for line in range(size):
        middle = _MARGIN + (line + 0.5) * _CELL
        parts.append(f'<text x="{middle}" y="{_MARGIN - 8}" font-size="12" fill="#555">c{line + 1}</text>')
        parts.append(f'<text x="{_MARGIN / 2}" y="{middle + 4}" font-size="12" fill="#555">r{line + 1}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _corner(cell: int, size: int) -> tuple[int, int]:
    return _MARGIN + cell % size * _CELL, _MARGIN + cell // size * _CELL


def _svg_cell(puzzle: Puzzle, filled: Puzzle, state: NDArray[np.bool_], step: Step | None, cell: int) -> list[str]:
    size = puzzle.size
    x, y = _corner(cell, size)
    digits = np.flatnonzero(state[cell // size, cell % size]) + 1
    placed = dict(step.placements) if step else {}
    gone = set(step.eliminations) if step else set()
    symbols = alphabet(size)
    is_given = bool(puzzle.cells[cell])
    if cell in placed:
        return [_svg_text(x + _CELL / 2, y + _CELL * 0.7, _CELL * 0.6, symbols[placed[cell] - 1], _PLACED, bold=True)]
    if digit := filled.cells[cell]:
        return [_svg_text(x + _CELL / 2, y + _CELL * 0.7, _CELL * 0.6, symbols[digit - 1], "black", bold=is_given)]
    columns = math.ceil(math.sqrt(size))
    pitch = _CELL / columns
    marks = []
    for digit in digits.tolist():
        row, col = divmod(digit - 1, columns)
        cx, cy = x + (col + 0.5) * pitch, y + (row + 0.75) * pitch
        is_gone = (cell, digit) in gone
        marks.append(_svg_text(cx, cy, pitch * 0.75, symbols[digit - 1], _GONE if is_gone else "#555"))
        if is_gone:
            half, middle = pitch * 0.35, cy - pitch * 0.26
            line = f"M{cx - half:.1f} {middle + half:.1f}L{cx + half:.1f} {middle - half:.1f}"
            marks.append(f'<path d="{line}" stroke="{_GONE}" stroke-width="1.5"/>')
    return marks


def _svg_text(x: float, y: float, size: float, text: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{colour}"{weight}>{escape(text)}</text>'


def draw_step(explanation: Explanation, number: int = 0) -> Text:
    """Draw a step for the terminal: givens bold, the pattern on a bright ground, what goes struck through."""
    puzzle, filled = explanation.puzzle, explanation.filled(number)
    state = explanation.states[min(number, len(explanation.states) - 1)]
    step = explanation.steps[number] if number < len(explanation.steps) else None
    size, box = puzzle.size, puzzle.box
    width = int(state.sum(axis=2).max())
    placed = dict(step.placements) if step else {}
    gone = set(step.eliminations) if step else set()
    pattern = set(step.cells) if step else set()
    symbols = alphabet(size)
    text = Text(no_wrap=True)
    for row in range(size):
        if row and row % box.rows == 0:
            text.append("─┼─".join("─" * (box.cols * (width + 1) - 1) for _ in range(box.rows)) + "\n", style="dim")
        for col in range(size):
            cell = row * size + col
            if col:
                text.append(" │ " if col % box.cols == 0 else " ", style="dim")
            is_open = filled.cells[cell] == 0
            digits = (np.flatnonzero(state[row, col]) + 1).tolist() if is_open else [filled.cells[cell]]
            base = "black on bright_cyan" if cell in pattern else "dim" if is_open else "cyan"
            base = "bold" if puzzle.cells[cell] else base
            for digit in digits:
                style = base
                if placed.get(cell) == digit:
                    style = "bold green underline"
                elif (cell, digit) in gone or (cell in placed and placed[cell] != digit):
                    style = "red strike"
                text.append(symbols[digit - 1], style=style)
            text.append(" " * (width - len(digits)))
        text.append("\n")
    return text
