"""Rate how hard a puzzle is, for people and for a tree search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_seed, checked_threads, native_budget, native_puzzle
from sudokulab.budget import Budget, checked_budget
from sudokulab.errors import ParameterError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.logic.techniques import RULES, Level, Technique, Techniques, rule_numbers
from sudokulab.puzzle import Puzzle

__all__ = ["Rating", "rate", "rate_many"]


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
        How often each rule was applied, by name.
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


def rate(
    puzzle: PuzzleLike,
    rules: Techniques | None = None,
    *,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
) -> Rating:
    """Rate a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle to rate.
    rules
        The rules in the order they are tried; by default all ten in standard order.
    relabelings
        Number of random relabelings for the tree search; 0 to search only the puzzle itself.
    seed
        Random seed of the relabelings.
    budget
        The budget of the tree searches.

    Examples
    --------
    >>> rating = rate("1.....3..4.....2")
    >>> rating.level.value, rating.mean_nodes
    ('easy', 0.0)
    """
    (rating,) = rate_many([puzzle], rules, relabelings=relabelings, seed=seed, budget=budget, threads=1)
    return rating


def rate_many(
    puzzles: Iterable[PuzzleLike],
    rules: Techniques | None = None,
    *,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[Rating]:
    """Rate puzzles on all cores, lazily and in order; see `rate`."""
    if relabelings < 0:
        raise ParameterError(f"relabelings: {relabelings}, expected 0 or more")
    order, num_threads, seed = rule_numbers(rules), checked_threads(threads), checked_seed(seed)
    limits = native_budget(checked_budget(budget, "a rating", "nodes"))
    for batch in batches(map(as_puzzle, as_many(puzzles)), num_threads):
        givens = [native_puzzle(puzzle) for puzzle in batch]
        ratings = _core.rate_many(givens, order, relabelings, seed, limits, num_threads)
        for puzzle, rating in zip(batch, ratings, strict=True):
            yield _rating(puzzle, rating, order)


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
