"""Experiments on a real dask cluster, whose workers and scheduler are killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sudokulab.errors import SudokulabError
from sudokulab.lab.execution import run_experiment
from sudokulab.lab.experiment import BudgetSpec, Experiment, InstanceSet, Run, SolverSpec
from sudokulab.lab.records import RunRecord
from sudokulab.lab.store import Store
from tests.lab.test_execution import num_runs
from tests.timing import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(__file__).parents[2]),
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": f"{PATIENCE_SECONDS}s",  # a starved worker may take its time
}


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, start_new_session=True)


def end(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def read_until(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stderr
    for line in process.stderr:
        if found := re.search(pattern, line):
            threading.Thread(target=process.stderr.read, daemon=True).start()  # keep the pipe empty
            return found[1]
    raise AssertionError("the process ended")


def start_scheduler() -> subprocess.Popen[str]:
    return start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0")


def address_of(scheduler: subprocess.Popen[str]) -> str:
    return read_until(scheduler, r"Scheduler at:\s+(tcp://\S+)")


@pytest.fixture
def scheduler() -> Iterator[str]:
    process = start_scheduler()
    yield address_of(process)
    end(process)


def worker(address: str) -> subprocess.Popen[str]:
    return start("dask_worker", address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--no-dashboard")


def test_the_runs_of_a_dead_worker_are_repeated_on_another_one(scheduler: str, tmp_path: Path) -> None:
    experiment = Experiment(
        name="spread",
        runs=15,
        budget=BudgetSpec(cpu_seconds=5),
        instances=(InstanceSet(set="famous", limit=2),),
        solvers=(SolverSpec(name="tests.lab.cheats:Slow", label="slow"),),
    )
    workers = [worker(scheduler), worker(scheduler)]
    num_done = 0

    def kill_one(_: Run, record: RunRecord | None) -> None:
        nonlocal num_done
        num_done += record is not None
        if num_done == 5 and len(workers) == 2:
            end(workers.pop())

    try:
        with Store(tmp_path / "s.sqlite") as store:
            assert run_experiment(experiment, store, dask=scheduler, observer=kill_one) == 30
            runs = store.runs()
    finally:
        for process in workers:
            end(process)
    assert len(workers) == 1
    assert len(runs) == 30
    assert runs["is_success"].all()


def test_a_scheduler_that_is_killed_ends_the_command_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(
        'name = "lost"\nruns = 500\n[budget]\ncpu_seconds = 5\n[[instances]]\nset = "famous"\nlimit = 2\n'
        '[[solvers]]\nname = "tests.lab.cheats:Slow"\n'
    )
    scheduler = start_scheduler()
    address = address_of(scheduler)
    one = worker(address)
    command = [sys.executable, "-m", "sudokulab", "run", str(tmp_path / "e.toml"), "--dask", address]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    try:
        wait_until(lambda: num_runs(tmp_path) or running.poll() is not None)
    finally:
        end(scheduler)
        _, said = running.communicate(timeout=PATIENCE_SECONDS)
        end(one)
    assert running.returncode == 2, said
    assert f"lost the dask scheduler at {address}; the same command resumes" in said
    assert "Traceback" not in said


def test_a_missing_scheduler_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudokulab._internal.cluster._CONNECT_SECONDS", 1)
    experiment = Experiment(
        name="nowhere", instances=(InstanceSet(set="famous"),), solvers=(SolverSpec(name="backtracking"),)
    )
    with (
        Store(tmp_path / "s.sqlite") as store,
        pytest.raises(SudokulabError, match=r"no dask scheduler at tcp://127\.0\.0\.1:9"),
    ):
        run_experiment(experiment, store, dask="tcp://127.0.0.1:9")
