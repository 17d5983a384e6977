"""A puzzle that a batch cannot handle does not take the others with it."""

from __future__ import annotations

from typing import Any

import pytest

from sudokulab import Budget, Puzzle, SudokulabError, solve_many
from sudokulab._core import derive_seeds
from sudokulab.logic import rate_many, trial_many
from sudokulab.solvers import SOLVERS, make_solver
from tests.cases import for_each
from tests.puzzles import EASY, TINY

LARGE = Puzzle(bytes(36 * 36), name="large")
FILTERED = [name for name, cls in SOLVERS.items() if "filter" in getattr(cls, "__dataclass_fields__", {})]


@for_each("name", FILTERED)
def test_a_puzzle_too_large_for_a_filter_becomes_a_result(name: str) -> None:
    solver = make_solver(name, filter="x-wing")
    puzzles: list[Any] = [LARGE, EASY, "no puzzle", LARGE, TINY, LARGE]
    results = list(solve_many(puzzles, solver, budget=Budget(iterations=1), seed=7))
    assert [result.puzzle for result in results] == [LARGE, EASY, None, LARGE, TINY, LARGE]
    assert [bool(result.error) for result in results] == [True, False, True, True, False, True]
    assert [result.seed for result in results] == derive_seeds(7, 0, len(puzzles))
    with pytest.raises(SudokulabError) as caught:
        solver.solve(LARGE, Budget(iterations=1))
    assert results[0].error == f"ParameterError: {caught.value}"
    alone = solver.solve(EASY, Budget(iterations=1), seed=results[1].seed)
    assert (alone.status, alone.cost, alone.stats) == (results[1].status, results[1].cost, results[1].stats)


@for_each("name", SOLVERS)
@for_each("puzzle", [LARGE, Puzzle(bytes(64 * 64)), "", None, 7], ids=["36", "64", "empty", "None", "7"])
def test_no_puzzle_ends_a_batch(name: str, puzzle: Any) -> None:
    solver = make_solver(name)
    budget = Budget(seconds=0.01)
    results = list(solve_many([TINY, puzzle, TINY], solver, budget=budget, threads=2))
    assert [result.puzzle for result in (results[0], results[2])] == [TINY, TINY]
    assert len(results) == 3


@for_each("scale", ["rules", "se", "hodoku", "trial"])
def test_ratings_before_an_unreadable_puzzle_are_kept(scale: Any) -> None:
    ratings = rate_many([EASY, EASY, "no puzzle", EASY], scale=scale, threads=1)
    assert [next(ratings).puzzle for _ in range(2)] == [EASY, EASY]
    with pytest.raises(SudokulabError):
        next(ratings)


@pytest.mark.parametrize("scale", ["se", "hodoku"])
def test_ratings_before_a_puzzle_too_large_for_the_scale_are_kept(scale: Any) -> None:
    ratings = rate_many([EASY, EASY, LARGE, EASY], scale=scale, threads=4)
    assert [next(ratings).puzzle for _ in range(2)] == [EASY, EASY]
    with pytest.raises(SudokulabError, match=r"^puzzle: "):
        next(ratings)


def test_trials_before_an_unreadable_puzzle_are_kept() -> None:
    trials = trial_many([EASY, EASY, "no puzzle", EASY])
    assert [next(trials).puzzle for _ in range(2)] == [EASY, EASY]
    with pytest.raises(SudokulabError):
        next(trials)
