"""Jones et al. 2007: the printed numbers, the smoke run, and verdicts that follow the numbers."""

from __future__ import annotations

from dataclasses import replace
from math import factorial
from pathlib import Path

import polars as pl
import pytest

from sudokulab.papers.catalogue import Verdict, reproduce
from sudokulab.papers.jones_2007 import PAPER
from sudokulab.papers.jones_2007.judging import (
    LEVELS,
    PAIRINGS,
    VARIANTS,
    Placement,
    judge_givens,
    judge_initialisation,
    judge_levels,
    judge_solved,
    judge_weights,
    pairing,
    possible_numbers,
)
from sudokulab.papers.jones_2007.readings import READINGS, add_readings
from sudokulab.papers.jones_2007.section_3 import judge_counts
from sudokulab.papers.pages import markdown_of
from sudokulab.papers.reproduction import Effort, Findings
from tests.cases import for_each


def make_runs(iterations: dict[str, list[int]], givens: dict[str, int] | None = None) -> pl.DataFrame:
    """Return successful runs with the given iterations and a tenth as many restarts; the first hardest is Escargot."""
    rows = [
        {
            "instance_set": name,
            "instance": f"{name}/{'AI Escargot' if (name, place) == ('hardest', 1) else place}",
            "num_givens": (givens or {}).get(name, 25),
            "is_success": True,
            "seconds": 0.001,
            "stats_iterations": float(number),
            "stats_restarts": number / 10,
        }
        for name, numbers in iterations.items()
        for place, number in enumerate(numbers, start=1)
    ]
    return pl.DataFrame(rows)


@pytest.mark.thorough
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found = dict(reproduce(PAPER, effort=Effort.SMOKE, folder=tmp_path, workers=1))
    keys = ["section-3", "readings", "figure-2", "figure-4", "figure-5", "figure-6", "claim-100"]
    assert [one.key for one in found] == keys
    for findings in found.values():
        assert findings.tables
        assert isinstance(findings.verdict, Verdict)
        assert findings.verdict is not Verdict.UNCHECKED
    assert found[PAPER.artefacts[0]].verdict is Verdict.PAPER_IN_ERROR
    page = markdown_of(PAPER, Effort.SMOKE, found)
    assert all(f"## {one.key}" in page for one in found)
    assert "figures/jones-2007-figure-2-weights.svg" in page
    assert "figures/jones-2007-figure-5-restarts.svg" in page
    assert all(shown in page for shown in ("1,247", "cannot exceed 162", "111 in total", "162,919", "61,762"))


def test_printed_numbers() -> None:
    printed = PAPER.printed
    assert printed["figure-5"]["hardest"] == [20.33, 3587.58, 3.39, 34921304.31]
    assert printed["figure-4"] == {"ms": [2, 5], "iterations": [71, 66], "f1": [164, 173], "clashes": [59, 26]}
    assert printed["figure-6"]["37+"] == [1, 1.333333, 10.33333]
    assert printed["section-3"]["num_moves"] == 131


def test_the_wrong_number_of_solutions_is_the_last_factor_of_the_right_one() -> None:
    wrong = PAPER.printed["section-3"]["num_solutions_of_empty"]
    assert wrong * factorial(9) * 72**2 == 6_670_903_752_021_072_936_960


def test_figures_5_and_6_cannot_describe_the_same_runs() -> None:
    levels = PAPER.printed["figure-5"].values()
    numbers = [possible_numbers(values, [2, 2, 2, 2])[0] for values in levels]
    assert numbers == [25, 25, 25, 36]
    assert sum(round(values[1] * n) for values, n in zip(levels, numbers, strict=True)) == 162_919
    classes = PAPER.printed["figure-6"].values()
    decimals = [[3, 6], [4, 6], [5, 6], [0, 6]]
    possible = [possible_numbers(values[:2], d) for values, d in zip(classes, decimals, strict=True)]
    assert [counts[:2] for counts in possible] == [[23, 46], [44, 88], [23, 46], [3, 6]]
    numbers = [counts[0] for counts in possible]
    assert sum(round(values[0] * n) for values, n in zip(classes, numbers, strict=True)) == 61_762


