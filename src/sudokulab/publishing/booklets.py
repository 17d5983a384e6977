"""Booklets: a puzzle, a picture and a sentence for every step, and the solution."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from sudokulab._internal.arguments import checked_count, checked_text
from sudokulab.drawing import picture_of
from sudokulab.drawing.layout import Layout, Panel
from sudokulab.drawing.pages import checked_extension, write_pages
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import counted, one_line
from sudokulab.formats.coercion import PuzzleLike
from sudokulab.logic import Ending, Explanation, Step, explain
from sudokulab.logic.pictures import picture_at
from sudokulab.logic.selection import Techniques
from sudokulab.search.budget import Budget

__all__ = ["booklet", "write_booklet"]

_LEGEND = (
    "How to read the pictures: candidates of the pattern lie on a disc, fins are ringed, eliminated candidates are "
    "struck through. Solid arrows are strong links: if the first candidate is false, the second is true. Dashed arrows "
    "are weak links: if the first candidate is true, the second is false. Letters name sets of cells, or colours."
)


def booklet(
    puzzle: PuzzleLike,
    output: str | Path,
    techniques: Techniques | None = None,
    *,
    without: Techniques = (),
    paper: str = "a4",
    per_page: int | None = None,
    title: str = "",
    budget: Budget | None = None,
) -> list[Path]:
    """Write a worked solution as pages to print, and return the paths of the files.

    The puzzle is followed by a picture and a sentence for every step, and by the solution. Long runs of singles get
    smaller pictures, with candidates only where they matter.

    Parameters
    ----------
    puzzle
        A puzzle with one solution.
    output
        Path of the file: ``.pdf``, ``.svg`` or ``.png``. SVG and PNG files are numbered.
    techniques, without, budget
        The techniques to use and to leave out, and a time limit; see `explain`.
    paper
        Paper size: ``a3``, ``a4``, ``a5`` or ``letter``.
    per_page
        Number of steps per page. By default 4; on grids over 9×9, 2; over 16×16, 1.
    title
        Heading of every page. By default, the name of the puzzle.

    Examples
    --------
    >>> booklet("1.....3..4.....2", "booklet.pdf", per_page=6)  # doctest: +SKIP
    [PosixPath('booklet.pdf')]
    """
    checked_extension(output)  # before the puzzle is explained
    explanation = explain(puzzle, techniques, without=without, budget=budget)
    return write_booklet(explanation, output, paper=paper, per_page=per_page, title=title)


def write_booklet(
    explanation: Explanation, output: str | Path, *, paper: str = "a4", per_page: int | None = None, title: str = ""
) -> list[Path]:
    """Write an explanation as a booklet; see `booklet`.

    Raises
    ------
    SudokulabError
        If the puzzle does not have exactly one solution.
    """
    puzzle = explanation.puzzle
    if per_page is None:
        per_page = 4 if puzzle.size <= 9 else 2 if puzzle.size <= 16 else 1
    checked_count("per_page", per_page, 1)
    layout = Layout.of(
        paper, checked_text("title", title) or one_line(puzzle.name or "") or f"Sudoku {puzzle.size}×{puzzle.size}"
    )
    if explanation.ending not in (Ending.SOLVED, Ending.STUCK, Ending.STOPPED):
        raise SudokulabError(f"no booklet: {explanation.sentences[-1]}")
    number = len(explanation.steps)
    pages = list(layout.panels([(picture_of(puzzle), _summary(explanation))], 1, ""))
    for numbers, density in _parts(explanation.steps, per_page):
        is_brief = density > per_page
        pages += layout.panels([_panel(explanation, place, is_brief) for place in numbers], density, "")
    end = picture_of(puzzle, explanation.filled(number)) if explanation.ending is Ending.SOLVED else None
    last = (end or picture_at(explanation, number), [explanation.sentences[-1]])
    pages += layout.panels([last], 1, "Solution" if end else "")
    return write_pages(layout.numbered(pages), output)


def _panel(explanation: Explanation, place: int, is_brief: bool) -> Panel:
    picture = picture_at(explanation, place, is_brief=is_brief)
    return picture, [f"{place + 1}. {picture.title}"]


def _summary(explanation: Explanation) -> list[str]:
    used = Counter(step.technique.title for step in explanation.steps)
    steps = counted(len(explanation.steps), "step")
    names = ", ".join(f"{title} ({times}×)" for title, times in used.items())
    return [f"{steps}: {names}." if names else f"{steps}.", _LEGEND]


def _parts(steps: Sequence[Step], per_page: int) -> Iterator[tuple[list[int], int]]:
    """Yield consecutive steps with their number per page: long runs of singles are set more closely."""
    part: list[int] = []
    for is_single, run in groupby(range(len(steps)), lambda place: steps[place].technique.family == "singles"):
        numbers = list(run)
        if not is_single or len(numbers) <= per_page:
            part += numbers
            continue
        if part:
            yield part, per_page
        yield numbers, math.ceil(per_page * 9 / 4)
        part = []
    if part:
        yield part, per_page
