"""The store keeps every run under concurrent use, and detects damage."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import sqlite3
import sys
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from sudokulab.errors import SudokulabError
from sudokulab.lab.claims import Claimant
from sudokulab.lab.experiment import BudgetSpec, Experiment, InstanceSet, Run, SolverSpec
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.report import report
from sudokulab.lab.schema import VERSION
from sudokulab.lab.store import Store
from tests.cases import for_each

EXPERIMENT = Experiment(
    name="test",
    runs=3,
    trace=True,
    budget=BudgetSpec(cpu_seconds=1),
    instances=(InstanceSet(set="famous", limit=2),),
    solvers=(SolverSpec(name="ant-colony"), SolverSpec(name="annealing")),
)
PLAN = EXPERIMENT.plan()
RECORD = RunRecord(
    Outcome.SOLVED, 0.1, 0.1, stats={"steps": 3.0}, trace={"x": np.arange(9.0), "y": np.arange(9.0)}, cost=0.0
)


def filled(path: Path) -> Path:
    with Store(path) as store:
        store.begin(EXPERIMENT, PLAN)
        store.add("test", [(run, RECORD) for run in PLAN])
    return path


def test_a_store_of_another_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    for is_readonly in (True, False):
        with pytest.raises(SudokulabError, match=r"s\.sqlite: the tables have version 2"):
            Store(path, is_readonly=is_readonly)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE trials (number)")
    connection.close()
    with pytest.raises(SudokulabError, match="not a store of runs"):
        Store(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("trials",)]


def test_a_store_that_another_process_creates_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, waits = tmp_path / "new.sqlite", 0
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN IMMEDIATE")

        def finish(_: float) -> None:
            nonlocal waits
            waits += 1
            other.execute("DROP TABLE t")
            other.execute("COMMIT")

        monkeypatch.setattr(time, "sleep", finish)
        Store(path).close()
    assert waits == 1


def test_containers_with_the_same_host_and_process_ids_do_not_share_a_claim(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as first, Store(tmp_path / "s.sqlite") as second:
        assert first._claimant.process == second._claimant.process
        for place in (first._claimant.place, "boot/pid:[2]", ""):
            second._claimant = second._claimant._replace(place=place)
            for claimer, other in ((first, second), (second, first)):
                assert claimer.claim("test", PLAN[0])
                assert claimer.claim("test", PLAN[0])
                assert not other.claim("test", PLAN[0])
                claimer.release()


def test_a_claim_from_another_machine_holds_while_it_is_renewed(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as here, Store(tmp_path / "s.sqlite") as there:
        there._claimant = Claimant("there", "another boot", "1/1")
        assert there.claim("test", PLAN[0])
        there._connection.execute("UPDATE claims SET renewed = renewed - 1000")
        there.renew()
        assert not here.claim("test", PLAN[0])
        there._connection.execute("UPDATE claims SET renewed = renewed - 1000")
        assert here.claim("test", PLAN[0])
        there.renew()  # does not renew a lost claim
        assert not there.claim("test", PLAN[0])


def test_a_claim_expires_with_its_process_on_the_same_machine(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as here, Store(tmp_path / "s.sqlite") as dead:
        assert dead._claimant.place
        dead._claimant = dead._claimant._replace(process=f"{os.getppid()}/1")  # another process reuses the ID
        assert dead.claim("test", PLAN[0])
        assert here.claim("test", PLAN[0])


def test_a_read_only_folder_hides_no_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.begin(EXPERIMENT, PLAN)
        store.add("test", [(run, RECORD) for run in PLAN])
        assert path.with_name("s.sqlite-wal").stat().st_size > 0
        monkeypatch.setattr(os, "access", lambda *_: False)
        before = sorted(tmp_path.iterdir())
        with Store(path, is_readonly=True) as reader:
            assert len(reader.runs("test")) == len(PLAN)
            assert "12 runs" in report(reader, "test")
        assert sorted(tmp_path.iterdir()) == before
    with Store(path, is_readonly=True) as reader:  # closed stores have no log
        assert len(reader.runs("test")) == len(PLAN)


def test_a_full_disk_is_an_error_that_names_the_file_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.begin(EXPERIMENT, PLAN)
        store.add("test", [(PLAN[0], RECORD)])
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        long = replace(RECORD, error="x" * 100_000)
        with pytest.raises(SudokulabError, match=r"s\.sqlite: the disk is full; all runs stored so far are safe"):
            store.add("test", [(run, long) for run in PLAN[1:]])
        assert len(store.runs("test")) == 1
        store._connection.execute("PRAGMA max_page_count = 100000")
        store.add("test", [(run, long) for run in PLAN[1:]])
        assert len(store.runs("test")) == len(PLAN)


class Interruption:
    """Raises KeyboardInterrupt at the n-th executed line of the store or of `contextlib`."""

    def __init__(self, number: int) -> None:
        self._left = number
        self.has_come = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.endswith(("lab/store.py", "contextlib.py")):
            return None
        if event == "line" and not self.has_come:
            self._left -= 1
            if self._left < 0:
                self.has_come = True
                raise KeyboardInterrupt
        return self


def interrupted(number: int, store: Store, run: Run) -> bool:
    """Claim and add a run; returns whether it was interrupted."""
    interruption = Interruption(number)
    before = sys.gettrace()
    sys.settrace(interruption)
    try:
        store.claim("test", run)
        store.add("test", [(run, RECORD)])
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return interruption.has_come


def test_a_store_works_after_an_interruption_at_any_line(tmp_path: Path) -> None:
    run = PLAN[0]
    with Store(tmp_path / "s.sqlite") as store, Store(tmp_path / "s.sqlite") as other:
        store.begin(EXPERIMENT, PLAN)
        for number in itertools.count():
            was_interrupted = interrupted(number, store, run)
            store.release()
            assert other.claim("test", run) == (not store.runs("test").height)
            other._connection.execute("DELETE FROM runs")
            other.release()
            if not was_interrupted:
                break
    assert number > 50


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = filled(tmp_path_factory.mktemp("sound") / "s.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return path


@pytest.mark.thorough
@for_each("seed", [*range(20), 35, 41, 46, 61, 115, 171, 235, 308])
def test_a_damaged_store_is_read_or_refused_with_a_message(sound: Path, tmp_path: Path, seed: int) -> None:
    random_ = random.Random(seed)
    path = tmp_path / "s.sqlite"
    shutil.copyfile(sound, path)
    data = bytearray(path.read_bytes())
    if seed % 3 == 0:
        del data[random_.randrange(len(data)) :]
    for _ in range(random_.choice([1, 10, 300])):
        if data:
            data[random_.randrange(len(data))] = random_.randrange(256)
    path.write_bytes(data)
    for is_readonly in (True, False):
        with suppress(SudokulabError), Store(path, is_readonly=is_readonly) as store:
            store.missing("test", PLAN)
            store.runs("test")
            report(store, "test")
