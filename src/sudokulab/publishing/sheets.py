"""Sheets of puzzles to print, with titles, hints in words, and solutions at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from sudokulab._internal.arguments import checked_count
from sudokulab._internal.suggestions import unknown_name
from sudokulab.drawing import Picture, picture_of
from sudokulab.drawing.layout import PAPERS, Layout
from sudokulab.drawing.pages import checked_extension, write_pages
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle, one_or_many
from sudokulab.logic import Ending, explain, rate
from sudokulab.logic.techniques import LARGEST_SIZE
from sudokulab.puzzle import NINE, Puzzle
from sudokulab.questions import solutions
from sudokulab.search.budget import Budget, checked_budget
from sudokulab.search.clock import Clock

__all__ = ["PAPERS", "RATINGS", "SCALES", "sheet", "sheet_pages"]

SCALES = ("rules", "se", "hodoku")
"""The scales whose ratings can be printed."""

RATINGS = ("rules", "se")
"""The scales whose ratings are printed by default."""

_MAX_SECONDS = 10.0  # per rating or hint
_SOLUTIONS_PER_PUZZLE = 4  # as many solutions fit in the space of one puzzle


def sheet(
    puzzles: PuzzleLike | Iterable[PuzzleLike],
    output: str | Path,
    *,
    per_page: int = 6,
    paper: str = "a4",
    title: str = "",
    ratings: Iterable[str] = RATINGS,
    solutions: bool = True,
    hints: int = 0,
    budget: Budget | None = None,
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
        Scales of the ratings above each puzzle: ``rules`` (the level, such as ``hard``, or ``rules: hard`` beside the
        level of HoDoKu), ``se`` (such as ``SE 7.2``) and ``hodoku`` (such as ``HoDoKu: medium``, only 9×9). Empty for
        none.
    solutions
        Whether to print the solutions on pages at the end. Every puzzle must then have exactly one.
    hints
        Number of steps of each puzzle to explain in words, on pages before the solutions.
    budget
        A limit in seconds for all puzzles together. Ratings and hints that take longer are left out.

    Raises
    ------
    BudgetError
        If the budget runs out before the solutions are found.

    Examples
    --------
    >>> sheet(generate(12), "sheet.pdf", title="Weekend", hints=2)  # doctest: +SKIP
    [PosixPath('sheet.pdf')]
    """
    checked_extension(output)  # before the puzzles are rated
    pages = sheet_pages(
        puzzles,
        per_page=per_page,
        paper=paper,
        title=title,
        ratings=ratings,
        solutions=solutions,
        hints=hints,
        budget=budget,
    )
    return write_pages(pages, output)


def sheet_pages(
    puzzles: PuzzleLike | Iterable[PuzzleLike],
    *,
    per_page: int = 6,
    paper: str = "a4",
    title: str = "",
    ratings: Iterable[str] = RATINGS,
    solutions: bool = True,
    hints: int = 0,
    budget: Budget | None = None,
) -> list[Picture]:
    """Return the pages of a sheet as pictures; see `sheet`."""
    checked_count("per_page", per_page, 1)
    checked_count("hints", hints)
    layout = Layout.of(paper, title)
    chosen = [as_puzzle(puzzle) for puzzle in one_or_many(puzzles)]
    if not chosen:
        raise SudokulabError("pass at least one puzzle")
    scales = tuple(ratings)
    for scale in scales:
        if scale not in SCALES:
            raise SudokulabError(unknown_name("scale", scale, SCALES))
    clock = Clock(checked_budget(budget, "a sheet", None))
    captions = [_caption(number, puzzle, scales, clock) for number, puzzle in enumerate(chosen, start=1)]
    pages = list(layout.grids(zip(captions, map(picture_of, chosen), strict=True), per_page, ""))
    if hints:
        pages += layout.texts(_hints(chosen, hints, clock), "Hints")
    if solutions:
        solved = ((str(number), _solution(number, puzzle, clock)) for number, puzzle in enumerate(chosen, start=1))
        pages += layout.grids(solved, per_page * _SOLUTIONS_PER_PUZZLE, "Solutions")
    return list(layout.numbered(pages))


def _caption(number: int, puzzle: Puzzle, scales: Sequence[str], clock: Clock) -> str:
    ratings = {scale: _rating(puzzle, scale, _part_of(clock)) for scale in scales}
    if ratings.get("rules") and ratings.get("hodoku"):  # they use the same words
        ratings["rules"] = f"rules: {ratings['rules']}"
    return " · ".join(filter(None, [str(number), one_line(puzzle.name or ""), *ratings.values()]))


def _rating(puzzle: Puzzle, scale: str, budget: Budget) -> str:
    """Return a rating, with the name of the scale unless it is the rules; empty if it is unknown."""
    if scale == "rules":
        level = rate(puzzle, relabelings=0, budget=budget).level
        return level.value if level else ""
    if scale == "se" and puzzle.size <= LARGEST_SIZE:
        er = rate(puzzle, scale="se", budget=budget).er
        return f"SE {er:.1f}" if er else ""
    if scale == "hodoku" and puzzle.box == NINE:
        points = rate(puzzle, scale="hodoku", budget=budget)
        return f"HoDoKu: {points.level}" if points.level else ""
    return ""


def _part_of(clock: Clock) -> Budget:
    return Budget(seconds=min(_MAX_SECONDS, clock.seconds_left))


def _solution(number: int, puzzle: Puzzle, clock: Clock) -> Picture:
    found = list(islice(solutions(puzzle, seconds=clock.seconds_left), 2))
    if len(found) != 1:
        what = "several solutions" if found else "no solution"
        name = f" ({one_line(puzzle.name)})" if puzzle.name else ""
        raise SudokulabError(f"puzzle {number}{name} has {what}; print it without solutions")
    return picture_of(puzzle, found[0])


def _hints(puzzles: Sequence[Puzzle], number: int, clock: Clock) -> Iterator[str]:
    """Yield the first steps of each puzzle, a paragraph per step."""
    for place, puzzle in enumerate(puzzles, start=1):
        found = explain(puzzle, max_steps=number, budget=_part_of(clock))
        is_stopped = found.ending in (Ending.STOPPED, Ending.UNKNOWN)
        sentences = found.sentences[: len(found.steps) if is_stopped else number]
        for step, sentence in enumerate(sentences, start=1):
            yield f"{place}.{step} {sentence}"
