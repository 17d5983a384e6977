from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sudokulab.papers.all_solvers import (
    METAHEURISTICS,
    TREES,
    _judge_growth,
    _judge_ranking,
    _judge_table,
    _notes,
    _rates_by_size,
)
from sudokulab.papers.catalogue import PAPERS, Artefact, Findings, Scale, Verdict, reproduce
from sudokulab.papers.pages import markdown_of, write_page

PAPER = PAPERS["all-solvers"]
SETS = {"easy": 9, "16x16-0.45": 16, "25x25-0.45": 25}


@pytest.mark.timing
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found: dict[Artefact, Findings] = dict(reproduce(PAPER, scale=Scale.SMOKE, folder=tmp_path / "runs", workers=1))
    assert [artefact.key for artefact in found] == ["table", "ranking", "growth"]
    for findings in found.values():
        assert findings.tables
        assert all(rows for _, _, rows in findings.tables)
        assert findings.checks
        assert isinstance(findings.verdict, Verdict)
    table = next(iter(found.values()))
    solvers = [row[0] for row in table.tables[0][2]]
    assert {*METAHEURISTICS, *TREES} <= {*solvers}
    assert "metaheuristics can solve all" in markdown_of(PAPER, Scale.SMOKE, found)
    write_page(PAPER, Scale.SMOKE, found, tmp_path / "page")
    assert len(list((tmp_path / "page" / "figures").iterdir())) == 3


def made_up(seconds: dict[tuple[str, str], float]) -> pl.DataFrame:
    """Return invented runs; beyond 9×9 only ants and CaDiCaL succeed.

    Tree searches take 0.01 s, ants and CaDiCaL 0.1 s and all others 0.2 s, unless `seconds` says otherwise.
    """
    rows = []
    for label, size in SETS.items():
        for solver in (*METAHEURISTICS, *TREES, "cadical"):
            usual = 0.01 if solver in TREES else 0.1 if solver in ("ant-colony", "cadical") else 0.2
            is_able = size == 9 or solver in ("ant-colony", "cadical")
            time = seconds.get((solver, label), usual if is_able else 1.0)
            rows += [
                {
                    "solver": solver,
                    "instance": f"{label}/{number}",
                    "instance_set": label,
                    "size": size,
                    "run": 0,
                    "is_success": time < 1,
                    "seconds": time,
                    "budget_seconds": 1.0,
                }
                for number in range(4)
            ]
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, Verdict.REPRODUCED),
        (
            {("cadical", "easy"): 1.0, ("ant-colony", "16x16-0.45"): 1.0},
            Verdict.SHAPE,
        ),  # one complete solver fails on 9×9
        ({("tabu", "easy"): 0.001}, Verdict.NOT_REPRODUCED),
        ({("dlx", "25x25-0.45"): 0.1}, Verdict.NOT_REPRODUCED),
        ({("cadical", "25x25-0.45"): 1.0}, Verdict.NOT_REPRODUCED),
    ],
)
def test_the_table_verdict_follows_the_runs(change: dict[tuple[str, str], float], verdict: Verdict) -> None:
    findings = Findings()
    _judge_table(findings, made_up(change))
    assert findings.verdict is verdict


def test_the_growth_verdict_follows_the_runs() -> None:
    for change, verdict in (
        ({}, Verdict.REPRODUCED),
        ({("cadical", "25x25-0.45"): 1.0}, Verdict.NOT_REPRODUCED),
        ({(name, "25x25-0.45"): 0.1 for name in METAHEURISTICS}, Verdict.NOT_REPRODUCED),
    ):
        findings = Findings()
        _judge_growth(findings, _rates_by_size(made_up(change)))
        assert findings.verdict is verdict


def test_the_ranking_verdict_depends_on_the_best_and_worst_solver() -> None:
    for ranks, p_value, verdict in (
        ({"dlx": 1.0, "tabu": 2.0}, 0.01, Verdict.REPRODUCED),
        ({"dlx": 1.0, "tabu": 2.0}, 0.1, Verdict.SHAPE),
        ({"tabu": 1.0, "dlx": 2.0}, 0.01, Verdict.NOT_REPRODUCED),
    ):
        findings = Findings()
        _judge_ranking(findings, ranks, p_value)
        assert findings.verdict is verdict


def test_notes_follow_the_numbers() -> None:
    easy, *_, large = _notes(made_up({}))
    assert "The best metaheuristic is beaten by `backtracking`." in easy
    assert "`ant-colony`, solves 4" in large
    assert "No solver clearly beats the best metaheuristic, which beats `backtracking`." in large
    best = _notes(made_up({("ant-colony", "25x25-0.45"): 0.001}))[-1]
    assert "A metaheuristic is the best solver: `ant-colony`" in best
    nobody = _notes(made_up({(name, "25x25-0.45"): 1.0 for name in ("ant-colony", "cadical")}))[-1]
    assert "No solver solves anything" in nobody
