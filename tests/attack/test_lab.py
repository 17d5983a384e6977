"""Hostile solvers and environments: each misbehaviour becomes one stored run with a cause."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sudokulab.errors import SudokulabError
from sudokulab.lab import cores, execution
from sudokulab.lab.execution import run_experiment
from sudokulab.lab.experiment import BudgetSpec, Experiment, InstanceSet, Run, SolverSpec
from sudokulab.lab.records import Outcome
from sudokulab.lab.report import report
from sudokulab.lab.store import Store
from sudokulab.lab.worker import Worker, perform

pytestmark = pytest.mark.slow


def experiment_of(*names: str, trace: bool = False, runs: int = 1) -> Experiment:
    return Experiment(
        name="attack",
        runs=runs,
        budget=BudgetSpec(cpu_seconds=0.5, grace_seconds=0.1),
        trace=trace,
        instances=(InstanceSet(set="famous", limit=1),),
        solvers=tuple(SolverSpec(name=f"tests.lab.cheats:{name}", label=rf"{name} b$\frac$") for name in names),
    )


def run_of(name: str) -> Run:
    (run,) = experiment_of(name).plan()
    return run


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


ODD = {
    "RealTimeSignal": (Outcome.CRASHED, "the process died: signal 40"),
    "HugeStats": (Outcome.ERROR, "unreadable answer: stats: steps is 1000"),
    "NanStats": (Outcome.ERROR, "unreadable answer: stats: ratio is nan; use a finite number"),
    "NanSeconds": (Outcome.ERROR, "unreadable answer: seconds is nan"),
    "Surrogate": (Outcome.ERROR, r"RuntimeError: half of a pair: \ud800, \x1b[31mred"),
    "Unspeakable": (Outcome.ERROR, "SilentError: its message cannot be read (RuntimeError)"),
    "Verbose": (Outcome.ERROR, "RuntimeError: very very"),
    "ErrorNumber": (Outcome.ERROR, "unreadable answer: error is int; use text"),
    "Nothing": (Outcome.ERROR, "the solver returned NoneType; return a Result"),
    "FileTrace": (Outcome.SOLVED, ""),
    "ObjectTrace": (Outcome.ERROR, "unreadable answer: trace: x is not an array of numbers"),
    "UnevenTrace": (Outcome.ERROR, "unreadable answer: trace has columns of different lengths"),
    "HugeTrace": (Outcome.ERROR, "unreadable answer: 80,"),
    "Hangup": (Outcome.CRASHED, "the process closed its connection"),
    "PickleForger": (Outcome.ERROR, "unreadable answer"),
    "EndlessForger": (Outcome.ERROR, "unreadable answer: an answer of 4,611,686"),
    "StaleForger": (Outcome.ERROR, "unreadable answer: the answer belongs to another run"),
}


@pytest.mark.thorough
def test_every_hostile_solver_gives_one_stored_run_with_a_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDOKULAB_TEST_MARK", str(tmp_path / "ran"))
    experiment = experiment_of(*ODD, trace=True)
    with Store(tmp_path / "s.sqlite") as store:
        assert run_experiment(experiment, store, workers=1) == len(ODD)
        runs = store.runs("attack")
        text = report(store, "attack")
    found = {row["solver"].partition(" ")[0]: (row["outcome"], row["error"]) for row in runs.to_dicts()}
    for name, (outcome, words) in ODD.items():
        assert found[name][0] == outcome, (name, found[name])
        assert words in (found[name][1] or ""), name
        assert len(found[name][1] or "") < 11_000
    assert r"b$\frac$ over file" in text.lower()


def test_a_solver_that_never_completes_its_answer_is_killed(worker: Worker) -> None:
    assert perform(run_of("HalfForger"), worker).outcome == Outcome.KILLED


@pytest.mark.parametrize("solver", ["Bomb", "PickleForger"])
def test_a_solver_cannot_run_code_in_the_harness(
    worker: Worker, solver: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "ran"
    monkeypatch.setenv("SUDOKULAB_TEST_MARK", str(mark))
    perform(run_of(solver), worker)
    assert not mark.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("solver", ["Alarm", "Handler", "Thread", "Deserter"])
def test_leftovers_of_a_solver_do_not_affect_the_next_run(worker: Worker, solver: str) -> None:
    first = perform(run_of(solver), worker)
    assert first.outcome == Outcome.SOLVED, first.error
    second = perform(run_of("Patient"), worker)
    assert second.outcome == Outcome.SOLVED, second.error


@pytest.mark.parametrize("solver", ["Tracer", "Patcher", "Limiter"])
def test_what_a_solver_changes_in_its_process_stays_there(worker: Worker, solver: str) -> None:
    first = perform(run_of(solver), worker)
    assert first.outcome == Outcome.SOLVED, first.error
    second = perform(run_of("Reader"), worker)
    assert second.outcome == Outcome.SOLVED, second.error


def test_each_solver_has_one_process_per_worker(tmp_path: Path) -> None:
    experiment = experiment_of("Counted").model_copy(
        update={
            "budget": BudgetSpec(cpu_seconds=60),
            "runs": 3,
            "instances": (InstanceSet(set="famous", limit=2),),
            "solvers": tuple(SolverSpec(name="tests.lab.cheats:Counted", label=label) for label in "ABC"),
        }
    )
    with Store(tmp_path / "s.sqlite") as store:
        assert run_experiment(experiment, store, workers=1) == 18
        runs = store.runs("attack")
    assert runs["outcome"].unique().to_list() == [Outcome.SOLVED]
    assert len(runs.select("solver", "stats_pid").unique()) == runs["stats_pid"].n_unique() == 3


def test_solvers_take_turns_and_no_run_is_lost() -> None:
    base = experiment_of("Counted", "Patient", "Reader").model_copy(update={"runs": 250})
    plan = base.plan()
    ordered = list(execution._in_stretches(plan))
    assert sorted(map(id, ordered)) == sorted(map(id, plan))
    stretches = [(solver, len(list(runs))) for solver, runs in itertools.groupby(ordered, lambda run: run.solver.name)]
    assert [length for _, length in stretches] == [100] * 6 + [50] * 3
    assert [run.number for run in ordered if run.solver == plan[0].solver] == list(range(250))
    assert list(execution._in_stretches([])) == []


def test_a_worker_that_dies_between_runs_is_replaced(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    good = run_of("Patient")
    assert perform(good, worker).outcome == Outcome.SOLVED
    assert worker._process is not None
    os.kill(worker._process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, worker._process.pid, os.WEXITED | os.WNOWAIT)
    # make the worker look alive, so that sending the run fails
    monkeypatch.setattr(Worker, "_is_idle", lambda self: self._process is not None)
    assert perform(good, worker).outcome == Outcome.SOLVED


def test_a_worker_killed_during_startup_is_restarted(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    spawn, number = Worker._spawn, itertools.count()

    def spawn_and_kill(self: Worker) -> None:
        spawn(self)
        if next(number) < 2:
            assert self._process is not None
            self._process.kill()

    monkeypatch.setattr(Worker, "_spawn", spawn_and_kill)
    assert perform(run_of("Patient"), worker).outcome == Outcome.SOLVED
    assert next(number) == 3


def test_the_error_says_why_no_worker_could_be_started(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(SudokulabError, match=r"no worker process could be started .*: the process died: exit code 1"):
        perform(run_of("Patient"), worker)


def test_a_worker_ignores_modules_in_the_current_folder(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("random", "pickle", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    assert perform(run_of("Patient"), worker).outcome == Outcome.SOLVED


def test_a_worker_uses_the_import_path_of_the_harness(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "from sudokulab.solvers import Backtracking\nclass Mine(Backtracking): pass\n"
    for folder, text in (("first", code), ("second", "raise ImportError")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine_of_this_test.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path / folder) if folder == "first" else sys.path.append(str(tmp_path / folder))
    try:
        run = replace(run_of("Patient"), solver=SolverSpec(name="mine_of_this_test:Mine"))
        assert perform(run, worker).outcome == Outcome.SOLVED
    finally:
        sys.path.remove(str(tmp_path / "second"))


def test_instances_with_unusual_names_are_run_and_reported(tmp_path: Path) -> None:
    text = '{"puzzle": "1.....3..4.....2", "name": "b$\\\\frac$ \\ud800 \\u001b"}\n'
    (tmp_path / "odd.jsonl").write_text(text)
    experiment = experiment_of("Patient").model_copy(update={"instances": (InstanceSet(set="odd.jsonl"),)})
    with Store(tmp_path / "s.sqlite") as store:
        assert run_experiment(experiment, store, folder=tmp_path, workers=1) == 1
        assert "1 run of 1 solver" in report(store, "attack")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cores, "gettempdir", lambda: str(tmp_path))
    return tmp_path


def test_core_locks_neither_follow_links_nor_truncate_files(temporary: Path) -> None:
    precious = temporary / "precious"
    precious.write_text("data")
    folder = temporary / f"sudokulab-{os.getuid()}"
    folder.mkdir(mode=0o700)
    for core in os.sched_getaffinity(0):
        (folder / f"core-{core}.lock").symlink_to(precious)
        (temporary / f"sudokulab-{os.getuid()}-core-{core}.lock").symlink_to(precious)
    with cores.free_cores(1) as taken:
        assert taken == [None]
    assert precious.read_text() == "data"


def test_core_locks_are_not_created_in_a_linked_folder(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (temporary / f"sudokulab-{os.getuid()}").symlink_to(elsewhere)
    with cores.free_cores(1) as taken:
        assert taken == [None]
    assert not list(elsewhere.iterdir())


def test_a_core_is_reserved_only_once(temporary: Path) -> None:
    with cores.free_cores(1) as first, cores.free_cores(len(os.sched_getaffinity(0))) as others:
        assert first[0] is not None
        assert first[0] not in others
    with cores.free_cores(1) as again:
        assert again == first
