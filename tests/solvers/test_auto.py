"""The default solver: whatever engine it takes, the answer is the same."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings

import sudokulab
from sudokulab import Auto, Backtracking, Budget, Puzzle, Status, WrongAnswerError, _core, is_solution
from sudokulab.instances import fixed_fraction
from tests.puzzles import EASY, ENDLESS, INKALA, TINY, any_puzzles, random_instance

pytestmark = pytest.mark.native

SOLVER = Auto()
CLASH = Puzzle(b"\1\1" + bytes(79))


@settings(deadline=None, max_examples=200)
@given(any_puzzles())
def test_it_says_what_backtracking_says(puzzle: Puzzle) -> None:
    assert SOLVER.solve(puzzle).status is Backtracking().solve(puzzle).status
    assert SOLVER.count(puzzle, 3) == Backtracking().count(puzzle, 3)


def test_it_is_the_default() -> None:
    assert sudokulab.solve(EASY).solver == "auto"
    assert [result.solver for result in sudokulab.solve_many([EASY, TINY], progress=False)] == ["auto", "auto"]


def test_a_batch_of_all_sizes_keeps_its_order_and_seeds() -> None:
    puzzles = [EASY, TINY, CLASH, random_instance((3, 4), 90, seed=1), INKALA, TINY] * 3
    results = SOLVER.solve_batch(puzzles, None, range(18), threads=2)
    assert [result.puzzle for result in results] == puzzles
    assert [result.seed for result in results] == list(range(18))
    assert [result.status for result in results[:3]] == [Status.SOLVED, Status.SOLVED, Status.UNSATISFIABLE]
    assert all(result.puzzle and is_solution(result.solution, result.puzzle) for result in results if result.is_solved)


def test_one_puzzle_and_many_give_the_same_results() -> None:
    puzzles = [EASY, INKALA, CLASH, TINY]
    assert SOLVER.solve_batch(puzzles, None, [0] * 4, threads=1) == [SOLVER.solve(puzzle) for puzzle in puzzles]


@pytest.mark.parametrize("limit", [0, 1, 2, 999, 1000, 1001, None])
def test_it_counts_up_to_any_limit(limit: int | None) -> None:
    puzzle = fixed_fraction(9, fixed=0.28, seed=3)
    assert SOLVER.count(puzzle, limit) == Backtracking().count(puzzle, limit) > (0 if limit != 0 else -1)


def test_nodes_and_traces_are_there_for_whoever_asks() -> None:
    assert SOLVER.solve(INKALA, Budget(nodes=1)).stats["nodes"] == 1
    assert "nodes" in SOLVER.solve(INKALA, trace=True).trace


def test_it_keeps_its_budget_where_the_bulk_engine_would_not_end() -> None:
    start = time.perf_counter()
    assert SOLVER.solve(ENDLESS, Budget(seconds=2)).status is Status.UNSATISFIABLE
    assert SOLVER.count(ENDLESS, 2, Budget(seconds=2)) == 0
    results = SOLVER.solve_batch([EASY, ENDLESS, TINY], Budget(seconds=2), range(3), threads=1)
    assert [result.status for result in results] == [Status.SOLVED, Status.UNSATISFIABLE, Status.SOLVED]
    assert [result.solver for result in results] == ["auto"] * 3
    assert time.perf_counter() - start < 2


def test_an_array_of_strings_gives_results() -> None:
    results = list(sudokulab.solve_many(np.array([str(EASY), str(TINY)]), progress=False))
    assert [result.status for result in results] == [Status.SOLVED, Status.SOLVED]


def test_an_array_gives_an_array() -> None:
    array = sudokulab.as_array([EASY, CLASH, INKALA])
    solutions = sudokulab.solve_many(array)
    assert solutions.shape == (3, 81)
    assert not solutions[1].any()
    assert all(is_solution(solutions[i].reshape(9, 9), puzzle) for i, puzzle in ((0, EASY), (2, INKALA)))
    assert (sudokulab.solve_many(array.reshape(3, 9, 9).astype(np.int64), threads=1) == solutions).all()


def test_an_array_and_another_solver_do_not_go_together() -> None:
    array = sudokulab.as_array([EASY])
    with pytest.raises(ValueError, match="by the default solver without a budget"):
        sudokulab.solve_many(array, "dlx")


def test_a_lie_of_the_engine_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "solve_one", lambda cells: (True, bytes(81)))
    with pytest.raises(WrongAnswerError, match="auto returned a grid that is no solution"):
        sudokulab.solve(EASY)
    wrong = np.ones((1, 81), np.uint8)
    monkeypatch.setattr(_core, "solve_bulk", lambda *_: (wrong, np.ones(1, np.uint32), False))
    (result,) = sudokulab.solve_many([EASY], progress=False)
    assert result.status is Status.UNKNOWN
    assert "no solution" in str(result.error)
    with pytest.raises(WrongAnswerError):
        sudokulab.solve_many(sudokulab.as_array([EASY]))
