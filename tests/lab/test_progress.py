"""Long jobs report their progress where no terminal shows a live view."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sudokulab._internal import progress
from sudokulab._internal.progress import progress_lines
from sudokulab.cli import app
from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, RunRecord, SolverSpec
from sudokulab.lab.live import Tally
from sudokulab.lab.records import Outcome
from tests.puzzles import EASY
from tests.timing import PATIENCE_SECONDS

LINE = r"^\d+ of {} {}, 0:\d\d elapsed"


def test_lines_are_printed_at_each_interval_until_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    num_lines, num_threads = 0, threading.active_count()
    has_three = threading.Event()

    def describe() -> str:
        nonlocal num_lines
        num_lines += 1
        if num_lines == 3:
            has_three.set()
        return f"line {num_lines}"

    with progress_lines(describe, interval=0.01):
        assert has_three.wait(PATIENCE_SECONDS)
    assert capsys.readouterr().err.startswith("line 1\nline 2\nline 3\n")
    assert threading.active_count() == num_threads  # nobody is left who could print


def test_short_jobs_print_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_lines(lambda: "line"):
        pass
    assert capsys.readouterr().err == ""


def test_a_tally_tells_what_is_done_and_left() -> None:
    experiment = Experiment(
        name="e",
        runs=4,
        budget=BudgetSpec(cpu_seconds=1),
        instances=(InstanceSet(set="famous", limit=1),),
        solvers=(SolverSpec(name="ant-colony"),),
    )
    plan = experiment.plan()
    tally = Tally.of(plan)
    assert str(tally) == "0 of 4 runs, 0:00 elapsed"
    tally(plan[0], None)
    tally(plan[0], RunRecord(Outcome.SOLVED, 0.1, 0.1))
    tally.began = time.monotonic() - 100.5
    assert str(tally) == "1 of 4 runs, 1:40 elapsed, about 5:01 left"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.05)


def invoke(*args: str) -> str:
    done = CliRunner().invoke(app, list(args))
    assert done.exit_code == 0, done.output
    return done.stderr


@pytest.mark.usefixtures("impatient")
def test_run_prints_progress_lines(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(
        'name = "e"\nruns = 3\nbudget = { cpu_seconds = 5 }\ninstances = [{ set = "famous", limit = 1 }]\n'
        'solvers = [{ name = "tests.lab.cheats:Slow" }]\n'
    )
    said = invoke("run", str(tmp_path / "e.toml"), "--workers", "1")
    assert re.search(LINE.format(3, "runs"), said, re.MULTILINE)


@pytest.mark.usefixtures("impatient")
def test_compare_prints_progress_lines() -> None:
    said = invoke("compare", EASY.line, "--runs", "3", "--solver", "tests.lab.cheats:Slow", "--workers", "1")
    assert re.search(LINE.format(3, "runs"), said, re.MULTILINE)


@pytest.mark.usefixtures("impatient")
def test_tune_prints_progress_lines() -> None:
    said = invoke("tune", "25x25-0.45", "-s", "ant-colony", "--limit", "1", "--trials", "2", "--cpu-seconds", "0.1")
    assert re.search(LINE.format(2, "trials"), said, re.MULTILINE)
