"""Checks that every solver must pass, ours and yours.

>>> from sudokulab.solvers import Backtracking
>>> from sudokulab.testing import check_solver
>>> check_solver(Backtracking)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from sudokulab.formats import parse
from sudokulab.instances import fixed_fraction, random_grid
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget
from sudokulab.search.result import Result, Status
from sudokulab.search.trace import CAPACITY
from sudokulab.solvers import Solver
from sudokulab.solvers.registry import SolverLike, make_solver
from sudokulab.verify import is_solution

__all__ = ["CHECKS", "check_solver"]

_EASY = parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
_HARD = parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
_CLASH = parse("11" + "." * 79)
_UNSATISFIABLE = parse("123....4........")
_PATIENCE = Budget(seconds=20, is_cpu_time=True)
_MAX_OVERTIME_SECONDS = 0.5


def check_solver(solver: SolverLike) -> None:
    """Check that a solver follows the rules of the interface, in a few seconds.

    Parameters
    ----------
    solver
        A solver, its class, its name, or ``module:Class``.

    Raises
    ------
    AssertionError
        If a check fails; the message says which, and what the solver did.
    """
    made = make_solver(solver)
    for check in CHECKS:
        name = check.__name__.removeprefix("check_")
        try:
            check(made)
        except AssertionError as error:
            raise AssertionError(f"{made.name}: {name}: {error}") from None
        except Exception as error:
            raise AssertionError(f"{made.name}: {name}: {type(error).__name__}: {error}") from error


def check_describes_itself(solver: Solver) -> None:
    """Check the name and the unit."""
    _require(solver.name == "-".join(solver.name.lower().split()), f"name {solver.name!r}; use lower-case-words")
    _require(solver.unit in ("nodes", "iterations", None), f"unit {solver.unit!r}; use nodes, iterations or None")


def check_solves_easy_puzzles(solver: Solver) -> None:
    """Check that it solves puzzles of several sizes, including an empty and a full grid."""
    full = random_grid((2, 3), seed=1)
    for puzzle in (parse("1.....3..4.....2"), fixed_fraction((2, 4), fixed=0.7, seed=1), _EASY, Puzzle.empty(4), full):
        result = solver.solve(puzzle, _PATIENCE)
        _require(result.is_solved, f"did not solve {puzzle!r} in 20 s: {result!r}")
        _require(is_solution(result, puzzle), f"invalid solution of {puzzle!r}: {result!r}")
        _require(result.cost in (0, None), f"a solution has cost 0, got {result.cost}")


def check_reports_its_run(solver: Solver) -> None:
    """Check that a result names the puzzle, the solver, the seed and the time."""
    result = solver.solve(_HARD, _steps(solver, 100, seconds=2), seed=7)
    _require((result.puzzle, result.solver, result.seed) == (_HARD, solver.name, 7), f"wrong details in {result!r}")
    _require(result.seconds > 0, "seconds is 0")
    _require(result.cost == 0 or not result.is_solved or result.cost is None, f"solved with cost {result.cost}")
    _require(not result.trace, "a trace was recorded, but not requested")


def check_is_honest_about_contradictions(solver: Solver) -> None:
    """Check that it returns UNSATISFIABLE exactly if it is a complete solver."""
    for puzzle in (_CLASH, _UNSATISFIABLE):
        result = solver.solve(puzzle, _steps(solver, 1000, seconds=2))
        expected = Status.UNSATISFIABLE if solver.is_complete else Status.UNKNOWN
        _require(result.status is expected, f"{puzzle!r} has no solution: {result.status}, expected {expected}")


def check_repeats_a_run_with_the_same_seed(solver: Solver) -> None:
    """Check that the same seed gives the same run, with and without a trace."""
    budget = _steps(solver, 100)
    if solver.unit is None:
        return  # a time limit cannot be repeated exactly
    first, second = (solver.solve(_HARD, budget, seed=42, trace=True) for _ in range(2))
    plain = solver.solve(_HARD, budget, seed=42)
    _require(_without_times(first) == _without_times(second), "two runs with the same seed differ")
    _require(_without_times(first) == _without_times(plain), "tracing changes the run")
    for name, values in first.trace.items():
        if name == "seconds":
            continue
        _require(np.array_equal(values, second.trace[name]), f"trace column {name} differs between equal runs")


def check_keeps_its_budget(solver: Solver) -> None:
    """Check that a run ends within its steps and its seconds."""
    unit = solver.unit
    for number in (0, 1, 17) if unit else ():
        done = solver.solve(_HARD, _steps(solver, number)).stats.get(str(unit), 0)
        _require(done <= number, f"{done} {unit} with a budget of {number}")
    solver.prepare()
    start, cpu_start = time.perf_counter(), time.process_time()
    solver.solve(fixed_fraction((5, 5), fixed=0.45, seed=1), Budget(seconds=0.3))
    # Several threads add up their CPU time, and a busy machine delays the wall clock.
    seconds = min(time.perf_counter() - start, time.process_time() - cpu_start)
    _require(seconds < 0.3 + _MAX_OVERTIME_SECONDS, f"ran {seconds:.2f} s with a budget of 0.3 s")


def check_proves_nothing_without_time(solver: Solver) -> None:
    """Check that a run whose budget ends early does not claim that there is no solution."""
    for budget in (Budget(seconds=0), Budget(seconds=1e-4), _steps(solver, 1)):
        status = solver.solve(_HARD, budget).status
        _require(status is not Status.UNSATISFIABLE, f"refuted a puzzle that has a solution, with {budget}")


def check_traces_are_columns(solver: Solver) -> None:
    """Check that the columns of a trace have the same length, and that the steps never decrease."""
    trace = solver.solve(_HARD, _steps(solver, 100, seconds=2), seed=1, trace=True).trace
    lengths = {len(values) for values in trace.values()}
    _require(all(values.ndim == 1 for values in trace.values()), "trace columns must be one-dimensional")
    _require(len(lengths) <= 1, f"trace columns of different lengths: {sorted(lengths)}")
    most = CAPACITY + 1 + len(np.unique(trace.get("best_cost", [])))
    _require(not trace or 0 < lengths.pop() <= most, f"more than {CAPACITY} rows between improvements in a trace")
    steps = trace.get(str(solver.unit))
    _require(steps is None or bool((np.diff(steps) >= 0).all()), f"{solver.unit} decreases in the trace")


def check_can_be_shared_by_threads(solver: Solver) -> None:
    """Check that runs in several threads do not affect each other."""
    if solver.unit is None:
        return
    puzzles = [_HARD, _EASY, parse("1.....3..4.....2")] * 4

    def run(puzzle: Puzzle) -> Result:
        return _without_times(solver.solve(puzzle, _steps(solver, 100), seed=5))

    with ThreadPoolExecutor(4) as pool:
        _require(list(pool.map(run, puzzles)) == [run(puzzle) for puzzle in puzzles], "threads change the results")


CHECKS: tuple[Callable[[Solver], None], ...] = (
    check_describes_itself,
    check_solves_easy_puzzles,
    check_reports_its_run,
    check_is_honest_about_contradictions,
    check_repeats_a_run_with_the_same_seed,
    check_keeps_its_budget,
    check_proves_nothing_without_time,
    check_traces_are_columns,
    check_can_be_shared_by_threads,
)
"""The checks of `check_solver`, in order."""


def _require(condition: bool, complaint: str) -> None:
    """Raise an error unless a condition holds; unlike an assert statement, also under ``python -O``."""
    if not condition:
        raise AssertionError(complaint)


def _steps(solver: Solver, number: int, *, seconds: float | None = None) -> Budget:
    if solver.unit is None:
        return Budget(seconds=seconds or 2.0, is_cpu_time=True)
    return Budget(seconds=seconds, is_cpu_time=True, **{str(solver.unit): number})


def _without_times(result: Result) -> Result:
    stats = {name: value for name, value in result.stats.items() if not name.endswith("_seconds")}
    return replace(result, stats=stats)
