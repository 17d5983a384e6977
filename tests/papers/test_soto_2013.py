"""Soto et al. 2013: the printed numbers, the smoke run, and verdicts that follow the numbers."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sudokulab.instances import find
from sudokulab.logic import rate
from sudokulab.papers.catalogue import Context, Verdict, reproduce
from sudokulab.papers.pages import markdown_of
from sudokulab.papers.reproduction import Scale
from sudokulab.papers.soto_2013 import PAPER, STAND_INS, _puzzles
from sudokulab.papers.soto_2013.judging import GENETIC, HYBRID, judge_comparison, judge_times, judge_tries, tries_for

TABLE_1 = PAPER.printed["table-1"]
TABLE_2 = PAPER.printed["table-2"]
ITERATIONS = {"easy": 0, "medium": 20, "hard": 100}


def make_tries(failures: dict[str, int] | None = None, iterations: dict[str, int] = ITERATIONS) -> pl.DataFrame:
    """Return 60 tries per puzzle, starting with the given failures, at a twentieth of the paper's mean time."""
    rows = [
        {
            "instance": f"puzzles/{name}",
            "run": run,
            "is_success": run >= (failures or {}).get(name, 0),
            "seconds": puzzle["seconds"][1] / 20,
            "stats_iterations": float(iterations[puzzle["level"]]),
        }
        for name, puzzle in TABLE_1["puzzles"].items()
        for run in range(60)
    ]
    return pl.DataFrame(rows)


def make_shares(of_hybrid: dict[str, int], of_genetic: dict[str, int]) -> pl.DataFrame:
    """Return 30 tries of both solvers per puzzle of Table 2, with the given numbers of successes."""
    rows = [
        {"solver": solver, "instance": f"puzzles/{name}", "run": run, "is_success": run < solved.get(name, 30)}
        for solver, solved in ((HYBRID, of_hybrid), (GENETIC, of_genetic))
        for name in TABLE_2["puzzles"]
        for run in range(30)
    ]
    return pl.DataFrame(rows)


def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:  # with the originals if available
    found = dict(reproduce(PAPER, scale=Scale.SMOKE, folder=tmp_path, workers=1))
    assert [one.key for one in found] == ["table-1", "figure-4", "table-2"]
    for findings in found.values():
        assert findings.tables
        assert isinstance(findings.verdict, Verdict)
        assert findings.verdict is not Verdict.UNCHECKED
        assert any("stand-ins" in note for note in findings.notes) == (find("mantere-koljonen-46") is None)
    page = markdown_of(PAPER, Scale.SMOKE, found)
    assert all(f"## {one.key}" in page for one in found)
    assert "figures/soto-2013-figure-4-times.svg" in page


def test_printed_numbers() -> None:
    puzzles = TABLE_1["puzzles"]
    assert [puzzle["tries"] for puzzle in puzzles.values()] == [30, 30, 30, 30, 31, 33, 35, 49]
    means = [1.331, 1.032, 1.067, 5.170, 69.807, 78.042, 88.550, 112.667]
    assert [puzzle["seconds"][1] for puzzle in puzzles.values()] == means
    assert TABLE_2["puzzles"]["s11a"] == [30, 30, 30, 22]
    assert TABLE_2["puzzles"]["s12a"] == [30, 30, 30, 2]


def test_stand_ins_resemble_the_originals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(STAND_INS)
    assert names == list(TABLE_1["puzzles"])
    originals, has_originals = _puzzles(Context(PAPER, Scale.SMOKE, tmp_path), names)
    monkeypatch.setattr(Context, "public", lambda *_: None)
    made, is_original = _puzzles(Context(PAPER, Scale.SMOKE, tmp_path), names)
    assert not is_original
    assert [puzzle.name for puzzle in made] == names
    assert made == _puzzles(Context(PAPER, Scale.SMOKE, tmp_path), names)[0]
    if has_originals:
        assert [puzzle.num_givens for puzzle in made] == [puzzle.num_givens for puzzle in originals]
        assert [rate(puzzle).level for puzzle in made] == [rate(puzzle).level for puzzle in originals]


def test_tries_are_counted_until_enough_are_solved() -> None:
    assert tries_for(2, [True, False, True, True]) == 3
    assert tries_for(3, [True, False, True]) is None


@pytest.mark.parametrize(
    ("failures", "iterations", "verdict"),
    [
        ({"s11b": 1, "s11c": 3, "s12a": 5, "s12b": 19}, ITERATIONS, Verdict.REPRODUCED),
        ({}, ITERATIONS, Verdict.SHAPE),  # better than the paper on Hard b
        ({"s12b": 25}, ITERATIONS, Verdict.NOT_REPRODUCED),
        ({"s12b": 40}, ITERATIONS, Verdict.NOT_REPRODUCED),  # 60 tries are not enough
        ({"s10a": 1}, ITERATIONS, Verdict.NOT_REPRODUCED),
        ({}, {"easy": 0, "medium": 100, "hard": 20}, Verdict.NOT_REPRODUCED),
    ],
)
def test_the_tries_verdict_follows_the_runs(
    failures: dict[str, int], iterations: dict[str, int], verdict: Verdict
) -> None:
    runs = make_tries(failures, iterations)
    assert judge_tries(TABLE_1, runs, wanted=30, has_originals=True, noise=3).verdict is verdict


def test_stand_ins_are_not_compared_with_printed_values() -> None:
    findings = judge_tries(TABLE_1, make_tries({"s12b": 25}), wanted=30, has_originals=False, noise=3)
    assert findings.verdict is Verdict.REPRODUCED
    assert all(check.kind == "shape" for check in findings.checks)


def test_the_times_verdict_follows_the_runs() -> None:
    runs = make_tries()
    assert judge_times(TABLE_1, runs, has_originals=True, least_correlation=0.7).verdict is Verdict.REPRODUCED
    reversed_times = runs.with_columns(seconds=1 / pl.col("seconds"))
    findings = judge_times(TABLE_1, reversed_times, has_originals=True, least_correlation=0.7)
    assert findings.verdict is Verdict.NOT_REPRODUCED


@pytest.mark.parametrize(
    ("of_hybrid", "of_genetic", "verdict"),
    [
        ({}, {"s11a": 22, "s12a": 2}, Verdict.REPRODUCED),
        ({}, {"s11a": 11, "s12a": 0}, Verdict.SHAPE),
        ({"s12a": 29}, {"s11a": 22, "s12a": 2}, Verdict.SHAPE),
        ({"s12a": 1}, {"s11a": 22, "s12a": 2}, Verdict.NOT_REPRODUCED),
        ({}, {"s11a": 2, "s12a": 22}, Verdict.NOT_REPRODUCED),
    ],
)
def test_the_comparison_verdict_follows_the_runs(
    of_hybrid: dict[str, int], of_genetic: dict[str, int], verdict: Verdict
) -> None:
    limited, unlimited = make_shares(of_hybrid, of_genetic), make_shares({}, {})
    assert judge_comparison(TABLE_2, limited, unlimited, has_originals=True, noise=0.2).verdict is verdict
