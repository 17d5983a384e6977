"""Traces in a store: those of runs that have left the plan, and damaged ones."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sudokulab.errors import SudokulabError
from sudokulab.lab.experiment import InstanceSet, Run
from sudokulab.lab.records import RunRecord
from sudokulab.lab.report import report, trace_figures
from sudokulab.lab.store import Store
from sudokulab.web.settings import Settings
from tests.cases import for_each
from tests.lab.test_store import EXPERIMENT, PLAN, RECORD, filled
from tests.puzzles import EASY
from tests.web.servers import client_of
from tests.web.test_stores import get

RUNS = "/api/lab/stores/s/experiments/1/runs"


def traced(*values: float) -> RunRecord:
    return replace(RECORD, trace={"x": np.arange(float(len(values))), "y": np.array(values)})


def store_with_a_changed_puzzle(path: Path) -> Run:
    """Write a store with one run, finished last, that has the place of a run in the plan but another puzzle."""
    (run, *_) = PLAN
    old = replace(run, key="left the plan", puzzle=EASY)
    with Store(path) as store:
        store.begin(EXPERIMENT, [old])
        store.add("test", [(run, traced(1, 2)), (old, traced(8, 9))])
        store.begin(EXPERIMENT, PLAN)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET finished = '2020-01-01T00:00:00Z' WHERE key = ?", [run.key])
    connection.close()
    return run


def test_traces_are_those_of_the_runs_in_the_plan(tmp_path: Path) -> None:
    run = store_with_a_changed_puzzle(tmp_path / "s.sqlite")
    with Store(tmp_path / "s.sqlite") as store:
        (traced_run,) = store.traces("test")
        assert traced_run[:5] == (run.solver.title, run.instance_set, run.instance, run.puzzle.size, run.number)
        assert traced_run.trace["y"].tolist() == [1, 2]
        found = store.trace_of("test", run.solver.title, run.instance, run.number)
        assert found["y"].tolist() == [1, 2]
        assert len(store.runs("test")) == 1
        (figure,) = trace_figures(store, "test")
        assert len(figure.draw.keywords["traces"][run.solver.title]) == 1  # type: ignore[attr-defined]


def test_a_run_that_has_left_the_plan_has_no_trace(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite")
    smaller = EXPERIMENT.model_copy(update={"instances": (InstanceSet(set="famous", limit=1),)})
    with Store(path) as store:
        store.begin(smaller, smaller.plan())
        assert {run.instance for run in store.traces("test")} == {PLAN[0].instance}
        left = next(run for run in PLAN if run.instance != PLAN[0].instance)
        assert store.trace_of("test", left.solver.title, left.instance, left.number) == {}


def test_the_rate_counts_only_runs_in_the_plan(tmp_path: Path) -> None:
    store_with_a_changed_puzzle(tmp_path / "s.sqlite")
    with Store(tmp_path / "s.sqlite") as store:
        assert store.standing("test").num_recent == 0  # the run in the plan finished long ago


def test_runs_in_one_place_have_their_own_traces(tmp_path: Path) -> None:
    (run, *_) = PLAN
    twin = replace(run, key="f" * 24, puzzle=EASY)  # names were not always distinct
    with Store(tmp_path / "s.sqlite") as store:
        store.begin(EXPERIMENT, [run, twin])
        store.add("test", [(run, traced(1, 2)), (twin, traced(8, 9))])
    with client_of(Settings(stores=(tmp_path / "s.sqlite",))) as client:
        for one, values in ((run, [1, 2]), (twin, [8, 9])):
            assert get(client, f"{RUNS}/{one.key}")["trace"]["y"] == values


DAMAGE = {
    "text": "'no archive'",
    "number": "7",
    "empty": "x''",
    "cut": "substr(trace, 1, 90)",
    "checksum": "CAST(substr(trace, 1, 60) || x'ffff' || substr(trace, 63) AS BLOB)",
    "method": "CAST(replace(trace, x'504b0102140314000000080000', x'504b01021403140000000e0000') AS BLOB)",
}


PLACE = (PLAN[0].solver.title, PLAN[0].instance, PLAN[0].number)
COMPLAINT = f"s.sqlite: the store is damaged: the trace of run 0 of {PLACE[0]} on {PLACE[1]} cannot be"


def damaged(path: Path, kind: str) -> Path:
    """Make a store, and damage the trace of its first run."""
    filled(path)
    where = "solver = ? AND instance = ? AND run = ?"
    with sqlite3.connect(path) as connection:
        ((before,),) = connection.execute(f"SELECT trace FROM runs WHERE {where}", PLACE)
        connection.execute(f"UPDATE runs SET trace = {DAMAGE[kind]} WHERE {where}", PLACE)
        ((after,),) = connection.execute(f"SELECT trace FROM runs WHERE {where}", PLACE)
    connection.close()
    assert after != before
    return path


@for_each("kind", DAMAGE)
def test_a_damaged_trace_names_the_store_and_the_run(tmp_path: Path, kind: str) -> None:
    with Store(damaged(tmp_path / "s.sqlite", kind), is_readonly=True) as store:
        for use in (lambda: list(store.traces("test")), lambda: store.trace_of("test", *PLACE)):
            with pytest.raises(SudokulabError, match=f"^{tmp_path}/{COMPLAINT}"):
                use()


def test_reports_and_the_server_name_a_damaged_trace(tmp_path: Path) -> None:
    path = damaged(tmp_path / "s.sqlite", "cut")
    with Store(path, is_readonly=True) as store, pytest.raises(SudokulabError, match=COMPLAINT):
        report(store, "test")
    with client_of(Settings(stores=(path,))) as client:
        for url in (f"{RUNS}/{PLAN[0].key}", "/api/lab/stores/s/experiments/1"):
            response = client.get(url)
            assert response.status_code == 422
            assert response.json()["detail"].startswith(COMPLAINT)
