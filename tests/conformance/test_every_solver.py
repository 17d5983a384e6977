"""Requirements for every registered solver. A new solver is covered as soon as it is registered."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, Result, Status, is_solution
from sudokulab.external import ExternalSolver
from sudokulab.puzzle import Digits
from sudokulab.solvers import CompleteSolver, Solver
from sudokulab.solvers.registry import all_solvers
from sudokulab.testing import CHECKS, check_keeps_its_budget
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SMALL, TINY, full_grid, random_instance
from tests.timing import TOLERANCE_SECONDS, cpu_seconds, stopping_seconds

pytestmark = pytest.mark.usefixtures("waits_for_abandoned_searches")

ALL = [solver() for solver in all_solvers().values()]
OWN = [solver for solver in ALL if not isinstance(solver, ExternalSolver)]


def each(solvers: list[Solver]) -> pytest.MarkDecorator:
    """Make a test of each solver, to be reported on its own."""
    params = [
        pytest.param(solver, id=solver.name, marks=pytest.mark.native if solver in OWN else ()) for solver in solvers
    ]
    return pytest.mark.parametrize("solver", params)


each_solver = each(ALL)
each_own_solver = each(OWN)
each_complete_solver = each([solver for solver in ALL if isinstance(solver, CompleteSolver)])
each_local_search = each([solver for solver in OWN if solver.unit == "iterations"])
each_tree_search = each([solver for solver in OWN if solver.unit == "nodes"])
each_stochastic_solver = each([solver for solver in OWN if solver.is_stochastic])

PATIENCE = Budget(seconds=20, is_cpu_time=True)
FULL = full_grid((3, 3))

UNSATISFIABLE = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])


@pytest.fixture(scope="module")
def hard_and_large() -> Puzzle:
    """Return a puzzle that no solver can finish quickly."""
    return random_instance((8, 8), 1800, seed=1)


def steps(solver: Solver, number: int) -> Budget:
    if isinstance(solver, ExternalSolver):
        return Budget()  # rivals do not count steps
    return Budget(iterations=number) if solver.unit == "iterations" else Budget(nodes=number)


def without_times(result: Result) -> Result:
    stats = {name: value for name, value in result.stats.items() if not name.endswith("_seconds")}
    return replace(result, seconds=0.0, trace={}, stats=stats)


@each_solver
def test_solves_puzzles_of_several_sizes(solver: Solver) -> None:
    for puzzle in (TINY, SMALL, EASY, random_instance((2, 4), 40, seed=3), random_instance((3, 4), 100, seed=3)):
        result = solver.solve(puzzle, PATIENCE)
        assert result.status is Status.SOLVED, puzzle
        assert is_solution(result, puzzle), puzzle


@each_solver
def test_a_result_describes_its_run(solver: Solver) -> None:
    result = solver.solve(INKALA, replace(steps(solver, 100), seconds=20))
    assert result.solver == solver.name
    assert result.puzzle == INKALA
    assert result.seconds > 0
    assert isinstance(solver, ExternalSolver) or 0 <= result.stats[str(solver.unit)] <= 100
    assert not result.trace
    assert result.cost == 0 or not result.is_solved


@each_solver
def test_fills_an_empty_grid(solver: Solver) -> None:
    for size in (4, 9):
        assert solver.solve(Puzzle.empty(size), PATIENCE).is_solved


@each_solver
def test_returns_a_full_grid_unchanged(solver: Solver) -> None:
    for box in ((2, 2), (3, 3), (3, 4)):
        assert solver.solve(full_grid(box), PATIENCE).solution == full_grid(box)


@each_solver
def test_handles_64x64_grids(solver: Solver) -> None:
    nearly_full = random_instance((8, 8), 4000, seed=2)
    result = solver.solve(nearly_full, Budget(seconds=3))
    assert result.is_solved or (not solver.is_complete and result.stats[str(solver.unit)] > 0)


@each_solver
@for_each("check", [check for check in CHECKS if check is not check_keeps_its_budget])
def test_passes_the_checks_for_solvers_of_other_packages(solver: Solver, check: Callable[[Solver], None]) -> None:
    check(solver)


@each_solver
@pytest.mark.timing
def test_passes_the_check_of_budgets(solver: Solver) -> None:
    check_keeps_its_budget(solver)


@each_own_solver
def test_traces_have_the_documented_columns(solver: Solver) -> None:
    first = {"iterations": ["iterations", "cost", "best_cost"], "nodes": ["nodes", "depth", "cells_fixed"]}
    for puzzle in (INKALA, EASY, random_instance((4, 4), 120, seed=1)):
        result = solver.solve(puzzle, steps(solver, 100), trace=True)
        assert list(result.trace)[:3] == first[str(solver.unit)]
        assert {len(values) for values in result.trace.values()} == {len(result.trace[str(solver.unit)])}


@each_local_search
def test_the_best_cost_of_a_trace_never_rises(solver: Solver) -> None:
    for puzzle in (INKALA, EASY, random_instance((4, 4), 120, seed=1)):
        result = solver.solve(puzzle, steps(solver, 100), trace=True)
        best = result.trace["best_cost"]
        assert (best <= result.trace["cost"]).all()
        assert (np.diff(best) <= 0).all()
        assert best[-1] == result.cost


@each_own_solver
def test_a_trace_ends_with_the_final_state(solver: Solver) -> None:
    solved = solver.solve(EASY, PATIENCE, seed=1, trace=True)
    unsolved = solver.solve(INKALA, steps(solver, 1), seed=1, trace=True)
    for result in (solved, unsolved):
        assert result.trace[str(solver.unit)][-1] == result.stats[str(solver.unit)]
        assert (np.diff(result.trace[str(solver.unit)]) >= 0).all()
    assert ends_solved(solved)


@each_own_solver
def test_the_trace_of_a_short_run_ends_with_the_solution(solver: Solver) -> None:
    nearly = Puzzle(bytes(digit if cell not in (0, 1, 2, 9, 10, 11) else 0 for cell, digit in enumerate(FULL.cells)))
    runs = [solver.solve(nearly, steps(solver, 200), seed=seed, trace=True) for seed in range(30)]
    solved = [run for run in runs if run.is_solved]
    assert len(solved) > 10
    assert all(map(ends_solved, solved))


def ends_solved(result: Result) -> bool:
    """Return whether the last row of a trace of a 9×9 puzzle is that of a solution."""
    ends = {"cost": 0, "best_cost": 0, "cells_fixed": 81}
    return all(result.trace[name][-1] == end for name, end in ends.items() if name in result.trace)


@each_local_search
def test_the_best_state_improves_with_more_steps(solver: Solver) -> None:
    first, later = (solver.solve(INKALA, steps(solver, number), seed=2) for number in (0, 400))
    assert first.cost is not None
    assert later.cost is not None
    assert later.cost < first.cost


@each_local_search
def test_an_unsolved_local_search_returns_its_best_state(solver: Solver) -> None:
    result = solver.solve(INKALA, steps(solver, 3), seed=1)
    assert result.status is Status.UNKNOWN
    assert result.best is not None
    assert result.grid is not None
    assert not is_solution(result, INKALA)
    givens = INKALA.givens
    assert (result.grid[givens > 0] == givens[givens > 0]).all()
    assert result.cost in (num_open(result.grid), num_missing(result.grid))


@each_tree_search
def test_an_unfinished_tree_search_returns_no_state(solver: Solver) -> None:
    result = solver.solve(INKALA, steps(solver, 3), seed=1)
    assert result.status is Status.UNKNOWN
    assert result.best is None
    assert result.cost is None


def num_open(grid: Digits) -> int:
    return int((grid == 0).sum())


def num_missing(grid: Digits) -> int:
    """Count the digits missing from rows and columns; return -1 if a box is incomplete."""
    boxes = grid.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
    if any(len(set(box)) < 9 for box in boxes.tolist()):
        return -1
    return sum(9 - len(set(line)) for line in [*grid.tolist(), *grid.T.tolist()])


@each_stochastic_solver
def test_neighbouring_seeds_give_different_runs(solver: Solver) -> None:
    runs = [solver.solve(INKALA, steps(solver, 300), seed=seed, trace=True) for seed in range(3)]
    courses = {b"".join(values.tobytes() for values in run.trace.values()) for run in runs}
    assert len(courses) == 3


@each_own_solver
def test_keeps_a_step_limit(solver: Solver) -> None:
    for number in (0, 1, 17):
        assert solver.solve(INKALA, steps(solver, number)).stats[str(solver.unit)] <= number


@each_solver
@pytest.mark.slow
@pytest.mark.timing
def test_keeps_a_time_limit_on_the_largest_grid(solver: Solver, hard_and_large: Puzzle) -> None:
    def search() -> None:
        assert solver.solve(hard_and_large, Budget(seconds=0.3)).status is not Status.UNSATISFIABLE

    solver.prepare()
    leaving_seconds = 0.1 if isinstance(solver, ExternalSolver) else 0  # presolving cannot be interrupted at once
    assert cpu_seconds(search) < 0.3 + TOLERANCE_SECONDS + leaving_seconds


@each_solver
@pytest.mark.slow
@pytest.mark.timing
def test_a_search_can_be_interrupted(solver: Solver, hard_and_large: Puzzle) -> None:
    assert stopping_seconds(lambda: solver.solve(hard_and_large, PATIENCE), after=0.3) < TOLERANCE_SECONDS


@each_solver
@pytest.mark.thorough
@pytest.mark.timing
@for_each("threads", [1, 2])
def test_a_batch_can_be_interrupted(solver: Solver, hard_and_large: Puzzle, threads: int) -> None:
    def search() -> None:
        list(solver.solve_batch([hard_and_large] * 50, PATIENCE, range(50), threads=threads))

    assert 0 < stopping_seconds(search, after=0.3) < threads * TOLERANCE_SECONDS


@each_own_solver
@pytest.mark.thorough
def test_memory_does_not_grow_with_the_running_time(solver: Solver) -> None:
    code = f"""
