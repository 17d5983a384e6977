"""The rating of HoDoKu: level and score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget, native_puzzle
from sudokulab.drawing import svg
from sudokulab.drawing.notebooks import figure
from sudokulab.errors import ParameterError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.puzzle import NINE, Puzzle
from sudokulab.search.budget import Budget, checked_budget

__all__ = ["HodokuRating", "rate_hodoku_many"]


@dataclass(frozen=True)
class HodokuRating:
    """The rating of a puzzle by HoDoKu, with its default settings.

    Parameters
    ----------
    puzzle
        The rated puzzle.
    num_solutions
        0, 1, or 2 for several; None if the budget ran out. Only puzzles with exactly one solution are rated further.
    level
        HoDoKu's level: ``easy``, ``medium``, ``hard``, ``unfair`` or ``extreme``; None if the puzzle was not rated.
    score
        The sum of the points of all steps; None if the puzzle was not rated.
    """

    puzzle: Puzzle
    num_solutions: int | None
    level: str | None
    score: int | None

    @property
    def is_rated(self) -> bool:
        """Whether the puzzle has exactly one solution and the budget sufficed."""
        return self.level is not None

    def __str__(self) -> str:
        if not self.is_rated:
            return "not rated"
        return f"HoDoKu: {self.level}, {self.score} points"

    def _repr_html_(self) -> str:
        """Draw the puzzle in a notebook, with its rating."""
        return figure(svg(self.puzzle), str(self))

    def to_dict(self) -> dict[str, object]:
        """Return the rating as JSON-compatible data."""
        return {"solutions": self.num_solutions, "hodoku_level": self.level, "hodoku_score": self.score}


def rate_hodoku_many(
    puzzles: Iterable[PuzzleLike], *, budget: Budget | None = None, threads: int | None = None
) -> Iterator[HodokuRating]:
    """Rate puzzles on all cores, lazily and in order; see `sudokulab.rate`."""
    num_threads = checked_threads(threads)
    limits = native_budget(checked_budget(budget, "a rating", None))
    for batch in batches(map(_checked, as_many(puzzles)), num_threads):
        givens = [native_puzzle(puzzle) for puzzle in batch]
        for puzzle, rating in zip(batch, _core.rate_hodoku_many(givens, limits, num_threads), strict=True):
            number = None if rating.num_solutions < 0 else rating.num_solutions
            level, score = (rating.level, rating.score) if rating.is_solved else (None, None)
            yield HodokuRating(puzzle, number, level, score)


def _checked(puzzle: PuzzleLike) -> Puzzle:
    parsed = as_puzzle(puzzle)
    if parsed.box != NINE:
        raise ParameterError(f"puzzle: {parsed.box} boxes; HoDoKu rates only 9×9 puzzles with 3x3 boxes")
    return parsed
