"""The rating of Sudoku Explainer: ER, EP and ED."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget, native_puzzle
from sudokulab.drawing import svg
from sudokulab.drawing.notebooks import figure
from sudokulab.equivalence import canonical
from sudokulab.errors import ParameterError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.logic.techniques import LARGEST_SIZE
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget, checked_budget

__all__ = ["ExplainerRating", "rate_explainer_many"]


@dataclass(frozen=True)
class ExplainerRating:
    """The rating of a puzzle by Sudoku Explainer 1.2.1, from 1.0 to about 12.

    Parameters
    ----------
    puzzle
        The rated puzzle.
    num_solutions
        0, 1, or 2 for several; None if the budget ran out. Only puzzles with exactly one solution are rated further.
    er
        The difficulty of the hardest step; 0.0 for a full grid, None if the puzzle was not rated.
    ep
        The difficulty of the hardest step up to the first placed digit.
    ed
        The difficulty of the first step.
    """

    puzzle: Puzzle
    num_solutions: int | None
    er: float | None
    ep: float | None
    ed: float | None

    @property
    def is_rated(self) -> bool:
        """Whether the puzzle has exactly one solution and the budget sufficed."""
        return self.er is not None

    def __str__(self) -> str:
        if not self.is_rated:
            return "not rated"
        return f"SE {self.er} (EP {self.ep}, ED {self.ed})"

    def _repr_html_(self) -> str:
        """Draw the puzzle in a notebook, with its rating."""
        return figure(svg(self.puzzle), str(self))

    def to_dict(self) -> dict[str, object]:
        """Return the rating as JSON-compatible data."""
        return {"solutions": self.num_solutions, "er": self.er, "ep": self.ep, "ed": self.ed}


def rate_explainer_many(
    puzzles: Iterable[PuzzleLike],
    *,
    invariant: bool = False,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[ExplainerRating]:
    """Rate puzzles on all cores, lazily and in order; see `sudokulab.rate`."""
    num_threads = checked_threads(threads)
    limits = native_budget(checked_budget(budget, "a rating", None))
    for batch in batches(map(_checked, as_many(puzzles)), num_threads):
        rated = [canonical(puzzle).puzzle for puzzle in batch] if invariant else batch
        givens = [native_puzzle(puzzle) for puzzle in rated]
        for puzzle, rating in zip(batch, _core.rate_explainer_many(givens, limits, num_threads), strict=True):
            yield _rating(puzzle, rating)


def _checked(puzzle: PuzzleLike) -> Puzzle:
    parsed = as_puzzle(puzzle)
    if parsed.size > LARGEST_SIZE:
        raise ParameterError(f"puzzle: size {parsed.size}; this scale rates puzzles up to size {LARGEST_SIZE}")
    return parsed


def _rating(puzzle: Puzzle, rating: _core.ExplainerRating) -> ExplainerRating:
    number = None if rating.num_solutions < 0 else rating.num_solutions
    tenths = (rating.er, rating.ep, rating.ed) if rating.is_solved else (None, None, None)
    er, ep, ed = (None if value is None else value / 10 for value in tenths)
    return ExplainerRating(puzzle, number, er, ep, ed)
