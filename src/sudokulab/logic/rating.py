"""How hard a puzzle is, for a person and for a tree search."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sudokulab import _core
from sudokulab.budget import Budget
from sudokulab.formats import parse
from sudokulab.native import native_budget, native_problem
from sudokulab.puzzle import Puzzle
from sudokulab.rules import RULES, Level, Rule, rule_numbers

__all__ = ["Rating", "rate", "rate_many"]

_BATCH_SIZE = 2048


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
        From the highest rule needed; `Level.BEYOND` if the rules are not enough; None without exactly one solution.
    highest
        The highest rule needed, the paper's classification; None if the rules are not enough or nothing was to do.
    firings
        How often each rule was applied, by name.
    mean_nodes, deviation
        Nodes of ``backtracking`` over random relabelings: their mean and their standard deviation.
    """

    puzzle: Puzzle
    num_solutions: int | None
    level: Level | None
    highest: Rule | None
    firings: Mapping[str, int]
    mean_nodes: float
    deviation: float

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
    puzzle: Puzzle | str,
    rules: Sequence[str] | None = None,
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
    puzzles: Iterable[Puzzle | str],
    rules: Sequence[str] | None = None,
    *,
    relabelings: int = 5,
    seed: int = 0,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[Rating]:
    """Rate puzzles on all cores, lazily and in order; see `rate`."""
    order = rule_numbers(rules)
    iterator = iter(puzzles)
    limits, num_threads = native_budget(budget), threads or os.cpu_count() or 1
    while batch := [parse(puzzle) if isinstance(puzzle, str) else puzzle for puzzle in islice(iterator, _BATCH_SIZE)]:
        problems = [native_problem(puzzle) for puzzle in batch]
        ratings = _core.rate_many(problems, order, relabelings, seed, limits, num_threads)
        for puzzle, rating in zip(batch, ratings, strict=True):
            yield _rating(puzzle, rating, order)


def _rating(puzzle: Puzzle, rating: _core.Rating, order: list[int]) -> Rating:
    highest = RULES[order[rating.highest]] if rating.is_solved and rating.highest >= 0 else None
    level = None
    if rating.num_solutions == 1:
        hardest = highest.level if highest else Level.EASY
        level = hardest if rating.is_solved else Level.BEYOND
    return Rating(
        puzzle=puzzle,
        num_solutions=None if rating.num_solutions < 0 else rating.num_solutions,
        level=level,
        highest=highest,
        firings={rule.name: number for rule, number in zip(RULES, rating.firings, strict=True)},
        mean_nodes=rating.mean_nodes,
        deviation=rating.deviation,
    )
