"""What every registered solver must do, whoever wrote it. A new solver is covered by being registered."""

from __future__ import annotations

import inspect
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, Result, Status, is_solution
from sudokulab.external import PeerSolver
from sudokulab.puzzle import Digits
from sudokulab.solvers import CompleteSolver, Solver
from sudokulab.solving.registry import all_solvers
from tests.puzzles import EASY, INKALA, SMALL, TINY, full_grid, random_instance

pytestmark = pytest.mark.parametrize(
    "solver",
    [
        pytest.param(solver(), id=name, marks=() if issubclass(solver, PeerSolver) else pytest.mark.native)
        for name, solver in all_solvers().items()
    ],
)

PATIENCE = Budget(seconds=20)
FULL = full_grid((3, 3))
TOLERANCE_SECONDS = 0.1

UNSATISFIABLE = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])


@pytest.fixture(scope="module")
def hard_and_large() -> Puzzle:
    """More than any solver can do in a moment."""
    return random_instance((8, 8), 1800, seed=1)


def steps(solver: Solver, number: int) -> Budget:
    if isinstance(solver, PeerSolver):
        return Budget()  # it counts none
    return Budget(iterations=number) if solver.unit == "iterations" else Budget(nodes=number)


def without_times(result: Result) -> Result:
    stats = {name: value for name, value in result.stats.items() if not name.endswith("_seconds")}
    return replace(result, seconds=0.0, trace={}, stats=stats)


@pytest.mark.parametrize(
    "puzzle",
    [TINY, SMALL, EASY, random_instance((2, 4), 40, seed=3), random_instance((3, 4), 100, seed=3)],
    ids=["4x4", "6x6", "9x9", "8x8", "12x12"],
)
def test_solves_what_it_should(solver: Solver, puzzle: Puzzle) -> None:
    result = solver.solve(puzzle, PATIENCE)
    assert result.status is Status.SOLVED
    assert is_solution(result, puzzle)


def test_reports_what_it_did(solver: Solver) -> None:
    result = solver.solve(INKALA, replace(steps(solver, 100), seconds=20))
    assert result.solver == solver.name
    assert result.puzzle == INKALA
    assert result.seconds > 0
    assert isinstance(solver, PeerSolver) or 0 <= result.stats[str(solver.unit)] <= 100
    assert not result.trace
    assert result.cost == 0 or not result.is_solved


def test_fills_an_empty_grid(solver: Solver) -> None:
    for size in (4, 9):
        assert solver.solve(Puzzle.empty(size), PATIENCE).is_solved


def test_leaves_a_full_grid_as_it_is(solver: Solver) -> None:
    for box in ((2, 2), (3, 3), (3, 4)):
        assert solver.solve(full_grid(box), PATIENCE).solution == full_grid(box)


@pytest.mark.parametrize("puzzle", [Puzzle(b"\1\1" + bytes(79)), UNSATISFIABLE, Puzzle(bytes([1] * 81))])
def test_only_complete_solvers_call_a_contradiction_unsatisfiable(solver: Solver, puzzle: Puzzle) -> None:
    result = solver.solve(puzzle, replace(steps(solver, 1000), seconds=2))
    assert result.status is (Status.UNSATISFIABLE if solver.is_complete else Status.UNKNOWN)
    assert result.solution is None


def test_copes_with_64x64(solver: Solver) -> None:
    nearly_full = random_instance((8, 8), 4000, seed=2)
    result = solver.solve(nearly_full, Budget(seconds=3))
    assert result.is_solved or (not solver.is_complete and result.stats[str(solver.unit)] > 0)


def test_the_same_seed_gives_the_same_trajectory(solver: Solver) -> None:
    first, second = (solver.solve(INKALA, steps(solver, 300), seed=42, trace=True) for _ in range(2))
    assert without_times(first) == without_times(second)
    assert first.trace.keys() == second.trace.keys()
    assert bool(first.trace) is not isinstance(solver, PeerSolver)
    for column, values in first.trace.items():
        np.testing.assert_array_equal(values, second.trace[column])


