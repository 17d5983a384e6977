"""Experiments write a log beside their store."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from sudokulab import __version__
from sudokulab.errors import SudokulabError
from sudokulab.lab.execution import run_experiment
from sudokulab.lab.experiment import Run
from sudokulab.lab.logs import log_beside
from sudokulab.lab.records import RunRecord
from sudokulab.lab.store import Store
from tests.lab.test_execution import experiment_of

pytestmark = pytest.mark.slow


def interrupt(run: Run, record: RunRecord | None) -> None:
    raise KeyboardInterrupt


def test_the_log_has_each_run_and_each_begin_and_end(tmp_path: Path) -> None:
    experiment = experiment_of("ant-colony", "Crash", seconds=5)
    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(KeyboardInterrupt):
            run_experiment(experiment, store, workers=1, observer=interrupt)
        run_experiment(experiment, store, workers=1)
        runs = store.runs("test")
    lines = (tmp_path / "s.sqlite.log").read_text("utf-8").splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \S", line) for line in lines)
    texts = [line.partition(" ")[2] for line in lines]
    begin = f"begin test: sudokulab {__version__}, Python {sys.version.split()[0]}, "
    assert [text.startswith(begin) for text in texts] == [True, False, False, True, *[False] * 4]
    assert texts[1] == texts[4] == "2 of 2 runs are missing"
    assert texts[2] == "stopped by KeyboardInterrupt"
    for row in runs.iter_rows(named=True):
        (text,) = (text for text in texts if f" {row['solver']} on {row['instance']}, run {row['run']}," in text)
        assert text.startswith(f"{row['outcome']} ")
        assert f"seed {row['seed']}: {row['cpu_seconds']:.3f} s CPU time, {row['wall_seconds']:.3f} s wall" in text
        assert text.endswith(f"; {row['error']}" if row["error"] else "wall time")
    assert texts[-1] == "end test"


def test_each_event_is_one_line(tmp_path: Path) -> None:
    with log_beside(tmp_path / "s.sqlite", "several\nlines") as log:
        log("one\ntwo\x1b[2J")
    lines = (tmp_path / "s.sqlite.log").read_text("utf-8").splitlines()
    assert len(lines) == 3
    assert "\x1b" not in lines[1]


def test_a_log_that_cannot_be_written_is_reported_before_the_first_run(tmp_path: Path) -> None:
    (tmp_path / "s.sqlite.log").mkdir()
    with (
        Store(tmp_path / "s.sqlite") as store,
        pytest.raises(SudokulabError, match=r"s\.sqlite\.log: cannot write the log: Is a directory"),
    ):
        run_experiment(experiment_of("ant-colony"), store)
