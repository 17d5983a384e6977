from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sudokulab.lab import plots
from sudokulab.papers.all_solvers import (
    FAMILIES,
    METAHEURISTICS,
    TREES,
    _draw_cactus,
    _judge_growth,
    _judge_ranking,
    _judge_table,
    _notes,
    _rates_by_size,
)
from sudokulab.papers.catalogue import PAPERS, Artefact, Effort, Findings, Verdict, reproduce
from sudokulab.papers.pages import markdown_of, write_page
from tests.cases import for_each

PAPER = PAPERS["all-solvers"]
SETS = {"easy": 9, "16x16-0.45": 16, "25x25-0.45": 25}


@pytest.mark.thorough
@pytest.mark.timing
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found: dict[Artefact, Findings] = dict(reproduce(PAPER, effort=Effort.SMOKE, folder=tmp_path / "runs", workers=1))
    assert [artefact.key for artefact in found] == ["table", "ranking", "growth"]
    for findings in found.values():
        assert findings.tables
        assert all(rows for _, _, rows in findings.tables)
        assert findings.checks
        assert findings.verdict is Verdict.FINDINGS
    table = next(iter(found.values()))
    solvers = [row[0] for row in table.tables[0][2]]
    assert {*METAHEURISTICS, *TREES} <= {*solvers}
    assert "metaheuristics can solve all" in markdown_of(PAPER, Effort.SMOKE, found)
    write_page(PAPER, Effort.SMOKE, found, tmp_path / "page")
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


def false_statements(findings: Findings) -> list[str]:
    """Return the statements that turned out false."""
    return [check.statement for check in findings.checks if not check.holds]


@for_each(
    ("change", "false"),
    [
        ({}, []),
        (
            {("cadical", "easy"): 1.0, ("ant-colony", "16x16-0.45"): 1.0},
            ["every complete solver solves all 4 9×9 puzzles"],
        ),
        ({("tabu", "easy"): 0.001}, ["on 9×9, every tree search has a lower PAR-2"]),
        ({("dlx", "25x25-0.45"): 0.1}, ["at 25×25, ant-colony solves more than the tree searches"]),
        ({("cadical", "25x25-0.45"): 1.0}, ["CaDiCaL solves at least as many as any solver"]),
    ],
)
def test_statements_on_the_table_follow_from_the_runs(change: dict[tuple[str, str], float], false: list[str]) -> None:
    findings = Findings(is_own=True)
    _judge_table(findings, made_up(change))
    assert [found[: len(start)] for found, start in zip(false_statements(findings), false, strict=True)] == false


@for_each(
    ("change", "false"),
    [
        ({}, ""),
        ({("cadical", "25x25-0.45"): 1.0}, "25×25: the best learner"),
        ({(name, "25x25-0.45"): 0.1 for name in METAHEURISTICS}, "the mean success rate of the metaheuristics"),
    ],
)
def test_statements_on_growth_follow_from_the_runs(change: dict[tuple[str, str], float], false: str) -> None:
    findings = Findings(is_own=True)
    _judge_growth(findings, _rates_by_size(made_up(change)))
    assert all(statement.startswith(false) for statement in false_statements(findings))
    assert len(false_statements(findings)) == bool(false)


@for_each(
    ("ranks", "p_value", "false"),
    [
        ({"dlx": 1.0, "tabu": 2.0}, 0.01, []),
        ({"dlx": 1.0, "tabu": 2.0}, 0.1, ["the solvers differ (Friedman test, p = 0.1, below 0.05)"]),
        (
            {"tabu": 1.0, "dlx": 2.0},
            0.01,
            ["a complete solver has the best mean rank (tabu)", "a metaheuristic has the worst mean rank (dlx)"],
        ),
    ],
)
def test_statements_on_ranks_depend_on_the_best_and_worst_solver(
    ranks: dict[str, float], p_value: float, false: list[str]
) -> None:
    findings = Findings(is_own=True)
    _judge_ranking(findings, ranks, p_value)
    assert false_statements(findings) == false


def test_the_cactus_plot_has_a_panel_per_family_that_names_its_solvers() -> None:
    figure, ax = plots.figure()
    _draw_cactus(made_up({}), ax)
    assert [panel.get_title("left") for panel in figure.axes] == list(FAMILIES)
    texts = [{text.get_text() for text in panel.texts} for panel in figure.axes]
    assert texts[0] >= set(METAHEURISTICS)
    assert not texts[0] & set(TREES)


def test_notes_follow_the_numbers() -> None:
    easy, *_, large = _notes(made_up({}))
    assert "The best metaheuristic is beaten by `backtracking`." in easy
    assert "`ant-colony`, solves 4" in large
    assert "No solver clearly beats the best metaheuristic, which beats `backtracking`." in large
    best = _notes(made_up({("ant-colony", "25x25-0.45"): 0.001}))[-1]
    assert "A metaheuristic is the best solver: `ant-colony`" in best
    nobody = _notes(made_up({(name, "25x25-0.45"): 1.0 for name in ("ant-colony", "cadical")}))[-1]
    assert "No solver solves anything" in nobody
