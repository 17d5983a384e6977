"""How hard a puzzle is, for a person and for a tree search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_seed, checked_threads, native_budget, native_puzzle
from sudokulab.budget import Budget, checked_budget
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.logic.rules import RULES, Level, Rule, Rules, rule_numbers
from sudokulab.puzzle import Puzzle

__all__ = ["Rating", "rate", "rate_many"]


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is.

    Parameters
    ----------
    puzzle
        What was rated.
    num_solutions
        0, 1, or 2 for several; None if the budget did not suffice. Only a puzzle with exactly one is rated further.
    level
        The hardest level of a rule that was applied; `Level.BEYOND` if the rules are not enough; None without exactly
        one solution.
    highest
        The last rule, in the order given, that was needed: the paper's classification; None if the rules are not enough
        or nothing was to do.
    firings
        How often each rule was applied, by name.
    mean_nodes, deviation
        Nodes of ``backtracking`` over random relabelings: their mean and their standard deviation. None if the puzzle
        was not rated so far, or the budget did not suffice.
    """

    puzzle: Puzzle
    num_solutions: int | None
    level: Level | None
    highest: Rule | None
    firings: Mapping[str, int]
    mean_nodes: float | None
    deviation: float | None

    def to_dict(self) -> dict[str, object]:
        """Return the rating as it stands in JSON."""
        return {
            "solutions": {None: "unknown", 2: "many"}.get(self.num_solutions, self.num_solutions),
            "level": self.level.value if self.level else None,
            "highest": self.highest.name if self.highest else None,
            "firings": {name: number for name, number in self.firings.items() if number},
            "nodes": self.mean_nodes,
            "deviation": self.deviation,
        }


def rate(
    puzzle: PuzzleLike,
    rules: Rules | None = None,
    *,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
) -> Rating:
    """Rate a puzzle.

    Parameters
    ----------
    puzzle
        What to rate.
    rules
        The rules, in the order in which they are tried; by default all ten in standard order.
    relabelings
        How many random relabelings the tree search is measured on; 0 for the puzzle as it is.
    seed
        Of the relabelings.
    budget
        What the tree searches may cost.

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
    rules: Rules | None = None,
    *,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[Rating]:
    """Rate puzzles on all cores, lazily and in order; see `rate`."""
    if relabelings < 0:
        raise ValueError(f"relabelings: {relabelings}, expected 0 or more")
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
        firings={rule.name: number for rule, number in zip(RULES, rating.firings, strict=True)},
        mean_nodes=rating.mean_nodes,
        deviation=rating.deviation,
    )
