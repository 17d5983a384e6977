"""Pictures of a step: the board before it with its candidates, the pattern, its links, and what the step changes.

The pictures are readable without colour:

- Candidates of the pattern lie on a disc; fins are ringed. Eliminated candidates are struck through. Placed digits are
  bold; where links end in the cell, a placed digit is white on a dark disc instead.
- Pattern cells and units are shaded, from dark to light: cells of the pattern, base units, cover units.
- Sets of cells, and the colours of colouring, have letters and four alternating styles: light, outlined, dark, dashed.
- Links are arrows. Strong links are solid and thick, weak links are dashed and thin.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudokulab.drawing import (
    CELL,
    Circle,
    Line,
    Picture,
    Rect,
    Shape,
    Text,
    corner,
    digit_in,
    grid_picture,
    to_svg,
)
from sudokulab.drawing.arrows import ArrowLayout
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.formats.symbols import alphabet
from sudokulab.logic.hints import Explanation
from sudokulab.logic.sentences import conclude, describe
from sudokulab.logic.steps import Candidate, Link, Step, cells_of_unit, deduce
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    from rich.text import Text as Styled

__all__ = [
    "MAX_LINKS",
    "draw_step",
    "picture_at",
    "picture_of_pattern",
    "picture_of_step",
    "shown_links",
    "svg_of_step",
]

MAX_LINKS = 40
"""A picture shows at most this many links. Of larger steps, it shows the shortest branch; see `shown_links`."""

_COVER = "#f2f5f9"
_BASE = "#e3eaf3"
_PATTERN = "#d2e0f0"
_DISC = "#a6c8ec"
_LIGHT = "#c3daf2"
_DARK = "#7fa6d1"
_EDGE = "#1f3f66"
_OPEN = "#555"
_PLACED = "#1b6e3c"
_GONE = "#b3261e"


class _Style(NamedTuple):
    """How to mark the cells of a set or the candidates of a colour."""

    fill: str
    has_border: bool = False
    is_dashed: bool = False


_STYLES = (_Style(_LIGHT), _Style("white", True), _Style(_DARK), _Style("white", True, True))


def svg_of_step(explanation: Explanation, number: int = 0) -> str:
    """Draw a step of an explanation as an SVG document; without steps, draw only the grid."""
    return to_svg(picture_at(explanation, number))


def picture_at(explanation: Explanation, number: int = 0, *, is_brief: bool = False) -> Picture:
    """Draw a step of an explanation as a picture, see `picture_of_step`; without steps, draw only the grid."""
    board, candidates, step = _moment(explanation, number)
    if step is not None:
        return picture_of_step(step, board, candidates, givens=explanation.puzzle, is_brief=is_brief)
    sentence = explanation.sentences[-1]
    return _Scene(board, candidates, explanation.puzzle, None).picture(sentence)


def picture_of_step(
    step: Step,
    board: PuzzleLike,
    candidates: NDArray[np.bool_] | None = None,
    *,
    givens: PuzzleLike | None = None,
    is_brief: bool = False,
) -> Picture:
    """Draw a step as a picture.

    Parameters
    ----------
    step
        The step.
    board
        The puzzle before the step: the givens and the digits placed so far.
    candidates
        The candidates before the step, of shape (size, size, size), indexed by ``[row, col, digit - 1]``. By default,
        those left by the digits of the board.
    givens
        The original puzzle, whose digits are bold. By default, all digits of the board are.
    is_brief
        Whether to leave out the candidates outside the cells and units of the pattern.

    Examples
    --------
    >>> from sudokulab import logic, parse
    >>> board = parse("1.....3..4.....2")
    >>> picture_of_step(logic.steps(board, "naked-single")[0], board).title
    'Naked single: r1c4 can only be 4, because 1, 2 and 3 occur in its row, column or box.'
    """
    board = as_puzzle(board)
    givens = board if givens is None else as_puzzle(givens, board.box)
    if candidates is None:
        candidates = deduce(board, []).candidates
    if is_brief:
        cells = {*step.cells, *(cell for unit in step.units for cell in cells_of_unit(unit, board.box))}
        candidates = candidates.copy()
        candidates.reshape(-1, board.size)[[cell for cell in range(board.size**2) if cell not in cells]] = False
    return _Scene(board, candidates, givens, step).picture(describe(step, board))


def picture_of_pattern(step: Step) -> Picture:
    """Draw only the candidates and units of a step, without the board."""
    board = Puzzle.empty(step.box)
    candidates = np.zeros((board.size,) * 3, bool)
    ends = (end for link in shown_links(step) for end in (link.start, link.end))
    for cell, digit in chain(step.candidates, step.fins, step.eliminations, step.placements, ends, *step.nodes):
        candidates[*divmod(cell, board.size), digit - 1] = True
    return _Scene(board, candidates, board, step).picture(conclude(step))


def shown_links(step: Step) -> tuple[Link, ...]:
    """Return the links that a picture shows.

    All links if there are at most `MAX_LINKS`. Otherwise the shortest branch: the links from an assumption to the
    conclusion, or, if the chain ends in a contradiction, to a candidate that becomes both true and false.
    """
    if len(step.links) <= MAX_LINKS:
        return step.links
    by_premise: dict[tuple[Candidate, bool], list[Link]] = {}
    for link in step.links:
        by_premise.setdefault((link.start, not link.is_strong), []).append(link)
    ends = {(link.end, link.is_strong) for link in step.links}
    targets = {(candidate, False) for candidate in step.eliminations} | {
        (candidate, True) for candidate in step.placements
    }
    targets = targets & ends or {(end, value) for end, value in ends if (end, not value) in ends}
    ways: deque[tuple[Link, ...]] = deque()
    for premise, links in by_premise.items():
        if premise not in ends:
            ways.extend((link,) for link in links)
    seen = set()
    while ways:
        way = ways.popleft()
        reached = way[-1].end, way[-1].is_strong
        if reached in targets:
            return way[:MAX_LINKS]
        if reached not in seen:
            seen.add(reached)
            ways.extend((*way, link) for link in by_premise.get(reached, ()))
    return ()


class _Scene:
    """A board before a step."""

    def __init__(self, board: Puzzle, candidates: NDArray[np.bool_], givens: Puzzle, step: Step | None) -> None:
        self.board, self.givens, self.step = board, givens, step
        self.size = board.size
        self.columns = math.ceil(math.sqrt(self.size))
        self.pitch = CELL / self.columns
        self.placed = dict(step.placements) if step else {}
        self.links = shown_links(step) if step else ()
        self.has_large_digits = not self.links  # links lead to candidates
        digits_of = candidates.reshape(self.size**2, self.size)
        self.open = [
            (cell, digit)
            for cell in range(self.size**2)
            if not board.cells[cell] and not (cell in self.placed and self.has_large_digits)
            for digit in (np.flatnonzero(digits_of[cell]) + 1).tolist()
        ]

    def picture(self, title: str) -> Picture:
        below = [*self._units(), *self._cells()] if self.step else []
        marks = [*self._discs(), *self._arrows()] if self.step else []
        shapes = [*marks, *self._digits(), *self._labels()]
        return grid_picture(self.board.box, shapes, title, below=below, has_names=True)

    def spot(self, candidate: Candidate) -> tuple[float, float]:
        """Return the middle of a candidate."""
        cell, digit = candidate
        x, y = corner(cell, self.size)
        row, column = divmod(digit - 1, self.columns)
        top = (CELL - math.ceil(self.size / self.columns) * self.pitch) / 2
        return x + (column + 0.5) * self.pitch, y + top + (row + 0.5) * self.pitch

    @property
    def _nodes(self) -> Sequence[Sequence[Candidate]]:
        """The colours or sets of the step."""
        return self.step.nodes if self.step and not self.step.is_chain else ()

    @property
    def _is_coloured(self) -> bool:
        return self.step is not None and self.step.technique.family == "colouring"

    def _units(self) -> Iterator[Shape]:
        step = self.step
        assert step is not None
        units = step.units
        if step.links and step.technique.family != "forcing-chains":  # links show the lines, too
            units = tuple(unit for unit in units if unit.startswith("box"))
        has_cover = step.technique.family in ("fish", "locked-candidates")
        half = len(units) // 2 if has_cover else len(units)
        base, cover = (
            {cell for unit in part for cell in cells_of_unit(unit, self.board.box)}
            for part in (units[:half], units[half:])
        )
        for cell in sorted(base | cover):
            yield self._shaded(cell, _BASE if cell in base else _COVER)

    def _shaded(self, cell: int, fill: str) -> Rect:
        return Rect(*corner(cell, self.size), CELL, CELL, fill)

    def _cells(self) -> Iterator[Shape]:
        assert self.step is not None
        in_sets = {cell for node in self._nodes for cell, _ in node}
        if self._is_coloured:
            return
        for cell in self.step.cells:
            if cell not in in_sets:
                yield self._shaded(cell, _PATTERN)
        inset = CELL * 0.06
        for number, node in enumerate(self._nodes):
            style = _STYLES[number % len(_STYLES)]
            for cell in dict.fromkeys(cell for cell, _ in node):
                x, y = corner(cell, self.size)
                if not style.has_border:
                    yield self._shaded(cell, style.fill)
                    continue
                side = CELL - 2 * inset
                yield Rect(x + inset, y + inset, side, side, "none", CELL * 0.045, _EDGE, style.is_dashed)

    def _discs(self) -> Iterator[Shape]:
        step = self.step
        assert step is not None
        shown, radius, border = set(self.open), self.pitch * 0.45, self.pitch * 0.08
        styles: dict[Candidate, _Style] = {}
        if self._nodes and not self._is_coloured:
            linked = {digit for link in step.links for _, digit in (link.start, link.end)}
            named = linked | {digit for _, digit in step.eliminations}
            in_sets = {candidate for node in self._nodes for candidate in node}
            marked = [own for own in (*in_sets, *step.candidates) if own not in in_sets or own[1] in named]
        else:
            marked = [*step.candidates, *(candidate for node in step.nodes for candidate in node)]
        styles |= dict.fromkeys(marked, _Style(_DISC))
        for link in self.links:
            styles |= dict.fromkeys((link.start, link.end), _Style(_DISC))
        for number, node in enumerate(self._nodes if self._is_coloured else ()):
            styles |= dict.fromkeys(node, _STYLES[number % len(_STYLES)])
        styles |= dict.fromkeys(step.fins, _Style("white", True))
        styles |= dict.fromkeys(step.placements, _Style(_PLACED))
        for candidate, style in styles.items():
            if candidate in shown:
                width = border if style.has_border else 0
                yield Circle(*self.spot(candidate), radius, style.fill, width, _EDGE, style.is_dashed)
        for node in step.nodes if step.is_chain else ():
            if len(node) > 1:
                yield self._group(node)

    def _group(self, node: Sequence[Candidate]) -> Rect:
        """Return a frame around the candidates of a group."""
        spots = [self.spot(candidate) for candidate in node]
        left, right = min(x for x, _ in spots), max(x for x, _ in spots)
        top, bottom = min(y for _, y in spots), max(y for _, y in spots)
        reach = self.pitch * 0.5
        return Rect(
            left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach, "none", reach * 0.14, _EDGE
        )

    def _arrows(self) -> Iterator[Shape]:
        step = self.step
        assert step is not None
        obstacles = [*map(self.spot, self.open), *self._large_digits()]
        layout = ArrowLayout(obstacles, self.size, self.pitch, not self._is_coloured)
        has_nodes = step.is_chain and len(step.nodes) == len(self.links) + 1
        for number, link in enumerate(self.links):
            starts, ends = [link.start], [link.end]
            if has_nodes:
                starts, ends = list(step.nodes[number]), list(step.nodes[number + 1])
            pairs = [(self.spot(start), self.spot(end)) for start in starts for end in ends]
            start, end = min(pairs, key=lambda pair: math.dist(*pair))
            if start != end:
                yield layout.arrow(start, end, link.is_strong)

    def _large_digits(self) -> Iterator[tuple[float, float]]:
        """Yield points that large digits cover."""
        for cell in (cell for cell, digit in enumerate(self.board.cells) if digit):
            x, y = corner(cell, self.size)
            for height in (0.35, 0.5, 0.65):
                yield x + CELL / 2, y + CELL * height

    def _labels(self) -> Iterator[Shape]:
        letters: dict[int, str] = {}
        for number, node in enumerate(self._nodes):
            for cell in dict.fromkeys(cell for cell, _ in node):
                letters[cell] = letters.get(cell, "") + chr(ord("A") + number % 26)
        size, shown = self.pitch * 0.6, set(self.open)
        for cell, label in letters.items():
            free = [digit for digit in range(1, self.size + 1) if (cell, digit) not in shown]
            x, y = self.spot((cell, free[0])) if free else corner(cell, self.size)
            width, height = size * (0.75 * len(label) + 0.25), size * 1.1
            x, y = max(x - width / 2, corner(cell, self.size)[0]), y - height / 2
            yield Rect(x, y, width, height, _EDGE)
            yield Text(x + width / 2, y + height * 0.84, size, label, "white", is_bold=True)

    def _digits(self) -> Iterator[Shape]:
        symbols = alphabet(self.size)
        gone = set(self.step.eliminations) if self.step else set()
        marked = set(self.step.candidates) if self.step else set()
        for cell, digit in enumerate(self.board.cells):
            if digit:
                yield digit_in(cell, self.size, digit, "black", is_bold=bool(self.givens.cells[cell]))
            elif cell in self.placed and self.has_large_digits:
                yield digit_in(cell, self.size, self.placed[cell], _PLACED, is_bold=True)
        for cell, digit in self.open:
            (x, y), size = self.spot((cell, digit)), self.pitch * 0.75
            is_placed = self.placed.get(cell) == digit
            is_marked = (cell, digit) in marked
            colour = "white" if is_placed else _GONE if (cell, digit) in gone else "black" if is_marked else _OPEN
            yield Text(x, y + size * 0.36, size, symbols[digit - 1], colour, is_bold=is_placed)
        for candidate in (candidate for candidate in self.open if candidate in gone):
            (x, y), half = self.spot(candidate), self.pitch * 0.4
            yield Line(x - half, y + half, x + half, y - half, self.pitch * 0.13, _GONE)


def _moment(explanation: Explanation, number: int) -> tuple[Puzzle, NDArray[np.bool_], Step | None]:
    """Return the board and the candidates before a step, and the step."""
    step = explanation.steps[number] if number < len(explanation.steps) else None
    return explanation.filled(number), explanation.states[min(number, len(explanation.states) - 1)], step


def draw_step(explanation: Explanation, number: int = 0) -> Styled:
    """Draw a step for the terminal.

    Marks after a candidate show, even without colours: ``*`` a candidate of the pattern, ``~`` a fin, ``+`` a placed
    digit and ``-`` an eliminated candidate.
    """
    board, candidates, step = _moment(explanation, number)
    size, box = board.size, board.box
    symbols, marks = alphabet(size), _marks(step)
    givens = explanation.puzzle.cells
    pattern = set(step.cells) if step else set()

    def parts(cell: int) -> list[tuple[str, str]]:
        if digit := board.cells[cell]:
            return [(symbols[digit - 1], "bold" if givens[cell] else "cyan")]
        base = "black on bright_cyan" if cell in pattern else "dim"
        digits = (np.flatnonzero(candidates[cell // size, cell % size]) + 1).tolist()
        return [
            (symbols[digit - 1] + marks.get((cell, digit), ""), _MARK_STYLES.get(marks.get((cell, digit), ""), base))
            for digit in digits
        ]

    cells = [parts(cell) for cell in range(size**2)]
    widths = [max(sum(len(text) for text, _ in cells[row * size + col]) for row in range(size)) for col in range(size)]
    from rich.text import Text as Styled

    drawn = Styled(no_wrap=True)
    for row in range(size):
        if row and row % box.rows == 0:
            stacks = [widths[left : left + box.cols] for left in range(0, size, box.cols)]
            drawn.append("─┼─".join("─" * (sum(stack) + box.cols - 1) for stack in stacks) + "\n", style="dim")
        for col in range(size):
            if col:
                drawn.append(" │ " if col % box.cols == 0 else " ", style="dim")
            for text, style in cells[row * size + col]:
                drawn.append(text, style=style)
            drawn.append(" " * (widths[col] - sum(len(text) for text, _ in cells[row * size + col])))
        drawn.append("\n")
    return drawn


_MARK_STYLES = {
    "*": "bold black on bright_cyan",
    "~": "bold black on bright_yellow",
    "+": "bold green underline",
    "-": "red strike",
}


def _marks(step: Step | None) -> dict[Candidate, str]:
    """Return the mark after each candidate. A later mark replaces an earlier one."""
    if step is None:
        return {}
    parts = {"*": step.candidates, "~": step.fins, "-": step.eliminations, "+": step.placements}
    return {candidate: mark for mark, candidates in parts.items() for candidate in candidates}
