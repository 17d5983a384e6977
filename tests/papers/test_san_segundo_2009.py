"""One level of trial on a few puzzles: the counts in the table, and the counterexamples to the conjecture."""

from __future__ import annotations

from sudokulab.papers.reproduction import Findings
from sudokulab.papers.san_segundo_2009.conjecture import try_one_level
from tests.puzzles import EASY, INKALA, SEVENTEEN


def test_only_puzzles_unsolved_in_both_readings_are_counterexamples() -> None:
    findings = Findings()
    assert try_one_level(findings, {"three": [EASY, INKALA, SEVENTEEN]}) == {"three": [INKALA]}
    ((_, columns, rows),) = findings.tables
    assert columns[1:] == ["rules", "number", "solved by rules alone", "by a tree of depth 1", "by elimination"]
    assert [row[1] for row in rows] == ["NS, HS, BRC, RCB, NP", "NS, HS, BRC, RCB, HP", "all ten"]
    assert [row[2:] for row in rows] == [[3, 2, 2, 2]] * 3


def test_only_the_five_rules_of_the_conjecture_are_checked() -> None:
    findings = Findings()
    try_one_level(findings, {"easy": [EASY], "hard": [INKALA]})
    assert [check.holds for check in findings.checks] == [True, True, False, False]
