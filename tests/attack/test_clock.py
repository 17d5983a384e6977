"""A wall clock that is set back and forth by a day: budgets, experiments, stores and the server do not depend on it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sudokulab.lab import Store
from tests.puzzles import EASY

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="preloads a library"),
]

SECONDS_TO_HANG = 300
EXPERIMENT = """
name = "clock"
runs = 3
[budget]
cpu_seconds = 0.2
grace_seconds = 60
[[instances]]
set = "easy"
limit = 3
[[solvers]]
name = "auto"
[[solvers]]
name = "tabu"
params = {}
"""


@pytest.fixture(scope="module")
def jumping(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return jumping_clock(tmp_path_factory.mktemp("clock"))


def jumping_clock(folder: Path) -> dict[str, str]:
    """Return the environment of a process whose wall clock jumps."""
    library = folder / "clock.so"
    source = Path(__file__).with_name("clock.cpp")
    command = ["g++", "-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return {**os.environ, "LD_PRELOAD": str(library)}


def run(environment: dict[str, str], *command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS_TO_HANG,
        check=False,
    )


def output_of(environment: dict[str, str], code: str) -> str:
    done = run(environment, "-c", textwrap.dedent(code))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_clock_jumps(jumping: dict[str, str]) -> None:
    steps = json.loads(
        output_of(jumping, "import time; t = [time.time() for _ in range(9)]; print([b - a for a, b in zip(t, t[1:])])")
    )
    assert min(steps) < -80_000
    assert max(steps) > 80_000


def test_budgets_are_kept(jumping: dict[str, str]) -> None:
    found = output_of(
        jumping,
        """
        from sudokulab import Budget, BudgetError, Puzzle, count, explain, generate, solve, solve_many
        hard = Puzzle.empty(49)
        for solver in ("tabu", "conflict-driven", "dlx"):
            result = solve(hard, solver, budget=Budget(seconds=0.3))
            print(0 <= result.seconds < 200)
            result = solve(hard, solver, budget=Budget(seconds=0))
            print(result.seconds >= 0)
        print(all(0 <= r.seconds < 200 for r in solve_many([hard] * 4, "tabu", seconds=0.1)))
        try:
            count("." * 81, seconds=0.3)
        except BudgetError:
            print(True)
        """,
    )
    assert found.split() == ["True"] * 8


def test_no_budget_ends_early(jumping: dict[str, str]) -> None:
    """A budget of hours is not over after a second, whatever the wall clock says."""
    found = output_of(
        jumping,
        f"""
        from sudokulab import Budget, generate, rate, solve, solve_many
        budget = Budget(seconds=3600)
        print(solve({EASY.line!r}, "backtracking", budget=budget).is_solved)
        print(all(result.is_solved for result in solve_many([{EASY.line!r}] * 2000, "dlx", budget=budget)))
        print(rate({EASY.line!r}, budget=budget).is_rated)
        print(len(list(generate(20, level="hard", seed=1, budget=budget))) == 20)
        """,
    )
    assert found.split() == ["True"] * 4


def test_experiments_finish_and_resume(jumping: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    for _ in range(2):
        done = run(jumping, "-m", "sudokulab", "run", "experiment.toml", "--workers", "1", folder=tmp_path)
        assert done.returncode == 0, done.stderr
    assert "12 of 12 runs are already in the store" in done.stderr
    found = output_of(
        jumping,
        f"""
        import json
        from sudokulab.lab import Store
        with Store({str(tmp_path / "experiment.sqlite")!r}, is_readonly=True) as store:
            rows = store.runs("clock").to_dicts()
        print(json.dumps([[row["outcome"], row["cpu_seconds"], row["wall_seconds"]] for row in rows]))
        """,
    )
    for outcome, cpu_seconds, wall_seconds in json.loads(found):
        assert outcome in ("solved", "unsolved", "late")
        assert 0 <= cpu_seconds < 60
        assert 0 <= wall_seconds < SECONDS_TO_HANG


def test_the_rate_of_runs_survives_a_clock_that_was_set_back(tmp_path: Path) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    assert run({**os.environ}, "-m", "sudokulab", "run", "experiment.toml", folder=tmp_path).returncode == 0
    ahead = time.time() + 3600
    with closing(sqlite3.connect(tmp_path / "experiment.sqlite")) as connection, connection:
        for number, (key,) in enumerate(connection.execute("SELECT key FROM runs").fetchall()):
            finished = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ahead + 4 * number))
            connection.execute("UPDATE runs SET finished = ? WHERE key = ?", [finished, key])
    with Store(tmp_path / "experiment.sqlite", is_readonly=True) as store:
        standing = store.standing("clock")
    assert (standing.num_recent, standing.recent_seconds) == (12, 44)


@contextmanager
def served(environment: dict[str, str]) -> Iterator[str]:
    command = [sys.executable, "-u", "-m", "sudokulab", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield line.split(" at ")[1].split()[0].rstrip("/")
        finally:
            process.terminate()
            process.wait(timeout=SECONDS_TO_HANG)


def test_the_server_answers(jumping: dict[str, str]) -> None:
    with served(jumping) as address:
        for _ in range(20):
            request = urllib.request.Request(
                f"{address}/api/solve",
                json.dumps({"puzzle": EASY.line, "seconds": 20}).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=SECONDS_TO_HANG) as answer:
                assert json.load(answer)["status"] == "solved"
