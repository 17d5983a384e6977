"""The default solver gives the same answer whichever engine it uses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import sudokulab
from sudokulab import Budget, Puzzle, Result, Status, _core, is_solution
from sudokulab.errors import WrongAnswerError
from sudokulab.instances import fixed_fraction
from sudokulab.search.trace import Trace
from sudokulab.solvers import Auto, Dlx
from sudokulab.solvers.base import RESULT_CLASSES
from tests.cases import for_each
from tests.puzzles import EASY, ENDLESS, INKALA, TINY, any_puzzles, random_instance
from tests.timing import cpu_seconds

pytestmark = pytest.mark.native

SOLVER = Auto()
MAX_GUESSES = _core.max_guesses
CLASH = Puzzle(b"\1\1" + bytes(79))


@pytest.mark.heavy
@settings(deadline=None, max_examples=200)
@given(any_puzzles())
def test_it_agrees_with_dancing_links(puzzle: Puzzle) -> None:
    assert SOLVER.solve(puzzle).status is Dlx().solve(puzzle).status
    assert SOLVER.count(puzzle, 3) == Dlx().count(puzzle, 3)


def test_it_is_the_default() -> None:
    assert sudokulab.solve(EASY).solver == "auto"
    assert [result.solver for result in sudokulab.solve_many([EASY, TINY])] == ["auto", "auto"]


def test_a_batch_of_all_sizes_keeps_its_order_and_seeds() -> None:
    puzzles = [EASY, TINY, CLASH, random_instance((3, 4), 90, seed=1), INKALA, TINY] * 3
    results = list(SOLVER.solve_batch(puzzles, None, range(18), threads=2))
    assert [result.puzzle for result in results] == puzzles
    assert [result.seed for result in results] == list(range(18))
    assert [result.status for result in results[:3]] == [Status.SOLVED, Status.SOLVED, Status.UNSATISFIABLE]
    assert all(result.puzzle and is_solution(result, result.puzzle) for result in results if result.is_solved)


def test_one_puzzle_and_many_give_the_same_results() -> None:
    puzzles = [EASY, INKALA, CLASH, TINY, *(random_instance((3, 3), 20, seed) for seed in range(40))]
    together = list(SOLVER.solve_batch(puzzles, None, [0] * len(puzzles), threads=1))
    alone = [SOLVER.solve(puzzle) for puzzle in puzzles]
    assert together == alone
    assert [result.stats for result in together] == [result.stats for result in alone]


@for_each("limit", [0, 1, 2, 999, 1000, 1001, None])
def test_it_counts_up_to_any_limit(limit: int | None) -> None:
    puzzle = fixed_fraction(9, fixed=0.28, seed=3)
    assert SOLVER.count(puzzle, limit) == Dlx().count(puzzle, limit) > (0 if limit != 0 else -1)


def test_it_counts_nodes_and_keeps_a_trace_at_every_size() -> None:
    large = fixed_fraction(16, fixed=0.35, seed=1)
    small = Puzzle.empty(4)
    for puzzle in (small, INKALA, large):
        result = SOLVER.solve(puzzle, trace=True)
        assert result.stats.keys() == {"nodes", "backtracks", "max_depth"}
        assert result.stats["nodes"] >= result.stats["max_depth"] > 0
        assert result.trace["nodes"][-1] == result.stats["nodes"]
        assert SOLVER.solve(puzzle, Budget(nodes=1)).stats["nodes"] == 1


def test_guesses_of_an_abandoned_bulk_search_are_counted() -> None:
    stats = SOLVER.solve(ENDLESS).stats
    assert stats["nodes"] > MAX_GUESSES  # guesses of the bulk engine plus decisions of the search that took over
    limited = SOLVER.solve(ENDLESS, Budget(nodes=MAX_GUESSES))
    assert limited.status is Status.UNKNOWN
    assert limited.stats["nodes"] == MAX_GUESSES


def test_the_first_solution_enumerated_is_the_one_that_solve_returns() -> None:
    puzzle = fixed_fraction(9, fixed=0.3, seed=3)
    solutions = list(SOLVER.solutions(puzzle))
    assert solutions[0] == SOLVER.solve(puzzle).solution
    assert len(set(solutions)) == len(solutions)
    assert set(solutions) == set(Dlx().solutions(puzzle))


@pytest.mark.timing
def test_it_keeps_its_budget_where_the_bulk_engine_would_not_finish() -> None:
    budget = Budget(seconds=2, is_cpu_time=True)

    def ask() -> None:
        assert SOLVER.solve(ENDLESS, budget).status is Status.UNSATISFIABLE
        assert SOLVER.count(ENDLESS, 2, budget) == 0
        results = list(SOLVER.solve_batch([EASY, ENDLESS, TINY], budget, range(3), threads=1))
        assert [result.status for result in results] == [Status.SOLVED, Status.UNSATISFIABLE, Status.SOLVED]
        assert [result.solver for result in results] == ["auto"] * 3

    assert cpu_seconds(ask) < 2


def test_many_puzzles_give_results_in_any_container() -> None:
    containers: list[Any] = [
        np.array([EASY.line, INKALA.line]),
        sudokulab.as_array([EASY, INKALA]),
        iter([EASY, INKALA.line]),
    ]
    for puzzles in containers:
        results = list(sudokulab.solve_many(puzzles))
        assert [result.status for result in results] == [Status.SOLVED, Status.SOLVED]
        assert [result.puzzle for result in results] == [EASY, INKALA]


def test_an_array_gives_an_array() -> None:
    array = sudokulab.as_array([EASY, CLASH, INKALA])
    solutions = sudokulab.solve_array(array)
    assert solutions.shape == (3, 81)
    assert not solutions[1].any()
    assert all(is_solution(solutions[i].reshape(9, 9), puzzle) for i, puzzle in ((0, EASY), (2, INKALA)))
    assert (sudokulab.solve_array(array.reshape(3, 9, 9).astype(np.int64), threads=1) == solutions).all()


class Liar:
    """A core that returns a grid of ones as the solution."""

    def solve(self, puzzle: Puzzle, *_: object) -> Result:
        return Result(Status.SOLVED, puzzle, "auto", solution=Puzzle(bytes([1] * 81)), cost=0)

    def solve_many(self, puzzles: tuple[Puzzle, ...], *_: object) -> Lies:
        return Lies(map(self.solve, puzzles))


class Lies(list[Result]):
    are_valid = False


def test_a_wrong_grid_from_the_core_never_reaches_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Auto, "_native", lambda self: Liar())
    with pytest.raises(WrongAnswerError, match="auto returned an invalid solution"):
        sudokulab.solve(EASY)
    (result,) = sudokulab.solve_many([EASY])
    assert result.status is Status.UNKNOWN
    assert "invalid solution" in str(result.error)
    wrong = np.ones((1, 81), np.uint8)
    monkeypatch.setattr(_core, "solve_array", lambda *_: (wrong, np.ones(1, np.uint32), False))
    with pytest.raises(WrongAnswerError):
        sudokulab.solve_array(sudokulab.as_array([EASY]))


def test_the_core_judges_the_solutions_of_a_batch() -> None:
    solution = sudokulab.solve(EASY).solution
    assert solution
    for grid, is_valid in ((solution.cells, True), (bytes([1] * 81), False), (solution.cells[:80], False)):
        solver = _core.Answerer(list(grid))
        batch = solver.solve_many((EASY, EASY), [0, 1], _core.Budget(), 1, "answerer", RESULT_CLASSES)
        assert batch.are_valid is is_valid
    mixed = _core.Answerer(list(solution.cells))
    assert not mixed.solve_many((EASY, INKALA), [0, 1], _core.Budget(), 2, "answerer", RESULT_CLASSES).are_valid


def test_a_subclass_can_replace_the_run_of_a_native_solver() -> None:
    class Mine(Dlx):
        def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
            return replace(super().run(puzzle, budget, seed, trace), stats={"mine": 1})

    assert Mine().solve(EASY).stats == {"mine": 1}
