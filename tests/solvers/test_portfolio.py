"""Several threads on one large puzzle: the first answer counts, and shared clauses never cost a solution."""

from __future__ import annotations

import resource
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import sudokulab
from sudokulab import (
    Budget,
    Cancellation,
    CancelledError,
    ParameterError,
    Puzzle,
    Result,
    Solver,
    Status,
    _core,
    is_solution,
)
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.instances import fixed_fraction, random_grid
from sudokulab.search.frames import LiveView
from sudokulab.solvers import Auto, ConflictDriven, Dlx
from sudokulab.solvers.base import RESULT_CLASSES
from tests.cases import for_each
from tests.puzzles import EASY, ENDLESS, TINY, random_instance
from tests.timing import NUM_CORES, TOLERANCE_SECONDS, cpu_seconds, stopping_seconds, wait_until

pytestmark = [pytest.mark.native, pytest.mark.slow]

EAGER = _core.Portfolio(3, head_start=0, max_shared_levels=1000, restart_unit=1)
"""Three searches that start at once, share every clause, and read those of the others as often as possible."""
LARGE = random_instance((8, 8), 1800, seed=1)
"""No solver finishes it quickly."""
LIMIT = 200


def status_of(portfolio: _core.Portfolio, puzzle: Puzzle) -> Status:
    """Solve a puzzle and verify the solution."""
    found: Result = portfolio.solve(puzzle, native_budget(None), 0, 0, None, 1, "portfolio", RESULT_CLASSES)
    assert not found.is_solved or is_solution(found, puzzle)
    return found.status


def with_digit(puzzle: Puzzle, cell: int, digit: int) -> Puzzle:
    return replace(puzzle, cells=puzzle.cells[:cell] + bytes([digit]) + puzzle.cells[cell + 1 :])


@for_each("seed", range(3))
def test_shared_clauses_lose_no_solution(seed: int) -> None:
    """Each search learns and shares hundreds of clauses. A wrong one would rule out the only solution."""
    solution = random_grid((4, 5), seed=seed)
    puzzle = sudokulab.minimize(solution, seed=seed)
    assert EAGER.count(native_puzzle(puzzle), 2, native_budget(None)) == (1, True)
    cell = puzzle.cells.index(0)
    for digit in range(1, 21):
        expected = Status.SOLVED if digit == solution.cells[cell] else Status.UNSATISFIABLE
        assert status_of(EAGER, with_digit(puzzle, cell, digit)) is expected


@for_each("seed", range(5))
def test_answers_agree_with_dancing_links(seed: int) -> None:
    puzzle = sudokulab.minimize(random_grid(16, seed=seed), seed=seed)
    cell = puzzle.cells.index(0)
    for digit in range(1, 17):
        changed = with_digit(puzzle, cell, digit)
        assert status_of(EAGER, changed) is Dlx().solve(changed).status is sudokulab.solve(changed).status


@for_each("seed", range(5))
def test_all_solutions_are_enumerated_after_the_first(seed: int) -> None:
    puzzle = fixed_fraction(12, fixed=0.33, seed=seed)
    assert EAGER.count(native_puzzle(puzzle), 3000, native_budget(None)) == (Dlx().count(puzzle, 3000), True)


@pytest.mark.parametrize("solver", [Auto(), ConflictDriven()])
def test_several_threads_solve_a_hard_puzzle(solver: Solver) -> None:
    puzzle = fixed_fraction(36, fixed=0.45, seed=1)
    result = solver.solve(puzzle, seconds=60, threads=2)
    assert is_solution(result, puzzle)
    assert result.stats["threads"] == min(2, NUM_CORES)


@pytest.mark.parametrize("solver", [Auto(), ConflictDriven()])
def test_no_more_searches_run_than_cores(solver: Solver) -> None:
    result = solver.solve(LARGE, Budget(nodes=1100), threads=1000)
    assert result.stats["threads"] == NUM_CORES


@for_each("puzzle", [TINY, EASY, ENDLESS, random_instance((4, 4), 120, seed=1)])
def test_easy_and_small_puzzles_give_the_result_of_one_thread(puzzle: Puzzle) -> None:
    alone, together = sudokulab.solve(puzzle), sudokulab.solve(puzzle, threads=4)
    assert (together.status, together.solution) == (alone.status, alone.solution)
    assert {name: together.stats[name] for name in alone.stats} == alone.stats
    assert together.stats.get("threads", 1) == 1


def test_one_thread_is_the_default_and_repeatable() -> None:
    puzzle = fixed_fraction(25, fixed=0.45, seed=2)
    result = sudokulab.solve(puzzle)
    assert result == sudokulab.solve(puzzle, threads=1) == sudokulab.solve(puzzle)
    assert result.stats["nodes"] > 1000
    assert "threads" not in result.stats


