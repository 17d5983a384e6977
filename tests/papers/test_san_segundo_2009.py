"""The verdicts on Tables 2 and 3, one level of trial on a few puzzles, and the readings of Table 3."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from sudokulab import parse
from sudokulab.instances import past_rules
from sudokulab.logic.techniques import RULES
from sudokulab.papers.reproduction import Context, Effort, Findings, Verdict
from sudokulab.papers.san_segundo_2009 import PAPER, readings
from sudokulab.papers.san_segundo_2009.conjecture import _add_counts, conjecture, count_solved, one_level
from sudokulab.papers.san_segundo_2009.readings import solver_readings
from sudokulab.papers.san_segundo_2009.table_2 import _check_sums, _classify, _judge, table_2_ours
from sudokulab.papers.san_segundo_2009.table_3 import _judge_order, compare_totals, is_within_factor
from sudokulab.puzzle import Puzzle
from sudokulab.solvers import GraphSearch
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN

ELIMINATED = parse("................12..3..4.........3.5....2...6.2.17......5..38...7....4..1........")
"""A puzzle with 17 givens that elimination solves and no search tree of depth 1 does."""
DEFAULT = ("15 failures", "remove", "all", "first", "d-way", "highest density", "all rejected", "all")
"""The default reading of Table 3: instances, refuted, tested, tied cells, branching, Gmax, backtracks, depth."""


def as_printed() -> list[Counter[str]]:
    """Return the columns of Table 2 as if they were ours."""
    by_rule: dict[str, list[int]] = PAPER.printed["table-2"]["by_rule"]
    return [Counter({rule: numbers[column] for rule, numbers in by_rule.items()}) for column in range(5)]


def everywhere(**change: int) -> dict[int, dict[str, int]]:
    """Return the same change for all columns."""
    return dict.fromkeys(range(5), change)


def verdict_on_table_2(changes: dict[int, dict[str, int]], number: int, *, is_whole: bool) -> Verdict:
    """Judge the printed table with some numbers changed, by column and rule."""
    counts = as_printed()
    for column, change in changes.items():
        counts[column].update(change)
    findings = Findings()
    _judge(findings, PAPER.printed["table-2"], counts, number, is_whole=is_whole)
    return findings.verdict


@for_each(
    ("changes", "verdict"),
    [
        ({}, Verdict.REPRODUCED),
        (everywhere(HS=-30, BRC=30), Verdict.REPRODUCED),
        (everywhere(HS=-3000, BRC=3000), Verdict.SHAPE),
        ({1: {"BRC": 5000, "RCB": -5000}}, Verdict.SHAPE),  # the swap of BRC and RCB has less effect
        ({3: {"HS": -1}}, Verdict.NOT_REPRODUCED),  # the order affects the number of solved puzzles
        ({2: {"NP": 2155, "HP": -2155}}, Verdict.NOT_REPRODUCED),  # HP solves no more if applied before NP
    ],
)
def test_a_sample_for_table_2_has_the_rates_of_the_paper(changes: dict[int, dict[str, int]], verdict: Verdict) -> None:
    assert verdict_on_table_2(changes, PAPER.printed["table-2"]["num_puzzles"], is_whole=False) is verdict


@for_each(
    ("changes", "verdict"),
    [
        ({}, Verdict.REPRODUCED),
        (everywhere(NP=100), Verdict.REPRODUCED),
        (everywhere(NP=101), Verdict.SHAPE),  # more than the new puzzles
        (everywhere(HS=-1, BRC=1), Verdict.SHAPE),  # a puzzle of the paper is missing
        ({4: {"NQ": 3, "HQ": -3}}, Verdict.NOT_REPRODUCED),
    ],
)
def test_the_whole_collection_for_table_2_includes_that_of_the_paper(
    changes: dict[int, dict[str, int]], verdict: Verdict
) -> None:
    number = PAPER.printed["table-2"]["num_puzzles"] + 100
    assert verdict_on_table_2(changes, number, is_whole=True) is verdict


def test_the_printed_sums_of_table_2_are_right() -> None:
    findings = Findings()
    _check_sums(findings, PAPER.printed["table-2"])
    assert [check.holds for check in findings.checks] == [True] * 6


def test_table_2_counts_naked_and_hidden_singles_together() -> None:
    assert _classify([EASY, SEVENTEEN, INKALA], []) == {"HS": 1, "BRC": 1}  # no rule solves the last one


def test_every_reading_of_one_level_is_counted() -> None:
    findings = Findings()
    counts = count_solved({"three": [EASY, INKALA, SEVENTEEN]})
    _add_counts(findings, counts)
    ((_, columns, rows),) = findings.tables
    assert columns[3:] == ["solved by rules alone", "(a) tree of depth 1", "(b) elimination", "(c) both"]
    assert [row[1] for row in rows] == ["NS, HS, BRC, RCB, NP", "NS, HS, BRC, RCB, HP", "all ten"]
    assert [row[2:] for row in rows] == [[3, 2, 2, 2, 2]] * 3
    assert [one["first"]["elimination"] for one in counts] == [INKALA.line] * 3


def test_generated_puzzles_are_classified_by_the_same_rules(tmp_path: Path) -> None:
    ((_, columns, rows),) = table_2_ours(Context(PAPER, Effort.SMOKE, tmp_path)).tables
    assert columns == ["order", *(rule.code for rule in RULES[1:])]
    assert all(40 < sum(value for value in row[1:] if isinstance(value, float)) <= 100 for row in rows)


@for_each(
    ("puzzles", "verdict"),
    [
        (None, Verdict.UNCHECKED),
        ([EASY, SEVENTEEN], Verdict.REPRODUCED),
        ([EASY, SEVENTEEN, ELIMINATED], Verdict.REPRODUCED),  # the strictest reading is only reported
        ([EASY, INKALA, SEVENTEEN], Verdict.REFUTED),
    ],
)
def test_one_level_is_refuted_by_a_single_puzzle(
    puzzles: list[Puzzle] | None, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Context, "has", lambda *_: puzzles is not None)
    monkeypatch.setattr(Context, "public", lambda *_: puzzles)
    # would try all sets of rules, since none solves the second puzzle
    module = import_module("sudokulab.papers.san_segundo_2009.conjecture")
    monkeypatch.setattr(module, "smallest_rules", lambda *_, **__: [])
    findings = one_level(Context(PAPER, Effort.SMOKE, tmp_path))
    assert findings.verdict is verdict
    strict = sum(puzzle in (ELIMINATED, INKALA) for puzzle in puzzles or [])
    assert f"leaves {strict} or {strict} puzzles unsolved" in findings.notes[-1] or not puzzles
    is_shown = [INKALA.line in check.statement for check in findings.checks]
    assert is_shown == ([True, True] if verdict is Verdict.REFUTED else [False, False] if puzzles else [])


@pytest.mark.thorough
def test_the_conjecture_is_refuted_by_a_printed_counterexample(tmp_path: Path) -> None:
    findings = conjecture(Context(PAPER, Effort.SMOKE, tmp_path))
    assert findings.verdict is Verdict.REFUTED
    assert [check.holds for check in findings.checks] == [False, False]
    assert all("counterexample: `" in check.statement for check in findings.checks)


def test_the_factor_of_a_reading_covers_all_three_rows() -> None:
    assert readings.Row({}, [], (2, 4, 1)).factor == pytest.approx(2)
    assert readings.Row({}, [], (1, 1, 27)).factor == pytest.approx(3)


def test_numbers_agree_up_to_a_factor() -> None:
    assert is_within_factor(50, 100, 2)
    assert not is_within_factor(201, 100, 2)


def random_backtracks(total: float, num_instances: int, seed: int) -> np.ndarray:
    """Return backtracks by instance, most of them on a few; the total is that of 500 instances."""
    return np.random.default_rng(seed).negative_binomial(0.3, 0.3 / (0.3 + total / 500), num_instances)


@for_each(
    ("changes", "num_instances", "verdict"),
    [
        ({}, 500, Verdict.SHAPE),
        ({"Gmax r1r2(EP)": 500}, 500, Verdict.SHAPE),  # the paper's last two hardly differ
        ({"Dv r1r2(EP)": 500}, 500, Verdict.NOT_REPRODUCED),
        ({}, 40, Verdict.UNDERPOWERED),
    ],
)
def test_the_order_of_table_3_is_tested(changes: dict[str, float], num_instances: int, verdict: Verdict) -> None:
    heuristics: dict[str, list[float]] = PAPER.printed["table-3"]["heuristics"]
    backtracks = {
        name: random_backtracks(changes.get(name, total), num_instances, seed)
        for seed, (name, (_, total, _)) in enumerate(heuristics.items())
    }
    findings = Findings()
    _judge_order(findings, heuristics, backtracks)
    assert findings.verdict is verdict


def test_there_are_96_readings_of_the_search() -> None:
    assert len({tuple(reading.values()) for reading in solver_readings()}) == 96


def made_up_rows() -> list[readings.Row]:
    """Return all readings, the default last."""
    labels = product(readings._INSTANCES, readings._COUNTS, readings._DEPTHS, solver_readings())
    every = [
        {"instances": instances, **reading, "backtracks": count, "depth": depth}
        for instances, count, depth, reading in labels
    ]
    return [
        readings.Row(reading, [readings.Measured(1.0, 1.0, 1.0, 0, 1)] * 6, (2.0, 2.0, 2.0))
        for reading in sorted(every, key=lambda reading: tuple(reading.values()) == DEFAULT)
    ]


@pytest.mark.parametrize("place", [-1, 3])
def test_the_default_is_always_among_the_readings_shown(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *others, default = made_up_rows()
    rows = [*others, default] if place < 0 else [*others[:place], default, *others[place:]]
    monkeypatch.setattr(readings, "_ranked", lambda _: rows)
    findings = readings.table_3_readings(Context(PAPER, Effort.SMOKE, tmp_path))
    ((_, _, shown),) = findings.tables
    assert [tuple(row[: len(DEFAULT)]) for row in shown].count(DEFAULT) == 1
    assert len(shown) == (14 if place < 0 else 13)  # the paper, the twelve closest, and the default


def test_the_default_reading_is_that_of_the_generator_and_the_solver() -> None:
    solver = GraphSearch()
    assert past_rules(9, seed=1) == past_rules(9, stop="failures", failures=15, seed=1)
    assert (solver.refuted, solver.tested, solver.tied_cells, solver.branching) == DEFAULT[1:5]
    assert solver.invariant == "density"


def test_a_few_hard_instances_do_not_make_a_difference_significant() -> None:
    many = np.array([5.0] * 40)
    assert compare_totals(many, many / 2, ratio=2).holds
    assert compare_totals(many / 2, many, ratio=2).holds is False
    outlier = np.array([0.0] * 39 + [200.0])
    assert compare_totals(outlier, np.zeros(40), ratio=2).holds is None