def test_tracing_does_not_change_the_run(solver: Solver) -> None:
    traced = solver.solve(INKALA, steps(solver, 300), seed=42, trace=True)
    assert without_times(traced) == without_times(solver.solve(INKALA, steps(solver, 300), seed=42))
    if isinstance(solver, PeerSolver):
        return  # it keeps none
    lengths = {len(values) for values in traced.trace.values() if values.ndim == 1}
    assert len(lengths) == 1
    assert 0 < lengths.pop() <= 4096


def test_a_trace_ends_where_the_run_ended(solver: Solver) -> None:
    if isinstance(solver, PeerSolver):
        pytest.skip("keeps no trace")
    solved = solver.solve(EASY, PATIENCE, seed=1, trace=True)
    unsolved = solver.solve(INKALA, steps(solver, 1), seed=1, trace=True)
    for result in (solved, unsolved):
        assert result.trace[str(solver.unit)][-1] == result.stats[str(solver.unit)]
        assert (np.diff(result.trace[str(solver.unit)]) >= 0).all()
    if "cost" in solved.trace:
        assert solved.trace["cost"][-1] == 0
    if "cells_fixed" in solved.trace:
        assert solved.trace["cells_fixed"][-1] == 81


def test_a_trace_of_a_run_that_is_solved_at_once_ends_there_too(solver: Solver) -> None:
    if isinstance(solver, PeerSolver):
        pytest.skip("keeps no trace")
    nearly = Puzzle(bytes(digit if cell not in (0, 1, 2, 9, 10, 11) else 0 for cell, digit in enumerate(FULL.cells)))
    for seed in range(30):
        result = solver.solve(nearly, steps(solver, 200), seed=seed, trace=True)
        if result.is_solved and "cost" in result.trace:
            assert result.trace["cost"][-1] == 0


def test_the_best_state_gets_better(solver: Solver) -> None:
    first, later = (solver.solve(INKALA, steps(solver, number), seed=2) for number in (0, 400))
    if first.cost is None or later.is_solved:
        return
    assert later.cost is not None
    assert later.cost < first.cost


def test_an_unsolved_run_returns_its_best_state(solver: Solver) -> None:
    result = solver.solve(INKALA, steps(solver, 3), seed=1)
    if result.is_solved or result.cost is None:
        assert result.best is None
        return
    assert result.best is not None
    assert result.grid is not None
    assert not is_solution(result, INKALA)
    givens = INKALA.givens
    assert (result.grid[givens > 0] == givens[givens > 0]).all()
    assert result.cost == num_open(result.grid) or result.cost == num_missing(result.grid)


def num_open(grid: Digits) -> int:
    return int((grid == 0).sum())


def num_missing(grid: Digits) -> int:
    """Count the digits that rows and columns lack; every box must have all of them."""
    boxes = grid.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
    if any(len(set(box)) < 9 for box in boxes.tolist()):
        return -1
    return sum(9 - len(set(line)) for line in [*grid.tolist(), *grid.T.tolist()])


def test_neighbouring_seeds_differ(solver: Solver) -> None:
    if not solver.is_stochastic or isinstance(solver, PeerSolver):
        pytest.skip("makes no use of the seed, or keeps no trace that would show it")
    runs = [solver.solve(INKALA, steps(solver, 300), seed=seed, trace=True) for seed in range(3)]
    courses = {b"".join(values.tobytes() for values in run.trace.values()) for run in runs}
    assert len(courses) == 3


def test_keeps_a_budget_of_steps(solver: Solver) -> None:
    if isinstance(solver, PeerSolver):
        with pytest.raises(ValueError, match=f"{solver.name} does not count nodes"):
            solver.solve(INKALA, Budget(nodes=1))
        return
    for number in (0, 1, 17):
        assert solver.solve(INKALA, steps(solver, number)).stats[str(solver.unit)] <= number


@pytest.mark.timing
def test_keeps_a_budget_of_seconds_on_the_largest_grid(solver: Solver, hard_and_large: Puzzle) -> None:
    def overshoot() -> float:
        start = time.perf_counter()
        result = solver.solve(hard_and_large, Budget(seconds=0.3))
        assert result.status is not Status.UNSATISFIABLE
        return time.perf_counter() - start - 0.3

    leaving_seconds = 0.1 if isinstance(solver, PeerSolver) else 0  # its own presolve cannot be left at once
    assert least_of_three(overshoot) < TOLERANCE_SECONDS + leaving_seconds


