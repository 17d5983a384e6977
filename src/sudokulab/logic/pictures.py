"""Pictures of a step: the grid with its candidates, the highlighted pattern, placed digits and eliminated candidates.

The picture is readable without colour: the pattern has a light fill, a placed digit is bold, an eliminated candidate is
struck through.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudokulab.drawing import CELL, Line, Picture, Rect, Shape, Text, corner, digit_in, framed, to_svg
from sudokulab.formats.symbols import alphabet
from sudokulab.logic.hints import Explanation
from sudokulab.logic.steps import Step
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    from rich.text import Text as Styled

__all__ = ["draw_step", "picture_of_step", "svg_of_step"]

_PATTERN = "#cfe3f7"
_OPEN = "#555"
_PLACED = "#1b6e3c"
_GONE = "#b3261e"


def svg_of_step(explanation: Explanation, number: int = 0) -> str:
    """Draw a step of an explanation as an SVG document; without steps, draw only the grid."""
    return to_svg(picture_of_step(explanation, number))


def picture_of_step(explanation: Explanation, number: int = 0) -> Picture:
    """Draw a step of an explanation as a picture; without steps, draw only the grid."""
    puzzle, filled = explanation.puzzle, explanation.filled(number)
    state = explanation.states[min(number, len(explanation.states) - 1)]
    step = explanation.steps[number] if number < len(explanation.steps) else None
    shapes: list[Shape] = []
    for cell in step.cells if step else ():
        shapes.append(Rect(*corner(cell, puzzle.size), CELL, CELL, _PATTERN))
    for cell in range(len(puzzle.cells)):
        shapes += _cell(puzzle, filled, state, step, cell)
    sentence = explanation.sentences[min(number, len(explanation.sentences) - 1)]
    return framed(puzzle.box, shapes, sentence, has_names=True)


def _cell(puzzle: Puzzle, filled: Puzzle, state: NDArray[np.bool_], step: Step | None, cell: int) -> list[Shape]:
    size = puzzle.size
    placed = dict(step.placements) if step else {}
    gone = set(step.eliminations) if step else set()
    if cell in placed:
        return [digit_in(cell, size, placed[cell], _PLACED, is_bold=True)]
    if digit := filled.cells[cell]:
        return [digit_in(cell, size, digit, "black", is_bold=bool(puzzle.cells[cell]))]
    x, y = corner(cell, size)
    symbols = alphabet(size)
    columns = math.ceil(math.sqrt(size))
    pitch = CELL / columns
    marks: list[Shape] = []
    for digit in (np.flatnonzero(state[cell // size, cell % size]) + 1).tolist():
        row, col = divmod(digit - 1, columns)
        middle, base = x + (col + 0.5) * pitch, y + (row + 0.75) * pitch
        is_gone = (cell, digit) in gone
        marks.append(Text(middle, base, pitch * 0.75, symbols[digit - 1], _GONE if is_gone else _OPEN))
        if is_gone:
            half, height = pitch * 0.35, base - pitch * 0.26
            marks.append(Line(middle - half, height + half, middle + half, height - half, 1.5, _GONE))
    return marks


def draw_step(explanation: Explanation, number: int = 0) -> Styled:
    """Draw a step for the terminal: givens bold, the pattern on a bright background, eliminations struck through."""
    puzzle, filled = explanation.puzzle, explanation.filled(number)
    state = explanation.states[min(number, len(explanation.states) - 1)]
    step = explanation.steps[number] if number < len(explanation.steps) else None
    size, box = puzzle.size, puzzle.box
    width = int(state.sum(axis=2).max())
    placed = dict(step.placements) if step else {}
    gone = set(step.eliminations) if step else set()
    pattern = set(step.cells) if step else set()
    symbols = alphabet(size)
    from rich.text import Text as Styled

    text = Styled(no_wrap=True)
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