def test_all_solvers_accept_threads() -> None:
    for solver in ("dlx", "backtracking", "annealing"):
        assert sudokulab.solve(TINY, solver, seed=1, threads=2) == sudokulab.solve(TINY, solver, seed=1)
    assert sudokulab.solve(TINY, threads=None).is_solved


@for_each("threads", [0, -1, 1.5, 10**6])
def test_the_number_of_threads_is_checked(threads: int) -> None:
    with pytest.raises(ParameterError, match="choose an integer from 1 to 1024"):
        sudokulab.solve(TINY, threads=threads)


def test_several_threads_cannot_be_recorded() -> None:
    for recording in ({"trace": True}, {"frames": True}, {"frames": LiveView()}):
        for puzzle, solver in ((LARGE, "auto"), (EASY, "conflict-driven")):
            with pytest.raises(ParameterError, match="threads: 2; trace and frames record one search"):
                sudokulab.solve(puzzle, solver, threads=2, **recording)


def test_one_search_can_be_recorded_whatever_the_number_of_threads() -> None:
    for puzzle, solver in ((EASY, "auto"), (TINY, "auto"), (LARGE, "annealing"), (EASY, "dlx")):
        budget = Budget(iterations=10) if solver == "annealing" else None
        assert sudokulab.solve(puzzle, solver, budget, threads=2, trace=True).trace
        assert sudokulab.solve(puzzle, solver, budget, threads=None, frames=True).frames


def test_a_node_limit_holds_for_each_thread() -> None:
    result = sudokulab.solve(LARGE, "conflict-driven", Budget(nodes=1500), threads=2)
    assert result.status is Status.UNKNOWN
    assert result.stats["nodes"] == 1500
    assert result.stats["threads"] == min(2, NUM_CORES)
    assert Auto().solve(LARGE, Budget(nodes=10), threads=3).stats["nodes"] == 10


@pytest.mark.timing
def test_the_other_threads_stop_within_a_tenth_of_a_second() -> None:
    puzzle = fixed_fraction(36, fixed=0.45, seed=1)
    cpu_start, start = time.process_time(), time.perf_counter()
    result = ConflictDriven().solve(puzzle, seconds=600, threads=2)
    seconds, used = time.perf_counter() - start, time.process_time() - cpu_start
    assert result.is_solved
    num_threads = result.stats["threads"]
    assert num_threads == min(2, NUM_CORES)
    most_before_answer = num_threads * (seconds - result.stats["stopping_seconds"])
    assert used < most_before_answer + num_threads * TOLERANCE_SECONDS


@pytest.mark.timing
@for_each("threads", [1, 4, 32])
@for_each("seconds", [0.05, 0.6])
def test_a_time_limit_is_kept_on_the_largest_grid(threads: int, seconds: float) -> None:
    def search() -> None:
        assert sudokulab.solve(LARGE, seconds=seconds, threads=threads).status is Status.UNKNOWN

    assert cpu_seconds(search) < min(threads, NUM_CORES) * (seconds + TOLERANCE_SECONDS)


@pytest.mark.timing
def test_ctrl_c_stops_all_threads() -> None:
    budget = Budget(seconds=20, is_cpu_time=True)
    delay = stopping_seconds(lambda: sudokulab.solve(LARGE, budget=budget, threads=4))
    assert 0 < delay < min(4, NUM_CORES) * TOLERANCE_SECONDS


@pytest.mark.timing
def test_a_cancellation_stops_all_threads() -> None:
    """The web page cancels searches of other threads this way."""
    budget = Budget(seconds=20, is_cpu_time=True)

    def search() -> None:
        with cancellation, pytest.raises(CancelledError):
            sudokulab.solve(LARGE, budget=budget, threads=2)

    cancellation = Cancellation()
    thread = threading.Thread(target=search)
    start = time.process_time()
    thread.start()
    wait_until(lambda: time.process_time() - start > 0.2)

    def cancel() -> None:
        cancellation.cancel()
        thread.join()

    assert cpu_seconds(cancel) < min(2, NUM_CORES) * TOLERANCE_SECONDS


def test_python_threads_can_each_run_several() -> None:
    puzzles = [fixed_fraction(25, fixed=0.45, seed=seed) for seed in range(6)]
    with ThreadPoolExecutor(3) as executor:
        results = list(executor.map(lambda puzzle: sudokulab.solve(puzzle, seconds=60, threads=2), puzzles))
    assert all(map(is_solution, results, puzzles))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.heavy  # the address sanitizer keeps freed memory for a while
def test_memory_is_released() -> None:
    def resident_bytes() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    budget = Budget(nodes=1100)
    Auto().solve(LARGE, budget, threads=4)
    before = resident_bytes()
    for _ in range(3):
        Auto().solve(LARGE, budget, threads=4)
    assert resident_bytes() - before < 30_000_000  # less than a single search of this puzzle needs
