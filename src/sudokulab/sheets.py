"""Sheets of puzzles to print, with titles, hints in words, and solutions at the end."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from sudokulab._internal.suggestions import unknown_name
from sudokulab.budget import Budget
from sudokulab.drawing import MARGIN, Picture, Shape, Text, picture_of, placed
from sudokulab.drawing.pages import checked_extension, write_pages
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle, is_single
from sudokulab.logic import explain, rate
from sudokulab.logic.techniques import LARGEST_SIZE
from sudokulab.puzzle import Puzzle
from sudokulab.solving import enumerate as enumerate_solutions

__all__ = ["PAPERS", "sheet"]

PAPERS = {"a3": (297.0, 420.0), "a4": (210.0, 297.0), "a5": (148.0, 210.0), "letter": (215.9, 279.4)}
"""Width and height of the paper sizes in millimetres."""

_MARGIN = 15.0  # mm, around the page
_HEADING = 6.0  # font sizes in mm
_CAPTION = 3.6
_CAPTION_HEIGHT = 1.5 * _CAPTION
_BODY = 3.4
_RATING_BUDGET = Budget(seconds=10)
_GAP = 6.0  # between two puzzles
_GREY = "#444"
_SOLUTIONS_PER_PUZZLE = 4  # as many solutions fit in the space of one puzzle
_Item = TypeVar("_Item")
_CHARACTER = 0.52  # mean width of a character, as a share of the font size


def sheet(
    puzzles: PuzzleLike | Iterable[PuzzleLike],
    output: str | Path,
    *,
    per_page: int = 6,
    paper: str = "a4",
    title: str = "",
    ratings: bool = True,
    solutions: bool = True,
    hints: int = 0,
) -> list[Path]:
    """Write puzzles as pages to print, and return the paths of the files.

    Parameters
    ----------
    puzzles
        A puzzle, or several, of any size.
    output
        Path of the file: ``.pdf``, ``.svg`` or ``.png``. SVG and PNG files are numbered if there are several pages.
    per_page
        Number of puzzles per page.
    paper
        Paper size: ``a3``, ``a4``, ``a5`` or ``letter``.
    title
        Heading of every page.
    ratings
        Whether to print HoDoKu's level and the rating of Sudoku Explainer above each puzzle.
    solutions
        Whether to print the solutions on pages at the end. Every puzzle must then have exactly one.
    hints
        Number of steps of each puzzle to explain in words, on pages before the solutions.

    Examples
    --------
    >>> sheet(generate(12), "sheet.pdf", title="Weekend", hints=2)  # doctest: +SKIP
    [PosixPath('sheet.pdf')]
    """
    checked_extension(output)  # before the puzzles are rated
    if per_page < 1:
        raise ParameterError(f"per_page: {per_page}, expected 1 or more")
    if hints < 0:
        raise ParameterError(f"hints: {hints}, expected 0 or more")
    if paper not in PAPERS:
        raise ParameterError(unknown_name("paper size", paper, PAPERS))
    several: Any = [puzzles] if is_single(puzzles) else as_many(cast("Iterable[PuzzleLike]", puzzles))
    chosen = [as_puzzle(puzzle) for puzzle in several]
    if not chosen:
        raise SudokulabError("no puzzles, expected at least one")
    layout = _Layout(*PAPERS[paper], title)
    captions = [_caption(number, puzzle, ratings) for number, puzzle in enumerate(chosen, start=1)]
    pages = list(layout.grids(zip(captions, map(picture_of, chosen), strict=True), per_page, ""))
    if hints:
        pages += layout.texts(_hints(chosen, hints), "Hints")
    if solutions:
        solved = ((str(number), _solution(number, puzzle)) for number, puzzle in enumerate(chosen, start=1))
        pages += layout.grids(solved, per_page * _SOLUTIONS_PER_PUZZLE, "Solutions")
    return write_pages(layout.numbered(pages), output)


def _caption(number: int, puzzle: Puzzle, has_rating: bool) -> str:
    name = one_line(puzzle.name or "")
    return " · ".join(filter(None, [str(number), name, *(_rating(puzzle) if has_rating else ())]))


def _rating(puzzle: Puzzle) -> Iterator[str]:
    """Yield HoDoKu's level and the rating of Sudoku Explainer, as far as they are known."""
    if puzzle.size > LARGEST_SIZE:
        return
    if level := rate(puzzle, scale="hodoku", budget=_RATING_BUDGET).level:
        yield level
    if er := rate(puzzle, scale="se", budget=_RATING_BUDGET).er:
        yield f"SE {er:.1f}"