def test_correct_counts_are_reproduced() -> None:
    printed = dict(PAPER.printed["section-3"])
    findings = judge_counts(printed)
    assert findings.verdict is Verdict.PAPER_IN_ERROR
    assert len(findings.errors) == 3
    printed["states_factors"] = [720] * 6 + [5040, 120, 120]
    printed["num_solutions_of_empty"] = 6_670_903_752_021_072_936_960
    correct = judge_counts(printed)
    assert correct.verdict is Verdict.REPRODUCED
    assert {check.kind for check in correct.checks} == {"arithmetic"}  # nothing that could not fail


@for_each(
    ("iterations", "verdict"),
    [
        ([230, 390, 720, 3600], Verdict.REPRODUCED),
        ([230, 3900, 7200, 36000], Verdict.SHAPE),
        ([230, 390, 300, 3600], Verdict.NOT_REPRODUCED),
    ],
)
def test_the_verdict_follows_the_runs_by_level(iterations: list[int], verdict: Verdict) -> None:
    printed = {
        level: [25, number, number / 10, number] for level, number in zip(LEVELS, (234, 392, 725, 3588), strict=True)
    }
    spread = {level: [n + k for k in range(10)] for level, n in zip(LEVELS, iterations, strict=True)}
    runs = make_runs(spread).with_columns(seconds=pl.col("stats_iterations"))
    assert judge_levels(printed, runs, outlier=1).verdict is verdict
    assert judge_levels(printed, runs, outlier=3).verdict is Verdict.NOT_REPRODUCED  # all runs of a level are alike


def test_a_rise_that_a_small_sample_cannot_show_is_underpowered() -> None:
    printed = PAPER.printed["figure-5"]
    runs = make_runs({level: [1, 4000] for level in LEVELS})
    assert judge_levels(printed, runs, outlier=1).verdict is Verdict.UNDERPOWERED


def test_the_runs_of_a_puzzle_count_as_one_observation() -> None:
    printed = PAPER.printed["figure-5"]
    runs = make_runs({level: [number] for level, number in zip(LEVELS, (234, 392, 725, 3588), strict=True)})
    many = pl.concat([runs] * 100)
    assert judge_levels(printed, many, outlier=1).verdict is Verdict.UNDERPOWERED


def test_the_verdict_follows_the_runs_by_givens() -> None:
    printed = PAPER.printed["figure-6"]
    givens = {"a": 20, "b": 30, "c": 31, "d": 40}

    def judge(**means: int) -> Findings:
        spread = {name: [value + k for k in range(10)] for name, value in means.items()}
        return judge_givens(printed, make_runs(spread, givens))

    good = judge(a=1500, b=500, c=60, d=0)
    assert good.verdict is Verdict.SHAPE  # restarts differ from the paper's
    assert [row[2] for row in good.tables[0][2]] == [1504.5, 504.5, 64.5, 4.5]
    assert judge(a=60, b=500, c=1500, d=0).verdict is Verdict.NOT_REPRODUCED
    assert any("no larger numbers" in error for error in good.errors)


def test_a_puzzle_that_is_never_solved_within_our_limit_refutes_nothing() -> None:
    printed = PAPER.printed["claim-100"]
    runs = pl.concat([make_runs({level: list(range(1, 26)) for level in LEVELS})] * 2)
    assert judge_solved(printed, runs).verdict is Verdict.REPRODUCED
    once = runs.with_row_index().with_columns(is_success=pl.col("index") != 3)
    assert judge_solved(printed, once).verdict is Verdict.REPRODUCED
    failed = runs.with_columns(is_success=pl.col("instance") != "easy/2")
    findings = judge_solved(printed, failed)
    assert findings.verdict is Verdict.NOT_REPRODUCED
    assert "easy/2" in findings.checks[0].statement
    without = runs.filter(pl.col("instance") != "hardest/AI Escargot")
    assert judge_solved(printed, without).verdict is Verdict.NOT_REPRODUCED


