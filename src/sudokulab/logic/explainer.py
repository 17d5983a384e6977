"""The rating of Sudoku Explainer: ER, EP and ED."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget, native_puzzle
from sudokulab.budget import Budget, checked_budget
from sudokulab.errors import ParameterError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.puzzle import Puzzle

__all__ = ["ExplainerRating", "rate_explainer", "rate_explainer_many"]

LARGEST_SIZE = 25


@dataclass(frozen=True)
class ExplainerRating:
    """The rating of a puzzle by Sudoku Explainer 1.2.1.

    Parameters
    ----------
    er
        The difficulty of the hardest step.
    ep
        The difficulty of the hardest step up to the first placed digit.
    ed
        The difficulty of the first step.
    """

    er: float
    ep: float
    ed: float


def rate_explainer(puzzle: PuzzleLike, *, budget: Budget | None = None) -> ExplainerRating | None:
    """Rate a puzzle as Sudoku Explainer 1.2.1 does.

    The rating depends on the order in which the program examines cells and digits, so isomorphic puzzles can have
    different ratings.

    Parameters
    ----------
    puzzle
        The puzzle to rate, up to size 25.
    budget
        The time limit.

    Returns
    -------
    ExplainerRating or None
        None if the puzzle does not have exactly one solution, if the budget ran out, or if no technique applies.

    Examples
    --------
    >>> rate_explainer("1.....3..4.....2")
    ExplainerRating(er=1.2, ep=1.2, ed=1.2)
    """
    (rating,) = rate_explainer_many([puzzle], budget=budget, threads=1)
    return rating


def rate_explainer_many(
    puzzles: Iterable[PuzzleLike], *, budget: Budget | None = None, threads: int | None = None
) -> Iterator[ExplainerRating | None]:
    """Rate puzzles on all cores, lazily and in order; see `rate_explainer`."""
    num_threads = checked_threads(threads)
    limits = native_budget(checked_budget(budget, "a rating", None))
    for batch in batches(map(_checked, as_many(puzzles)), num_threads):
        givens = [native_puzzle(puzzle) for puzzle in batch]
        for rating in _core.rate_explainer_many(givens, limits, num_threads):
            yield _rating(rating)


def _checked(puzzle: PuzzleLike) -> Puzzle:
    parsed = as_puzzle(puzzle)
    if parsed.size > LARGEST_SIZE:
        raise ParameterError(f"puzzle: size {parsed.size}, expected at most {LARGEST_SIZE}")
    return parsed


def _rating(rating: _core.ExplainerRating) -> ExplainerRating | None:
    if not rating.is_solved:
        return None
    return ExplainerRating(rating.er / 10, rating.ep / 10, rating.ed / 10)
