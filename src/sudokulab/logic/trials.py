"""One level of trial and error, and the smallest rule sets it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget, native_puzzle
from sudokulab.errors import ParameterError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.logic.selection import Techniques, rule_numbers
from sudokulab.logic.techniques import RULES
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget, checked_budget

__all__ = ["CONJECTURE", "Reading", "Trial", "smallest_rules", "trial", "trial_many"]

CONJECTURE = ("NS", "HS", "BRC", "RCB", "NP")
"""The rules of the paper's conjecture, which it states for HP in place of NP as well."""

Reading = Literal["depth-one", "elimination", "both"]
"""What one level of trial means: (a) a search tree of depth one, (b) elimination, or (c) elimination, then (a)."""


@dataclass(frozen=True)
class Trial:
    """The result of one level of trial and error, in three readings of the paper.

    Parameters
    ----------
    puzzle
        The puzzle.
    is_contradiction
        Whether the puzzle was proved to have no solution.
    is_solved_by_rules
        Whether the rules solve the puzzle without any trial.
    key
        Reading (a), a search tree of depth one: the first candidate (cell and digit) whose placement completes the
        grid after filtering; None if there is none.
    is_solved_by_elimination
        Reading (b): whether the grid is completed by removing candidates that lead to a contradiction, and deducing
        again, until nothing changes.
    num_eliminated
        Number of candidates refuted in reading (b).
    late_key
        Reading (c), elimination and then a search tree of depth one: the first candidate whose placement completes the
        grid after the elimination of (b); None if there is none.
    is_finished
        Whether the budget sufficed. If not, positive findings hold, but negative ones are inconclusive.
    """

    puzzle: Puzzle
    is_contradiction: bool
    is_solved_by_rules: bool
    key: tuple[int, int] | None
    is_solved_by_elimination: bool
    num_eliminated: int
    late_key: tuple[int, int] | None = None
    is_finished: bool = True

    @property
    def is_solved_at_depth_one(self) -> bool:
        """Whether reading (a) solves the puzzle."""
        return self.is_solved_by_rules or self.key is not None

    @property
    def is_solved_after_elimination(self) -> bool:
        """Whether reading (c) solves the puzzle. It solves all puzzles that (a) or (b) solves."""
        return self.is_solved_by_elimination or self.late_key is not None

    def is_solved(self, reading: Reading) -> bool:
        """Return whether a reading solves the puzzle."""
        match reading:
            case "depth-one":
                return self.is_solved_at_depth_one
            case "elimination":
                return self.is_solved_by_elimination
            case "both":
                return self.is_solved_after_elimination


def trial(puzzle: PuzzleLike, rules: Techniques | None = None, *, budget: Budget | None = None) -> Trial:
    """Try every candidate, apply the rules, and record which lead to a solution or to a contradiction.

    Parameters
    ----------
    puzzle
        The puzzle to work on.
    rules
        The rules in order; by default all ten.
    budget
        A limit in seconds; `Trial.is_finished` tells whether it sufficed.

    References
    ----------
    P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009, section
    4.1.

    Examples
    --------
    >>> found = trial("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    >>> found.is_solved_at_depth_one, found.is_solved_by_elimination, found.is_solved_after_elimination
    (False, False, False)
    """
    (found,) = trial_many([puzzle], rules, budget=budget, threads=1)
    return found


def trial_many(
    puzzles: Iterable[PuzzleLike],
    rules: Techniques | None = None,
    *,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[Trial]:
    """Apply `trial` to puzzles on all cores, lazily and in order.

    A puzzle that cannot be read raises an error after the results of those before it.
    """
    order = rule_numbers(rules)
    num_threads = checked_threads(threads)
    limits = native_budget(checked_budget(budget, "a trial", None))
    for batch in batches(map(as_puzzle, as_many(puzzles)), num_threads):
        givens = [native_puzzle(puzzle) for puzzle in batch]
        for puzzle, found in zip(batch, _core.trial_many(givens, order, limits, num_threads), strict=True):
            yield Trial(
                puzzle=puzzle,
                is_contradiction=found.is_contradiction,
                is_solved_by_rules=found.is_solved_by_rules,
                key=found.key,
                is_solved_by_elimination=found.is_solved_by_elimination,
                num_eliminated=found.num_eliminated,
                late_key=found.late_key,
                is_finished=found.is_finished,
            )


def smallest_rules(puzzles: Iterable[PuzzleLike], *, reading: Reading = "depth-one") -> list[tuple[str, ...]]:
    """Return the smallest rule sets with which one level of trial solves every puzzle; empty if no set does.

    Parameters
    ----------
    puzzles
        The puzzles. They are kept in memory and tried with every rule set that is not ruled out early.
    reading
        What one level of trial means.
    """
    if reading not in get_args(Reading):
        raise ParameterError(f"reading: {reading!r}; choose one of {', '.join(get_args(Reading))}")
    hardest_first = [as_puzzle(puzzle) for puzzle in as_many(puzzles)]
    names = [rule.code for rule in RULES]
    for number in range(len(names) + 1):
        found = [rules for rules in combinations(names, number) if _solves_all(hardest_first, rules, reading)]
        if found:
            return found
    return []


def _solves_all(puzzles: list[Puzzle], rules: tuple[str, ...], reading: Reading) -> bool:
    """Return whether all puzzles are solved; move the first failure to the front, so that it rules out more sets."""
    for place, found in enumerate(trial_many(puzzles, rules)):
        if not found.is_solved(reading):
            puzzles.insert(0, puzzles.pop(place))
            return False
    return True
