"""Runs survive faulty solvers and killed processes, and every fault is recorded."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab.errors import SudokulabError
from sudokulab.lab.execution import run_experiment
from sudokulab.lab.experiment import BudgetSpec, Experiment, InstanceSet, Run, SolverSpec
from sudokulab.lab.faults import faults
from sudokulab.lab.messages import Reply
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.report import report
from sudokulab.lab.store import Store
from sudokulab.lab.worker import Worker, _judge, perform
from sudokulab.search.result import Status
from tests.cases import for_each
from tests.puzzles import EASY
from tests.timing import PATIENCE_SECONDS, busy_processes, wait_until

pytestmark = pytest.mark.slow

EXPERIMENT = """
name = "slow"
runs = 20
[budget]
cpu_seconds = 1
[[instances]]
set = "famous"
limit = 2
[[solvers]]
name = "tests.lab.cheats:Slow"
label = "slow"
"""


def experiment_of(*names: str, runs: int = 1, seconds: float = 0.3, limit: int = 1) -> Experiment:
    specs = [
        SolverSpec(name=name if ":" in name or "-" in name else f"tests.lab.cheats:{name}", label=name)
        for name in names
    ]
    return Experiment(
        name="test",
        runs=runs,
        budget=BudgetSpec(cpu_seconds=seconds, grace_seconds=0.6),
        instances=(InstanceSet(set="famous", limit=limit),),
        solvers=tuple(specs),
    )


@for_each(
    ("solver", "outcome", "words"),
    [
        ("Slow", Outcome.SOLVED, ""),
        ("WrongGrid", Outcome.WRONG, "the solver returned an invalid solution"),
        ("WrongGridChecked", Outcome.WRONG, "bug in the solver"),
        ("Busy", Outcome.KILLED, "did not stop at its budget"),
        ("Asleep", Outcome.KILLED, "did not stop at its budget"),
        ("Crash", Outcome.CRASHED, "the process died: SIGSEGV"),
        ("Quit", Outcome.CRASHED, "the process died: exit code 3"),
        ("Raise", Outcome.ERROR, "RuntimeError: out of ideas"),
        ("Late", Outcome.LATE, "s for a budget of 0.3 s"),
        ("Liar", Outcome.LATE, "s for a budget of 0.3 s"),
        ("Unpicklable", Outcome.ERROR, "unreadable answer"),
    ],
)
def test_the_harness_catches(solver: str, outcome: str, words: str) -> None:
    (run,) = experiment_of(solver).plan()
    seconds = 0.1 if solver == "Liar" else 0.3
    grace = 0.6 if outcome == Outcome.KILLED else 60  # even a starved run may take its time
    run = Run(**{**run.__dict__, "budget": BudgetSpec(cpu_seconds=seconds, grace_seconds=grace)})
    worker = Worker()
    try:
        record = perform(run, worker)
        assert record.outcome == outcome, record
        assert words.replace("0.3", f"{seconds:g}") in (record.error or "")
        assert record.is_success == (outcome == Outcome.SOLVED)
        # the next run on the same worker is not affected
        good = Run(**{**run.__dict__, "solver": SolverSpec(name="backtracking")})
        assert perform(good, worker).outcome == Outcome.SOLVED
    finally:
        worker.stop()


def test_a_busy_run_is_late_by_its_cpu_time_on_a_busy_machine() -> None:
    (run,) = experiment_of("Late").plan()
    record = _judge(run, Reply(Status.UNKNOWN, 0.7, 30.0, seconds=0.7), asleep_seconds=0)
    assert (record.outcome, record.error) == (Outcome.LATE, "0.70 s for a budget of 0.3 s")


def test_a_misreported_time_is_measured_and_listed_as_a_fault(tmp_path: Path) -> None:
    experiment = experiment_of("Liar", seconds=2)
    with Store(tmp_path / "s.sqlite") as store:
        run_experiment(experiment, store, workers=1)
        runs = store.runs()
    assert runs["is_success"].all()
    assert 0.35 < runs["seconds"][0] < 1
    assert runs["reported_seconds"][0] == 1e-6
    assert faults(runs)["fault"].to_list() == ["misreported time"]


def test_all_runs_are_stored_with_their_provenance(tmp_path: Path) -> None:
    experiment = experiment_of("ant-colony", "Slow", runs=2, limit=3, seconds=5)
    with Store(tmp_path / "s.sqlite") as store:
        assert run_experiment(experiment, store, workers=2) == 12
        assert run_experiment(experiment, store, workers=2) == 0
        runs = store.runs("test")
        assert list(store.experiments().values()) == [experiment]
    assert runs["is_success"].all()
    assert len(runs) == 12
    for column in (
        "instance",
        "solver",
        "spec",
        "seed",
        "outcome",
        "wall_seconds",
        "cpu_seconds",
        "version",
        "machine",
    ):
        assert runs[column].null_count() == 0
    assert runs.filter(solver="ant-colony")["stats_iterations"].null_count() == 0


def test_an_experiment_can_be_extended_but_its_budget_cannot_change(tmp_path: Path) -> None:
    small, large = experiment_of("Slow", runs=1, seconds=5), experiment_of("Slow", "ant-colony", runs=2, seconds=5)
    with Store(tmp_path / "s.sqlite") as store:
        assert run_experiment(small, store) == 1
        assert run_experiment(large, store) == 3
        with pytest.raises(SudokulabError, match="another experiment named 'test'"):
            run_experiment(experiment_of("Slow", seconds=6), store)


def start(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "sudokulab", "run", str(folder / "e.toml"), "--workers", "2"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def num_runs(folder: Path) -> int:
    try:
        with sqlite3.connect(f"file:{folder / 'e.sqlite'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def wait_for_runs(folder: Path, number: int) -> None:
    wait_until(lambda: num_runs(folder) >= number)


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_at_any_moment_it_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    first = start(tmp_path)
    wait_for_runs(tmp_path, 5)
    first.send_signal(how)
    _, said = first.communicate(timeout=PATIENCE_SECONDS)
    if how is signal.SIGINT:
        assert first.returncode == 130
        assert "the same command resumes" in said
    before = num_runs(tmp_path)
    assert 5 <= before < 40
    second = start(tmp_path)
    out, said = second.communicate(timeout=PATIENCE_SECONDS)
    assert second.returncode == 0, said
    assert "runs are already in the store" in said
    with Store(tmp_path / "e.sqlite", is_readonly=True) as store:
        runs = store.runs()
    assert len(runs) == 40  # none lost; the primary key rules out duplicates
    assert runs["is_success"].all()
    assert "slow" in out


def test_two_processes_share_a_store_without_repeating_a_run(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    both = [start(tmp_path), start(tmp_path)]
    for process in both:
        _, said = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0, said
    with Store(tmp_path / "e.sqlite") as store:
        runs = store.runs()
    assert len(runs) == 40
    with sqlite3.connect(tmp_path / "e.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_claim_holds_while_its_process_runs(tmp_path: Path) -> None:
    (run,) = experiment_of("Slow").plan()
    with Store(tmp_path / "s.sqlite") as store:
        code = (
            "import sys, time\nfrom sudokulab.lab.store import Store\n"
            "from tests.lab.test_execution import experiment_of\n"
            "(run,) = experiment_of('Slow').plan()\n"
            f"print(Store({str(tmp_path / 's.sqlite')!r}).claim('test', run), flush=True)\ntime.sleep(60)"
        )
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
        assert other.stdout
        assert other.stdout.readline() == "True\n"
        assert not store.claim("test", run)
        other.kill()
        other.communicate()
        assert store.claim("test", run)
        store.add("test", [(run, RunRecord(Outcome.SOLVED, 0.1, 0.1))])
        assert not store.claim("test", run)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_text("not a database, but long enough to be read" * 20)
    with pytest.raises(SudokulabError, match="not a store of runs"):
        Store(tmp_path / "x.sqlite")
    with pytest.raises(SudokulabError, match="no such store"):
        Store(tmp_path / "y.sqlite", is_readonly=True)


@for_each(
    ("solver", "words"),
    [("Sleeper", "slept 1."), ("Outsourcer", "for a budget of 0.3 s"), ("Odd", "unreadable answer")],
)
def test_time_in_other_processes_and_invalid_answers_are_detected(solver: str, words: str) -> None:
    (run,) = experiment_of(solver).plan()
    worker = Worker()
    try:
        record = perform(run, worker)
    finally:
        worker.stop()
    assert not record.is_success
    assert words in (record.error or "")


@for_each("solver", ["Steady", "Delegate"])
def test_waiting_for_a_core_is_not_sleeping(solver: str) -> None:
    (run,) = experiment_of(solver).plan()
    core = min(os.sched_getaffinity(0))
    with busy_processes(8, core):
        worker = Worker(core)
        try:
            record = perform(run, worker)
        finally:
            worker.stop()
    assert record.outcome == Outcome.SOLVED, record
    assert record.error is None
    assert 0.15 <= record.cpu_seconds < 0.5
    assert record.wall_seconds > 2 * record.cpu_seconds


def test_a_false_unsatisfiable_is_wrong(tmp_path: Path) -> None:
    experiment = experiment_of("Slow", "Denier", seconds=5)
    with Store(tmp_path / "s.sqlite") as store:
        run_experiment(experiment, store)
        runs = store.runs("test")
        text = report(store, "test")
    (denied,) = runs.filter(solver="Denier").to_dicts()
    assert (denied["outcome"], denied["is_success"], denied["error"]) == (
        "wrong",
        False,
        "another solver has solved it",
    )
    assert "another solver has solved it" in text


def test_a_report_states_that_runs_are_missing(tmp_path: Path) -> None:
    experiment = experiment_of("Slow", runs=3, seconds=5)
    with Store(tmp_path / "s.sqlite") as store:
        first, *_ = experiment.plan()
        store.begin(experiment, experiment.plan())
        store.add("test", [(first, RunRecord(Outcome.SOLVED, 0.1, 0.1))])
        assert "Incomplete: 1 of 3 runs have finished" in report(store, "test")


def test_runs_of_an_earlier_plan_are_left_out(tmp_path: Path) -> None:
    def ants(number: int) -> Experiment:
        return Experiment(
            name="ants",
            budget=BudgetSpec(cpu_seconds=5),
            instances=(InstanceSet(set="famous", limit=1),),
            solvers=(SolverSpec(name="ant-colony", label="ants", params={"ants": number}),),
        )

    with Store(tmp_path / "s.sqlite") as store:
        run_experiment(ants(3), store)
        run_experiment(ants(30), store)
        assert len(store.runs("ants")) == 1
        assert '"ants":30' in store.runs("ants")["spec"][0]
        assert len(store.runs()) == 2


@pytest.mark.thorough
def test_the_report_lists_errors(tmp_path: Path) -> None:
    experiment = experiment_of("Slow", "WrongGrid", "Busy", "Crash", "Late", "Raise")
    with Store(tmp_path / "s.sqlite") as store:
        run_experiment(experiment, store)
        text = report(store, "test")
    for word in (
        "wrong",
        "killed",
        "crashed",
        "late",
        "error",
        "the solver returned an invalid solution",
        "5 of 6 runs had errors",
    ):
        assert word in text
    assert "https://" not in text.replace("http://www.w3.org", "")  # self-contained
    assert "sudokulab run experiment.toml" in text


def test_the_answers_of_programs_are_verified(tmp_path: Path) -> None:
    script = tmp_path / "p.py"
    script.write_text(
        "import sys\nfrom sudokulab import read, solve\nprint(solve(next(read(sys.argv[1]))).solution.line)\n",
        encoding="utf-8",
    )
    experiment = Experiment(
        name="programs",
        budget=BudgetSpec(cpu_seconds=10),
        instances=(InstanceSet(set="famous", limit=1),),
        solvers=(
            SolverSpec(label="good", command=f"{sys.executable} {script} {{file}}"),
            SolverSpec(label="bad", command=f"{sys.executable} -c \"print('{EASY.line}'.replace('.', '1'))\" {{file}}"),
        ),
    )
    with Store(tmp_path / "s.sqlite") as store:
        run_experiment(experiment, store)
        outcomes = dict(store.runs().select("solver", "outcome").iter_rows())
    assert outcomes["good"] == Outcome.SOLVED
    assert outcomes["bad"] in (Outcome.WRONG, Outcome.ERROR)