def climbs(mean: int, num_puzzles: int = 30, num_runs: int = 4) -> pl.DataFrame:
    """Return successful climbs with about the given number of iterations, which differs between puzzles."""
    rows = [
        {"instance": str(puzzle), "is_success": True, "stats_iterations": mean + puzzle % 7 - 3 + run % 2}
        for puzzle in range(num_puzzles)
        for run in range(num_runs)
    ]
    return pl.DataFrame(rows)


def test_the_initialisation_verdict_follows_the_measurements() -> None:
    alone, swapped = Placement(2, 120, 59, climbs(71)), Placement(5, 129, 26, climbs(66))
    printed = dict(PAPER.printed["figure-4"], f1=[120, 129])
    assert judge_initialisation(printed, alone, swapped).verdict is Verdict.REPRODUCED
    assert judge_initialisation(printed, alone, replace(swapped, f1=140)).verdict is Verdict.SHAPE
    assert judge_initialisation(printed, alone, replace(swapped, ms=20)).verdict is Verdict.SHAPE
    assert judge_initialisation(printed, alone, replace(swapped, runs=climbs(75))).verdict is Verdict.NOT_REPRODUCED


def test_many_climbs_on_few_puzzles_are_underpowered() -> None:
    printed = dict(PAPER.printed["figure-4"], f1=[120, 129])
    alone, swapped = (
        Placement(ms, f1, clashes, climbs(mean, 4, 100))
        for ms, f1, clashes, mean in ((2, 120, 59, 71), (5, 129, 26, 66))
    )
    assert judge_initialisation(printed, alone, swapped).verdict is Verdict.UNDERPOWERED


def test_impossible_scores_put_the_paper_in_error() -> None:
    findings = judge_initialisation(
        PAPER.printed["figure-4"], Placement(2, 120, 59, climbs(71)), Placement(5, 129, 26, climbs(66))
    )
    assert findings.verdict is Verdict.PAPER_IN_ERROR
    assert any("cannot exceed 162" in error for error in findings.errors)


def test_the_weights_verdict_follows_the_runs() -> None:
    def judge(chosen: int, success: bool = True) -> Verdict:
        rows = [
            {
                "solver": pairing(*weights),
                "instance": str(puzzle),
                "is_success": success if weights == (1, -1) else weights != (0, -1),
                "stats_iterations": float(chosen if weights == (1, -1) else 1000) + (puzzle * weights[0]) % 5,
            }
            for weights in PAIRINGS
            for puzzle in range(20)
        ]
        return judge_weights({"chosen": [1, -1]}, dict.fromkeys(VARIANTS, pl.DataFrame(rows))).verdict

    assert judge(900) is Verdict.SHAPE
    assert judge(1200) is Verdict.NOT_REPRODUCED
    assert judge(900, success=False) is Verdict.NOT_REPRODUCED


def test_the_reading_with_the_paper_s_numbers_has_a_factor_of_one() -> None:
    printed = PAPER.printed["figure-5"]
    factors = [float(place) for place in range(1, 1 + len(READINGS))]
    rows = [
        {
            "solver": spec.title,
            "instance_set": level,
            "stats_iterations": factor * row[1],
            "stats_restarts": factor * row[2],
        }
        for spec, factor in zip(READINGS, factors, strict=True)
        for level, row in printed.items()
        for _ in range(100)
    ]
    findings = Findings()
    add_readings(findings, printed, pl.DataFrame(rows))
    ((_, _, shown),) = findings.tables
    assert [row[-1] for row in shown] == [None, *map(pytest.approx, factors)]
    (check,) = findings.checks
    assert not check.holds, "the newest state first is not the default"
