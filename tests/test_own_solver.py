"""The example of docs/how-to/own-solver.md works as it is printed."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sudokulab import Budget, Result, Solver, Status, solve
from sudokulab.errors import WrongAnswerError
from sudokulab.search import Clock, Trace
from sudokulab.testing import check_solver
from tests.cases import for_each
from tests.puzzles import EASY, TINY

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parent.parent / "docs" / "how-to" / "own-solver.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"```python\n# dive.py\n(import .*?)```", PAGE, re.DOTALL)[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "dive.py").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.thorough
def test_the_example_passes_the_checks_of_every_solver(folder: Path) -> None:
    code = "import dive\nfrom sudokulab.testing import check_solver\ncheck_solver(dive.RandomDive)"
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)


def test_twenty_lines_suffice() -> None:
    body = EXAMPLE[EXAMPLE.index("class") : EXAMPLE.index("def open_cells")]
    assert len([line for line in body.splitlines() if line.strip()]) <= 20


def returning(value: object) -> Solver:
    class Returning(Solver):
        name = "returning"
        unit = "iterations"

        def run(self, puzzle: object, budget: object, seed: object, trace: object) -> object:  # type: ignore[override]
            return value

    return Returning()


@for_each("form", [lambda p: p, lambda p: p.line, lambda p: p.givens, lambda p: [list(r) for r in p]])
def test_a_solver_may_return_a_grid_in_any_form(form: object) -> None:
    solution = solve(EASY).solution
    result = returning(form(solution)).solve(EASY)  # type: ignore[operator]
    assert (result.status, result.solution, result.cost) == (Status.SOLVED, solution, 0)


def test_a_solver_may_return_nothing() -> None:
    result = returning(None).solve(EASY, seed=3)
    assert (result.status, result.solution, result.seed) == (Status.UNKNOWN, None, 3)


@for_each("wrong", [EASY, "1" * 81, TINY, "rubbish", 42])
def test_a_wrong_grid_is_a_bug_in_the_solver(wrong: object) -> None:
    with pytest.raises(WrongAnswerError, match="returning"):
        returning(wrong).solve(EASY)


def test_a_result_is_completed_and_verified_against_the_requested_puzzle() -> None:
    class Detailed(Solver):
        unit = "iterations"

        def run(self, puzzle: object, budget: object, seed: object, trace: object) -> object:  # type: ignore[override]
            trace.record(iterations=1, cost=3)  # type: ignore[attr-defined]
            return Result(Status.UNKNOWN, None, "someone-else", cost=3, stats={"iterations": 1})

    result = Detailed().solve(EASY, seed=3, trace=True)
    assert (result.puzzle, result.solver, result.seed, result.cost) == (EASY, "detailed", 3, 3)
    assert result.trace["cost"].tolist() == [3]
    assert result.seconds > 0
    another = Result(Status.SOLVED, TINY, "dlx", solution=solve(TINY).solution)
    with pytest.raises(WrongAnswerError, match="returning"):
        returning(another).solve(EASY)
    text = Result(Status.SOLVED, EASY, "returning", solution=solve(EASY).solution.line)  # type: ignore[union-attr, arg-type]
    assert returning(text).solve(EASY).solution == solve(EASY).solution


@for_each("num_samples", range(1, 40))
def test_a_trace_keeps_evenly_spaced_samples_up_to_its_capacity_and_the_last_one(num_samples: int) -> None:
    trace = Trace(capacity=4)
    for step in range(num_samples):
        trace.record(iterations=step)
    steps = trace.columns()["iterations"].tolist()
    stride = 1 if len(steps) == 1 else int(steps[1])
    even = list(range(0, num_samples, stride))
    assert steps in (even, [*even, num_samples - 1])
    assert steps[-1] == num_samples - 1
    assert min(num_samples, 2) <= len(even) <= 4


def test_a_solver_that_breaks_the_rules_fails_the_checks() -> None:
    class Forgetful(Solver):
        """Ignores its budget of steps and its seed."""

        name = "forgetful"
        unit = "iterations"

        def run(self, puzzle: object, budget: object, seed: object, trace: object) -> object:  # type: ignore[override]
            clock = Clock(Budget(iterations=30))
            while clock.step():
                trace.record(iterations=clock.steps, cost=time.perf_counter())  # type: ignore[attr-defined]
            return solve(puzzle).solution  # type: ignore[arg-type]

    with pytest.raises(AssertionError, match="forgetful: repeats_a_run_with_the_same_seed: trace column cost differs"):
        check_solver(Forgetful)
    with pytest.raises(AssertionError, match="returning: solves_easy_puzzles: did not solve"):
        check_solver(returning(None))
    with pytest.raises(AssertionError, match="returning: solves_easy_puzzles: WrongAnswerError"):
        check_solver(returning("1" * 81))


def test_traces_of_long_runs_are_evenly_spaced() -> None:
    class Counting(Solver):
        name = "counting"
        unit = "iterations"

        def run(self, puzzle: object, budget: Budget, seed: object, trace: object) -> object:  # type: ignore[override]
            clock = Clock(budget)
            while clock.step():
                trace.record(iterations=clock.steps, cost=1)  # type: ignore[attr-defined]
            return None

    steps = Counting().solve(TINY, Budget(iterations=10_001), trace=True).trace["iterations"]
    assert 2048 <= len(steps) <= 4096
    assert steps[-1] == 10_001
    assert len(set(steps[1:-1] - steps[:-2])) == 1
