"""Rate how hard a puzzle is, on one of several scales, for people and for a tree search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal, overload

from sudokulab import _core
from sudokulab._internal.arguments import checked_count
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_seed, checked_threads, native_budget, native_puzzle
from sudokulab._internal.suggestions import unknown_name
from sudokulab.drawing import svg
from sudokulab.drawing.notebooks import figure
from sudokulab.errors import ParameterError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.logic.depth import TrialRating, rate_trial_many
from sudokulab.logic.explainer import ExplainerRating, rate_explainer_many
from sudokulab.logic.hodoku import HodokuRating, rate_hodoku_many
from sudokulab.logic.selection import Techniques, rule_numbers
from sudokulab.logic.techniques import RULES, Level, Technique
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget, checked_budget

__all__ = ["AnyRating", "Rating", "Scale", "rate", "rate_many"]


@dataclass(frozen=True)
class Rating:
    """The difficulty of a puzzle.

    Parameters
    ----------
    puzzle
        The rated puzzle.
    num_solutions
        0, 1, or 2 for several; None if the budget ran out. Only puzzles with exactly one solution are rated further.
    level
        The hardest level among the applied rules; `Level.BEYOND` if the rules do not solve the puzzle; None if the
        solution is not unique.
    highest
        The last rule needed, in the given order: the paper's classification. None if the rules do not solve the puzzle
        or there is nothing to solve.
    firings
        How often each rule was applied, by code.
    mean_nodes, deviation
        Mean and standard deviation of the nodes of ``backtracking`` with ``propagation="singles"`` over random
        relabelings. None if the solution is not unique or the budget ran out.
    """

    puzzle: Puzzle
    num_solutions: int | None
    level: Level | None
    highest: Technique | None
    firings: Mapping[str, int]
    mean_nodes: float | None
    deviation: float | None

    @property
    def is_rated(self) -> bool:
        """Whether the puzzle has exactly one solution."""
        return self.level is not None

    def __str__(self) -> str:
        level = self.level.value if self.level else "not rated"
        needs = f", hardest rule {self.highest.name}" if self.highest else ""
        if self.mean_nodes is None:
            return f"{level}{needs}, nodes unknown (time limit)"
        return f"{level}{needs}, {self.mean_nodes:.1f} ± {self.deviation:.1f} nodes"

    def _repr_html_(self) -> str:
        """Draw the puzzle in a notebook, with its rating."""
        return figure(svg(self.puzzle), str(self))

    def to_dict(self) -> dict[str, object]:
        """Return the rating as JSON-compatible data."""
        return {
            "solutions": self.num_solutions,
            "level": self.level.value if self.level else None,
            "highest": self.highest.code if self.highest else None,
            "firings": {name: number for name, number in self.firings.items() if number},
            "nodes": self.mean_nodes,
            "deviation": self.deviation,
        }


Scale = Literal["rules", "se", "hodoku", "trial"]
"""What a rating measures; see `rate`."""

AnyRating = Rating | ExplainerRating | HodokuRating | TrialRating


@overload
def rate(
    puzzle: PuzzleLike,
    *,
    scale: Literal["rules"] = "rules",
    rules: Techniques | None = None,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
) -> Rating: ...
@overload
def rate(
    puzzle: PuzzleLike, *, scale: Literal["se"], invariant: bool = False, budget: Budget | None = None
) -> ExplainerRating: ...
@overload
def rate(puzzle: PuzzleLike, *, scale: Literal["hodoku"], budget: Budget | None = None) -> HodokuRating: ...
@overload
def rate(
    puzzle: PuzzleLike, *, scale: Literal["trial"], max_listed: int = 0, budget: Budget | None = None
) -> TrialRating: ...
@overload
def rate(puzzle: PuzzleLike, *, scale: Scale, budget: Budget | None = None) -> AnyRating: ...
def rate(puzzle: PuzzleLike, *, scale: Scale = "rules", **options: Any) -> AnyRating:
    """Rate a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle to rate.
    scale
        What to measure:

        - ``rules``: the hardest of the ten rules of San Segundo & Jiménez that is needed, and the size of search trees.
        - ``se``: ER, EP and ED as defined by Sudoku Explainer 1.2.1. The program takes the first of several equally
          hard steps, so equivalent puzzles can have different ratings; see `invariant`.
        - ``hodoku``: level and score of HoDoKu, with its default order of techniques and its points.
        - ``trial``: the depth of trial and error, and the smallest backdoors.
    rules
        Scale ``rules``: the rules in the order to try them; by default all ten in the paper's order.
    relabelings
        Scale ``rules``: number of random relabelings for the tree search; 0 to search only the puzzle itself.
    seed
        Scale ``rules``: random seed of the relabelings.
    invariant
        Scale ``se``: whether to rate the canonical form of the puzzle (see `sudokulab.canonical`) instead of the puzzle
        itself, so that all equivalent puzzles have the same rating. Up to size 9.
    max_listed
        Scale ``trial``: the maximum number of backdoors to list. All are counted.
    budget
        The limits of the rating.

    Examples
    --------
    >>> rating = rate("1.....3..4.....2")
    >>> rating.level.value, rating.mean_nodes
    ('easy', 0.0)
    >>> rate("1.....3..4.....2", scale="se").er
    1.2
    """
    (rating,) = rate_many([puzzle], scale=scale, threads=1, **options)
    return rating


@overload
def rate_many(
    puzzles: Iterable[PuzzleLike],
    *,
    scale: Literal["rules"] = "rules",
    rules: Techniques | None = None,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[Rating]: ...
@overload
def rate_many(
    puzzles: Iterable[PuzzleLike],
    *,
    scale: Literal["se"],
    invariant: bool = False,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[ExplainerRating]: ...
@overload
def rate_many(
    puzzles: Iterable[PuzzleLike],
    *,
    scale: Literal["hodoku"],
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[HodokuRating]: ...
@overload
def rate_many(
    puzzles: Iterable[PuzzleLike],
    *,
    scale: Literal["trial"],
    max_listed: int = 0,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[TrialRating]: ...
@overload
def rate_many(
    puzzles: Iterable[PuzzleLike], *, scale: Scale, budget: Budget | None = None, threads: int | None = None
) -> Iterator[AnyRating]: ...
def rate_many(puzzles: Iterable[PuzzleLike], *, scale: Scale = "rules", **options: object) -> Iterator[AnyRating]:
    """Rate puzzles on all cores, lazily and in order; see `rate`.

    A puzzle that cannot be read, or is too large for the scale, raises an error after the ratings of those before it.
    """
    if not isinstance(scale, str) or scale not in _SCALES:
        raise ParameterError(unknown_name("scale", scale, _SCALES))
    rate_scale = _SCALES[scale]
    unknown = [name for name in options if name not in signature(rate_scale).parameters]
    if unknown:
        raise ParameterError(f"{unknown[0]}: scale {scale!r} has no such option")
    return rate_scale(puzzles, **options)


def _rate_rules_many(
    puzzles: Iterable[PuzzleLike],
    *,
    rules: Techniques | None = None,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[Rating]:
    checked_count("relabelings", relabelings)
    order, num_threads, seed = rule_numbers(rules), checked_threads(threads), checked_seed(seed)
    limits = native_budget(checked_budget(budget, "a rating", "nodes"))
    for batch in batches(map(as_puzzle, as_many(puzzles)), num_threads):
        givens = [native_puzzle(puzzle) for puzzle in batch]
        ratings = _core.rate_many(givens, order, relabelings, seed, limits, num_threads)
        for puzzle, rating in zip(batch, ratings, strict=True):
            yield _rating(puzzle, rating, order)


_SCALES: dict[str, Callable[..., Iterator[AnyRating]]] = {
    "rules": _rate_rules_many,
    "se": rate_explainer_many,
    "hodoku": rate_hodoku_many,
    "trial": rate_trial_many,
}


def _rating(puzzle: Puzzle, rating: _core.Rating, order: list[int]) -> Rating:
    highest = RULES[order[rating.highest]] if rating.is_solved and rating.highest >= 0 else None
    level = None
    if rating.num_solutions == 1:
        levels = list(Level)
        fired = [rule.level for rule, number in zip(RULES, rating.firings, strict=True) if number]
        level = max(fired, key=levels.index, default=Level.EASY) if rating.is_solved else Level.BEYOND
    return Rating(
        puzzle=puzzle,
        num_solutions=None if rating.num_solutions < 0 else rating.num_solutions,
        level=level,
        highest=highest,
        firings={rule.code: number for rule, number in zip(RULES, rating.firings, strict=True)},
        mean_nodes=rating.mean_nodes,
        deviation=rating.deviation,
    )
