from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sudokulab.papers.catalogue import PAPERS, Artefact, Findings, Scale, Verdict, reproduce
from sudokulab.papers.lewis_2007 import _curves, _signed_ranks
from sudokulab.papers.lewis_2007.judging import HYBRID, SA, judge_curves, judge_fixed, judge_published, judge_ranks
from sudokulab.papers.pages import markdown_of, write_page

PAPER = PAPERS["lewis-2007"]


@pytest.mark.timing
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found: dict[Artefact, Findings] = dict(reproduce(PAPER, scale=Scale.SMOKE, folder=tmp_path / "runs", workers=1))
    keys = ["figure-2", "figure-3-order-3", "figure-3-order-4", "figure-3-order-5", "signed-rank", "table-1"]
    assert [artefact.key for artefact in found] == keys
    for findings in found.values():
        assert findings.tables
        assert all(rows for _, _, rows in findings.tables)
        assert findings.checks
        assert isinstance(findings.verdict, Verdict)
    page = markdown_of(PAPER, Scale.SMOKE, found)
    assert all(f"## {key}\n" in page for key in keys)
    write_page(PAPER, Scale.SMOKE, found, tmp_path / "page")
    assert len(list((tmp_path / "page" / "figures").iterdir())) == 7


def test_printed_numbers() -> None:
    rows = PAPER.printed["table-1"]["rows"]
    assert len(rows) == 9
    assert all(len(row) == len(PAPER.printed["table-1"]["columns"]) for row in rows.values())
    assert rows["17 givens"] == [3, 1000, 0.21, 0.01, 1.41, 0.2, 0.30, 0.16, 0.64, 0.5]
    assert PAPER.printed["figure-3"]["seconds"] == {"3": 2, "4": 40, "5": 450}


def runs_of(rates: dict[str, dict[float, float]], num_instances: int = 10) -> pl.DataFrame:
    """Return invented runs with the given success rates by solver and p."""
    rows = [
        {
            "solver": solver,
            "instance": f"p = {p}/{number}",
            "instance_set": f"p = {p}",
            "run": 0,
            "is_success": number < rate * num_instances,
            "seconds": 1.0 if solver == SA else 0.5 if p >= 0.25 else 1.0,
            "budget_seconds": 2.0,
            "p": p,
        }
        for solver, curve in rates.items()
        for p, rate in curve.items()
        for number in range(num_instances)
    ]
    return pl.DataFrame(rows)


DIP = {0.0: 1.0, 0.2: 1.0, 0.45: 0.3, 0.8: 1.0}


@pytest.mark.parametrize(
    ("annealing", "hybrid", "verdict"),
    [
        (DIP, DIP | {0.45: 0.7}, Verdict.REPRODUCED),
        (DIP, DIP, Verdict.REPRODUCED),
        (DIP | {0.45: 1.0}, DIP | {0.45: 1.0}, Verdict.NOT_REPRODUCED),  # no dip
        (DIP, DIP | {0.45: 0.1}, Verdict.NOT_REPRODUCED),  # the hybrid solves fewer
        (DIP, DIP | {0.2: 0.2}, Verdict.NOT_REPRODUCED),
    ],
)
def test_the_figure_3_verdict_follows_the_curves(
    annealing: dict[float, float], hybrid: dict[float, float], verdict: Verdict
) -> None:
    findings = Findings()
    judge_curves(findings, _curves(runs_of({SA: annealing, HYBRID: hybrid})), 5, PAPER.printed["figure-3"])
    assert findings.verdict is verdict


def test_order_3_must_be_solved_completely() -> None:
    findings = Findings()
    curves = _curves(runs_of({SA: DIP, HYBRID: dict.fromkeys(DIP, 1.0)}))
    judge_curves(findings, curves, 3, PAPER.printed["figure-3"])
    assert next(check.holds for check in findings.checks) is False


@pytest.mark.parametrize(
    ("hybrid", "verdict"),
    [(0.9, Verdict.REPRODUCED), (0.6, Verdict.SHAPE), (0.3, Verdict.SHAPE), (0.0, Verdict.NOT_REPRODUCED)],
)
def test_significance_needs_six_differing_instances(hybrid: float, verdict: Verdict) -> None:
    findings = Findings()
    row = _signed_ranks(runs_of({SA: DIP, HYBRID: DIP | {0.45: hybrid}}))
    judge_ranks(findings, {"all": row}, 0.05)
    assert findings.verdict is verdict


def test_the_figure_2_verdict_follows_the_curve() -> None:
    good = [(0.0, 0.0, 0.0), (0.2, 0.2, 0.21), (0.5, 0.5, 0.8), (0.8, 0.8, 1.0)]
    for curve, verdict in (
        (good, Verdict.REPRODUCED),
        ([*good[:3], (0.8, 0.8, 0.9)], Verdict.SHAPE),
        ([*good[:2], (0.5, 0.5, 0.5), good[3]], Verdict.NOT_REPRODUCED),
    ):
        findings = Findings()
        judge_fixed(findings, {3: curve}, PAPER.printed["figure-2"])
        assert findings.verdict is verdict


def test_the_table_1_verdict_follows_the_rows() -> None:
    def row(annealing: float, hybrid: float) -> dict[str, Any]:
        both = {"SA success": annealing, "hybrid success": hybrid, "SA s": 1.0, "hybrid s": 0.5}
        intervals = {
            name: {"success_low": rate - 0.1, "success_high": rate + 0.1}
            for name, rate in (("SA", annealing), ("hybrid", hybrid))
        }
        return both | intervals | {"fixed by CP": 0.3}

    paper = {
        name: {"order": order, "fixed by CP": 0.3, "hybrid success": 0.16}
        for name, order in (("gentle", 3), ("17 givens", 3), ("four", 4), ("five", 5))
    }
    found = {"gentle": row(0.9, 1.0), "17 givens": row(0.0, 0.2), "four": row(0.5, 0.6), "five": row(0.0, 0.0)}
    for change, verdict in (
        ({}, Verdict.REPRODUCED),
        ({"17 givens": row(0.0, 0.9)}, Verdict.SHAPE),
        ({"four": row(0.5, 0.1)}, Verdict.NOT_REPRODUCED),
    ):
        findings = Findings()
        judge_published(findings, found | change, paper)
        assert findings.verdict is verdict
