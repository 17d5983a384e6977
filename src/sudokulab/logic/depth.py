"""How much trial and error a puzzle needs beyond singles: its depth, and its backdoors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget, native_puzzle
from sudokulab.drawing import svg
from sudokulab.drawing.notebooks import figure
from sudokulab.errors import ParameterError
from sudokulab.formats.base import counted
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.puzzle import Puzzle, cell_name
from sudokulab.search.budget import Budget, checked_budget

__all__ = ["TrialRating", "rate_trial_many"]

_MAX_LISTED = 2**31 - 1


@dataclass(frozen=True)
class TrialRating:
    """The trial-and-error depth and the backdoors of a puzzle.

    Both start from naked and hidden singles, and equivalent puzzles rate the same.

    Parameters
    ----------
    puzzle
        The rated puzzle.
    num_solutions
        0, 1, or 2 for several; None if the budget ran out. Only puzzles with exactly one solution are rated further.
    depth
        The smallest n such that T&E(n) solves the puzzle. T&E(0) places singles; T&E(n) also removes every candidate
        whose placement T&E(n - 1) refutes, until nothing changes. None if the depth is above 3, if the budget ran out,
        or if the solution is not unique.
    backdoor_size
        The smallest number of cells whose digits of the solution, once placed, let singles solve the puzzle. None if it
        is above 3, if the budget ran out, or if the solution is not unique.
    num_backdoors
        The number of such sets of this size; None if the size is.
    backdoors
        The first of these sets in ascending order, as cells counted from 0; as many as were asked for.
    is_finished
        Whether the budget sufficed. If it did, a missing depth or size of a puzzle with one solution is above 3.
    """

    puzzle: Puzzle
    num_solutions: int | None
    depth: int | None
    backdoor_size: int | None
    num_backdoors: int | None
    backdoors: tuple[tuple[int, ...], ...] = ()
    is_finished: bool = True

    @property
    def is_rated(self) -> bool:
        """Whether the puzzle has exactly one solution and the budget sufficed."""
        return self.num_solutions == 1 and self.is_finished

    def __str__(self) -> str:
        if not self.is_rated:
            return "not rated"
        if self.depth == 0:
            return "depth 0, solved by singles"
        depth = "above 3" if self.depth is None else str(self.depth)
        if self.backdoor_size is None:
            return f"depth {depth}, backdoors of more than 3 cells"
        number, cells = counted(self.num_backdoors or 0, "backdoor"), counted(self.backdoor_size, "cell")
        return f"depth {depth}, {number} of {cells}"

    def _repr_html_(self) -> str:
        """Draw the puzzle in a notebook, with its rating."""
        return figure(svg(self.puzzle), str(self))

    def to_dict(self) -> dict[str, object]:
        """Return the rating as JSON-compatible data."""
        return {
            "solutions": self.num_solutions,
            "depth": self.depth,
            "backdoor_size": self.backdoor_size,
            "num_backdoors": self.num_backdoors,
            "backdoors": [[cell_name(cell, self.puzzle.size) for cell in cells] for cells in self.backdoors],
            "finished": self.is_finished,
        }


def rate_trial_many(
    puzzles: Iterable[PuzzleLike], *, max_listed: int = 0, budget: Budget | None = None, threads: int | None = None
) -> Iterator[TrialRating]:
    """Rate puzzles on all cores, lazily and in order; see `sudokulab.rate`.

    Depth and backdoors are determined level by level, so a short budget yields the cheap parts of both.

    References
    ----------
    D. Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles", 2012 (depth).

    R. Williams, C. P. Gomes and B. Selman, "Backdoors to typical case complexity", IJCAI 2003.
    """
    if not isinstance(max_listed, Integral) or not 0 <= max_listed <= _MAX_LISTED:
        raise ParameterError(f"max_listed: {max_listed!r}; choose an integer from 0 to {_MAX_LISTED}")
    num_threads = checked_threads(threads)
    limits = native_budget(checked_budget(budget, "a rating", None))
    for batch in batches(map(as_puzzle, as_many(puzzles)), num_threads):
        givens = [native_puzzle(puzzle) for puzzle in batch]
        ratings = _core.rate_trial_many(givens, int(max_listed), limits, num_threads)
        for puzzle, rating in zip(batch, ratings, strict=True):
            yield _rating(puzzle, rating)


def _rating(puzzle: Puzzle, rating: _core.TrialRating) -> TrialRating:
    return TrialRating(
        puzzle=puzzle,
        num_solutions=None if rating.num_solutions < 0 else rating.num_solutions,
        depth=rating.depth,
        backdoor_size=rating.backdoor_size,
        num_backdoors=None if rating.backdoor_size is None else rating.num_backdoors,
        backdoors=tuple(map(tuple, rating.backdoors)),
        is_finished=rating.is_finished,
    )
