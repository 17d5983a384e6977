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
    Placement,
    judge_counts,
    judge_givens,
    judge_initialisation,
    judge_levels,
    judge_solved,
    judge_weights,
    pairing,
)
from sudokulab.papers.pages import markdown_of
from sudokulab.papers.reproduction import Scale


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


def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found = dict(reproduce(PAPER, scale=Scale.SMOKE, folder=tmp_path, workers=1))
    assert [one.key for one in found] == ["section-3", "figure-2", "figure-4", "figure-5", "figure-6", "claim-100"]
    for findings in found.values():
        assert findings.tables
        assert isinstance(findings.verdict, Verdict)
        assert findings.verdict is not Verdict.UNCHECKED
    assert found[PAPER.artefacts[0]].verdict is Verdict.SHAPE  # two printed numbers are wrong
    assert found[PAPER.artefacts[-1]].verdict is Verdict.REPRODUCED
    page = markdown_of(PAPER, Scale.SMOKE, found)
    assert all(f"## {one.key}" in page for one in found)
    assert "figures/jones-2007-figure-2-weights.svg" in page


def test_printed_numbers() -> None:
    printed = PAPER.printed
    assert printed["figure-5"]["hardest"] == [20.33, 3587.58, 3.39, 34921304.31]
    assert printed["figure-4"] == {"ms": [2, 5], "iterations": [71, 66], "f1": [164, 173], "clashes": [59, 26]}
    assert printed["figure-6"]["37+"] == [1, 1.333333, 10.33333]
    assert printed["section-3"]["num_moves"] == 131


def test_the_wrong_number_of_solutions_is_the_last_factor_of_the_right_one() -> None:
    wrong = PAPER.printed["section-3"]["num_solutions_of_empty"]
    assert wrong * factorial(9) * 72**2 == 6_670_903_752_021_072_936_960


def smallest_number(values: list[float], decimals: list[int]) -> int:
    """Return the smallest number of puzzles for which all values can be means."""
    return next(
        number
        for number in range(1, 200)
        if all(round(round(value * number) / number, d) == value for value, d in zip(values, decimals, strict=True))
    )


def test_figures_5_and_6_cannot_describe_the_same_runs() -> None:
    levels = PAPER.printed["figure-5"].values()
    numbers = [smallest_number(values, [2, 2, 2, 2]) for values in levels]
    assert numbers == [25, 25, 25, 36]
    assert sum(round(values[1] * n) for values, n in zip(levels, numbers, strict=True)) == 162_919
    classes = PAPER.printed["figure-6"].values()
    decimals = [[3, 6], [4, 6], [5, 6], [0, 6]]
    numbers = [smallest_number(values[:2], d) for values, d in zip(classes, decimals, strict=True)]
    assert numbers == [23, 44, 23, 3]
    assert sum(round(values[0] * n) for values, n in zip(classes, numbers, strict=True)) == 61_762


def test_correct_counts_are_reproduced() -> None:
    printed = dict(PAPER.printed["section-3"])
    assert judge_counts(printed).verdict is Verdict.SHAPE
    printed["states_factors"] = [720] * 6 + [5040, 120, 120]
    printed["num_solutions_of_empty"] = 6_670_903_752_021_072_936_960
    assert judge_counts(printed).verdict is Verdict.REPRODUCED


@pytest.mark.parametrize(
    ("iterations", "verdict"),
    [
        ([230, 390, 720, 3600], Verdict.REPRODUCED),
        ([230, 3900, 7200, 36000], Verdict.SHAPE),
        ([230, 390, 300, 3600], Verdict.NOT_REPRODUCED),
    ],
)
def test_the_verdict_follows_the_runs_by_level(iterations: list[int], verdict: Verdict) -> None:
    printed = {
        level: [25, number, number / 10, 1000] for level, number in zip(LEVELS, (234, 392, 725, 3588), strict=True)
    }
    runs = make_runs({level: [number, number] for level, number in zip(LEVELS, iterations, strict=True)})
    assert judge_levels(printed, runs, outlier=1).verdict is verdict
    assert judge_levels(printed, runs, outlier=3).verdict is Verdict.NOT_REPRODUCED  # all runs of a level are equal


def test_the_verdict_follows_the_runs_by_givens() -> None:
    printed = PAPER.printed["figure-6"]
    givens = {"a": 20, "b": 30, "c": 31, "d": 40}
    good = make_runs({"a": [1500], "b": [500], "c": [60], "d": [1, 0]}, givens)
    assert judge_givens(printed, good).verdict is Verdict.SHAPE  # restarts differ from the paper's
    assert [row[2] for row in judge_givens(printed, good).tables[0][2]] == [1500, 500, 60, 0.5]
    bad = make_runs({"a": [60], "b": [500], "c": [1500], "d": [1, 0]}, givens)
    assert judge_givens(printed, bad).verdict is Verdict.NOT_REPRODUCED


def test_a_single_failure_refutes_the_claim() -> None:
    printed = PAPER.printed["claim-100"]
    runs = make_runs({level: [10, 20, 30] for level in LEVELS} | {"many givens": [1]})
    assert judge_solved(printed, runs).verdict is Verdict.REPRODUCED
    failed = runs.with_columns(is_success=(pl.col("instance") != "easy/2"))
    assert judge_solved(printed, failed).verdict is Verdict.NOT_REPRODUCED
    without = runs.filter(pl.col("instance") != "hardest/AI Escargot")
    assert judge_solved(printed, without).verdict is Verdict.NOT_REPRODUCED


def test_the_initialisation_verdict_follows_the_measurements() -> None:
    alone, swapped = Placement(2, 71, 120, 59), Placement(5, 66, 129, 26)
    printed = PAPER.printed["figure-4"]
    assert judge_initialisation(printed, alone, swapped, slack=1).verdict is Verdict.REPRODUCED
    assert judge_initialisation(printed, alone, replace(swapped, f1=140), slack=1).verdict is Verdict.SHAPE
    slower = replace(swapped, iterations=75)
    assert judge_initialisation(printed, alone, slower, slack=1).verdict is Verdict.NOT_REPRODUCED
    assert judge_initialisation(printed, alone, slower, slack=1.5).verdict is Verdict.REPRODUCED


def test_the_weights_verdict_follows_the_runs() -> None:
    def judge(chosen: int, success: bool = True) -> Verdict:
        rows = [
            {
                "solver": pairing(*weights),
                "is_success": success if weights == (1, -1) else weights != (0, -1),
                "stats_iterations": float(chosen if weights == (1, -1) else 1000),
            }
            for weights in PAIRINGS
        ]
        return judge_weights({"chosen": [1, -1]}, pl.DataFrame(rows), slack=1.25, large=0.9).verdict

    assert judge(900) is Verdict.REPRODUCED
    assert judge(1200) is Verdict.SHAPE
    assert judge(1300) is Verdict.NOT_REPRODUCED
    assert judge(900, success=False) is Verdict.NOT_REPRODUCED
