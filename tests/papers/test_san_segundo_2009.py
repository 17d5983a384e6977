"""One level of trial on a few puzzles, the readings of Table 3, and the test of total backtracks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sudokulab.papers.reproduction import Context, Findings, Scale, Verdict
from sudokulab.papers.san_segundo_2009 import PAPER
from sudokulab.papers.san_segundo_2009.conjecture import conjecture, try_one_level
from sudokulab.papers.san_segundo_2009.readings import distance, solver_readings
from sudokulab.papers.san_segundo_2009.table_3 import compare_totals, is_within_factor
from tests.puzzles import EASY, INKALA, SEVENTEEN


def test_every_reading_of_one_level_is_counted() -> None:
    findings = Findings()
    found = try_one_level(findings, {"three": [EASY, INKALA, SEVENTEEN]})
    ((_, columns, rows),) = findings.tables
    assert columns[3:] == ["solved by rules alone", "(a) tree of depth 1", "(b) elimination", "(c) both"]
    assert [row[1] for row in rows] == ["NS, HS, BRC, RCB, NP", "NS, HS, BRC, RCB, HP", "all ten"]
    assert [row[2:] for row in rows] == [[3, 2, 2, 2, 2]] * 3
    assert [trial.is_solved_after_elimination for trial in found["three"]["all ten"]] == [True, False, True]


def test_the_conjecture_is_refuted_by_a_printed_counterexample(tmp_path: Path) -> None:
    findings = conjecture(Context(PAPER, Scale.SMOKE, tmp_path))
    assert findings.verdict is Verdict.REFUTED
    assert [check.holds for check in findings.checks] == [False, False]
    assert all("counterexample: `" in check.statement for check in findings.checks)


def test_the_distance_is_the_typical_factor() -> None:
    assert distance([1, 49], [3, 99]) == pytest.approx(2)
    assert distance([0, 99], [3, 99]) == pytest.approx(2)
    assert is_within_factor(50, 100, 2)
    assert not is_within_factor(201, 100, 2)


def test_there_are_36_readings_of_the_search() -> None:
    assert len({tuple(reading.values()) for reading in solver_readings()}) == 36


def test_a_few_hard_instances_do_not_make_a_difference_significant() -> None:
    many = np.array([5.0] * 40)
    assert compare_totals(many, many / 2, ratio=2).holds
    assert compare_totals(many / 2, many, ratio=2).holds is False
    outlier = np.array([0.0] * 39 + [200.0])
    assert compare_totals(outlier, np.zeros(40), ratio=2).holds is None