@pytest.mark.timing
def test_can_be_interrupted(solver: Solver, hard_and_large: Puzzle, alarm: Callable[[float], None]) -> None:
    def delay() -> float:
        start = time.perf_counter()
        alarm(0.3)
        try:
            solver.solve(hard_and_large, Budget(seconds=20))
        except KeyboardInterrupt:
            pass
        else:
            alarm(0)
        return time.perf_counter() - start - 0.3

    assert least_of_three(delay) < TOLERANCE_SECONDS


@pytest.mark.timing
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_can_be_interrupted(
    solver: Solver, hard_and_large: Puzzle, alarm: Callable[[float], None], threads: int
) -> None:
    def delay() -> float:
        start = time.perf_counter()
        alarm(0.3)
        with pytest.raises(KeyboardInterrupt):
            solver.solve_batch([hard_and_large] * 50, Budget(seconds=20), range(50), threads=threads)
        return time.perf_counter() - start - 0.3

    assert least_of_three(delay) < TOLERANCE_SECONDS


def test_many_at_once_in_one_process_do_not_disturb_each_other(solver: Solver) -> None:
    puzzles = [INKALA, EASY, TINY, random_instance((3, 4), 90, seed=1)] * 6

    def run(puzzle: Puzzle) -> Result:
        return without_times(solver.solve(puzzle, steps(solver, 200), seed=5))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, puzzles)) == [run(puzzle) for puzzle in puzzles]


@pytest.mark.timing
def test_memory_does_not_grow_with_the_running_time(solver: Solver) -> None:
    if isinstance(solver, PeerSolver):
        pytest.skip("remembers what it learns")
    code = f"""
import resource
from sudokulab import Budget, make_solver, parse
puzzle = parse({random_instance((5, 5), 281, seed=5).line!r})
for seconds in (0.1, 0.5):
    make_solver({solver.name!r}).solve(puzzle, Budget(seconds=seconds), seed=3, trace=True)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    short_kb, long_kb = map(int, done.stdout.split())
    assert long_kb - short_kb < 2048


def test_a_longer_run_never_costs_more(solver: Solver) -> None:
    costs = [solver.solve(INKALA, steps(solver, number), seed=1).cost for number in (10, 100, 1000)]
    known = [cost for cost in costs if cost is not None]
    assert known == sorted(known, reverse=True)


def test_a_contradiction_found_beforehand_has_the_same_statistics(solver: Solver) -> None:
    usual = solver.solve(INKALA, steps(solver, 1)).stats.keys()
    for puzzle in (UNSATISFIABLE, Puzzle(b"\1\1" + bytes(79))):
        assert solver.solve(puzzle, replace(steps(solver, 10), seconds=1)).stats.keys() == usual


def test_says_where_it_comes_from(solver: Solver) -> None:
    assert "References" in (inspect.getdoc(solver) or "")
    assert solver.name == solver.name.lower()


def test_a_complete_solver_counts_and_enumerates(solver: Solver) -> None:
    if not isinstance(solver, CompleteSolver):
        pytest.skip("not complete")
    assert solver.count(Puzzle.empty(4)) == 288
    assert solver.count(UNSATISFIABLE) == 0
    assert solver.count(Puzzle.empty(4), limit=10) == 10
    assert len(set(solver.enumerate(Puzzle.empty(4)))) == 288


@pytest.fixture
def alarm() -> Iterator[Callable[[float], None]]:
    """Sets a timer that raises KeyboardInterrupt, as Ctrl-C does; 0 calls it off."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds) and None
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, previous)


def least_of_three(measure: Callable[[], float]) -> float:
    """The best of three, for a machine that is busy with other things; stops at the first that will do."""
    least = float("inf")
    for _ in range(3):
        least = min(least, measure())
        if least < TOLERANCE_SECONDS:
            break
    return least