import resource
from sudokulab import Budget, parse
from sudokulab.solvers import make_solver
puzzle = parse({random_instance((5, 5), 281, seed=5).line!r})
for seconds in (0.1, 0.5):
    budget = Budget(seconds=seconds, is_cpu_time=True)
    make_solver({solver.name!r}).solve(puzzle, budget, seed=3, trace=True)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    short_kb, long_kb = map(int, done.stdout.split())
    assert long_kb - short_kb < 2048


@each_local_search
def test_a_longer_run_never_has_a_higher_cost(solver: Solver) -> None:
    costs = [solver.solve(INKALA, steps(solver, number), seed=1).cost for number in (10, 100, 1000)]
    assert None not in costs
    assert costs == sorted(costs, key=float, reverse=True)  # type: ignore[arg-type]


@each_solver
def test_contradictory_puzzles_have_the_usual_statistics(solver: Solver) -> None:
    usual = solver.solve(INKALA, steps(solver, 1)).stats.keys()
    for puzzle in (UNSATISFIABLE, Puzzle(b"\1\1" + bytes(79))):
        assert solver.solve(puzzle, replace(steps(solver, 10), seconds=1)).stats.keys() == usual


def test_all_cite_their_references() -> None:
    assert [solver.name for solver in ALL if "References" not in (inspect.getdoc(solver) or "")] == []


@each_complete_solver
def test_a_complete_solver_counts_and_enumerates(solver: Solver) -> None:
    assert isinstance(solver, CompleteSolver)
    assert solver.count(Puzzle.empty(4)) == 288
    assert solver.count(UNSATISFIABLE) == 0
    assert solver.count(Puzzle.empty(4), limit=10) == 10
    assert len(set(solver.solutions(Puzzle.empty(4)))) == 288


@each([solver for solver in ALL if solver not in OWN])
def test_a_rival_refuses_a_step_limit(solver: Solver) -> None:
    with pytest.raises(ValueError, match=f"{solver.name} does not count nodes"):
        solver.solve(INKALA, Budget(nodes=1))