def _solution(number: int, puzzle: Puzzle) -> Picture:
    found = [solution for solution, _ in zip(enumerate_solutions(puzzle), range(2), strict=False)]
    if len(found) != 1:
        what = "several solutions" if found else "no solution"
        name = f" ({one_line(puzzle.name)})" if puzzle.name else ""
        raise SudokulabError(f"puzzle {number}{name} has {what}, expected exactly one; print it without solutions")
    return picture_of(puzzle, found[0])


def _hints(puzzles: Sequence[Puzzle], number: int) -> Iterator[str]:
    """Yield the first steps of each puzzle, a paragraph per step."""
    for place, puzzle in enumerate(puzzles, start=1):
        for step, sentence in enumerate(explain(puzzle).sentences[:number], start=1):
            yield f"{place}.{step} {sentence}"


@dataclass(frozen=True)
class _Layout:
    """Page size in millimetres, and the heading of every page."""

    width: float
    height: float
    title: str

    def grids(self, items: Iterable[tuple[str, Picture]], per_page: int, heading: str) -> Iterator[Picture]:
        """Yield pages with captioned pictures, as large as the page allows."""
        all_items = list(items)
        top = self._top(heading)
        columns, side = self._columns(min(per_page, len(all_items)), top)
        step_x = side if columns == 1 else (self.width - 2 * _MARGIN - side) / (columns - 1)
        left = (self.width - side - (columns - 1) * step_x) / 2
        for batch in _batches(all_items, per_page):
            shapes = self._heading(heading)
            for place, (caption, picture) in enumerate(batch):
                row, column = divmod(place, columns)
                x, y = left + column * step_x, top + row * (side + _CAPTION_HEIGHT + _GAP)
                scale = side / (picture.width - 2 * MARGIN)
                shapes.append(Text(x, y + _CAPTION, _CAPTION, _shortened(caption, side), _GREY, anchor="start"))
                shapes += placed(picture, x - MARGIN * scale, y + _CAPTION_HEIGHT - MARGIN * scale, scale)
            yield Picture(self.width, self.height, shapes, self.title)

    def texts(self, paragraphs: Iterable[str], heading: str) -> Iterator[Picture]:
        """Yield pages with wrapped paragraphs."""
        width = int((self.width - 2 * _MARGIN) / (_BODY * _CHARACTER))
        lines = [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, width)]
        top, pitch = self._top(heading), 1.5 * _BODY
        for batch in _batches(lines, int((self.height - _MARGIN - top) / pitch)):
            shapes = self._heading(heading)
            for place, line in enumerate(batch, start=1):
                shapes.append(Text(_MARGIN, top + place * pitch, _BODY, line, anchor="start"))
            yield Picture(self.width, self.height, shapes, self.title)

    def numbered(self, pages: Sequence[Picture]) -> list[Picture]:
        """Return the pages with numbers at the bottom, unless there is only one."""
        if len(pages) == 1:
            return list(pages)
        y = self.height - _MARGIN / 2
        return [
            Picture(
                page.width, page.height, [*page.shapes, Text(page.width / 2, y, _BODY, str(number), _GREY)], page.title
            )
            for number, page in enumerate(pages, start=1)
        ]

    def _top(self, heading: str) -> float:
        return _MARGIN + (2 * _HEADING if heading or self.title else 0)

    def _heading(self, heading: str) -> list[Shape]:
        text = ": ".join(filter(None, [one_line(self.title), heading]))
        return [Text(self.width / 2, _MARGIN + _HEADING, _HEADING, text, is_bold=True)] if text else []

    def _columns(self, number: int, top: float) -> tuple[int, float]:
        """Return the number of columns that gives the largest grids, and the side of a grid."""

        def side(columns: int) -> float:
            rows = math.ceil(number / columns)
            wide = (self.width - 2 * _MARGIN - (columns - 1) * _GAP) / columns
            high = (self.height - _MARGIN - top - (rows - 1) * _GAP) / rows - _CAPTION_HEIGHT
            return min(wide, high)

        best = max(range(1, number + 1), key=side)
        return best, side(best)


def _batches(items: Sequence[_Item], number: int) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), number):
        yield items[start : start + number]


def _shortened(text: str, width: float) -> str:
    return textwrap.shorten(text, max(4, int(width / (_CAPTION * _CHARACTER))), placeholder="…")
