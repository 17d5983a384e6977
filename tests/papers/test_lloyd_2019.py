"""Lloyd & Amos 2019: the printed numbers, the smoke run, and verdicts that follow the numbers."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sudokulab.papers.catalogue import Context, Scale, Verdict, reproduce
from sudokulab.papers.lloyd_2019 import PAPER
from sudokulab.papers.lloyd_2019.general import judge_figure_8, judge_figure_9, judge_row_45
from sudokulab.papers.lloyd_2019.named import judge_table_1
from sudokulab.papers.pages import markdown_of, write_page

ROW_45 = {"ACS": (92, 0.3), "ILS": (14, 2.0), "DLX": (53, 1.5), "BS": (14, 2.0), "ACS, no BVE": (58, 0.3)}


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context(PAPER, Scale.QUICK, tmp_path)


def row_runs(row: dict[str, tuple[int, float]]) -> pl.DataFrame:
    """Return a hundred runs per solver at 25×25 and 45 %, with the given successes and seconds."""
    rows = [
        {"solver": solver, "is_success": run < success, "seconds": seconds if run < success else 3.0}
        for solver, (success, seconds) in row.items()
        for run in range(100)
    ]
    return pl.DataFrame(rows).with_columns(budget_seconds=3.0, fixed_cells_percent=45)


def table_runs(ms_by_puzzle: dict[str, float], still_success: int) -> pl.DataFrame:
    """Return a hundred runs per named puzzle; without evaporation `still_success` succeed on each harder one."""
    rows = []
    for puzzle, ms in ms_by_puzzle.items():
        label = "sabuncu" if puzzle.startswith("sabuncu") else "hard"
        for run in range(100):
            of_run = {"instance_set": label, "instance": f"{label}/{puzzle}", "run": run}
            is_success = label == "sabuncu" or run < still_success
            rows.append({**of_run, "solver": "ACS", "is_success": True, "seconds": ms / 1000})
            rows.append({**of_run, "solver": "ACS, no BVE", "is_success": is_success, "seconds": 0.1})
    return pl.DataFrame(rows).with_columns(reported_seconds="seconds", budget_seconds=5.0)


@pytest.mark.timing
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found = dict(reproduce(PAPER, scale=Scale.SMOKE, folder=tmp_path, workers=1))
    assert [artefact.key for artefact in found] == [
        *("figure-4", "figures-5-6-7", "figure-8", "table-1", "figure-9", "row-45")
    ]
    for findings in found.values():
        assert findings.tables
        assert findings.checks
        assert isinstance(findings.verdict, Verdict)
        assert any("instances are" in note or "puzzles are" in note for note in findings.notes)
    text = markdown_of(PAPER, Scale.SMOKE, found)
    assert text.count("\n## ") == 6
    assert "nan" not in text
    write_page(PAPER, Scale.SMOKE, found, tmp_path)
    assert len(list((tmp_path / "figures").glob("*.svg"))) == 1 + 6 + 2 + 2


def test_printed_numbers() -> None:
    printed = PAPER.printed
    assert printed["row-45"]["ACS"] == [92, 7.9]
    assert printed["row-45"]["DLX"] == [53, 27.1]
    assert printed["row-45"]["ACS, no BVE"] == [58, 5.8]
    assert printed["figure-8"]["first_trivial_percentage"] == {"9": 40, "16": 50, "25": 55}
    assert len(printed["table-1"]["puzzles"]) == 16
    assert len(printed["general"]["percentages"]) * 3 * printed["general"]["num_instances"] == 6000


def test_the_row_45_verdict_follows_the_runs(context: Context) -> None:
    assert judge_row_45(context, row_runs(ROW_45)).verdict is Verdict.REPRODUCED
    assert judge_row_45(context, row_runs({**ROW_45, "BS": (60, 1.0)})).verdict is Verdict.SHAPE
    assert judge_row_45(context, row_runs({**ROW_45, "ACS": (40, 0.3)})).verdict is Verdict.NOT_REPRODUCED


def test_the_figure_9_verdict_follows_the_runs(context: Context) -> None:
    assert judge_figure_9(context, row_runs(ROW_45)).verdict is Verdict.REPRODUCED
    slow = row_runs({**ROW_45, "ACS, no BVE": (58, 2.5)})
    assert judge_figure_9(context, slow).verdict is Verdict.SHAPE
    harmless = row_runs({**ROW_45, "ACS, no BVE": (95, 0.3)})
    assert judge_figure_9(context, harmless).verdict is Verdict.NOT_REPRODUCED


def test_the_table_1_verdict_follows_the_runs(context: Context) -> None:
    paper = {name: numbers[3] for name, numbers in PAPER.printed["table-1"]["puzzles"].items()}
    assert judge_table_1(context, table_runs(paper, 36)).verdict is Verdict.REPRODUCED
    assert judge_table_1(context, table_runs(paper, 80)).verdict is Verdict.SHAPE
    assert judge_table_1(context, table_runs(paper, 100)).verdict is Verdict.NOT_REPRODUCED
    reversed_order = dict(zip(paper, sorted(paper.values(), reverse=True), strict=True))
    assert judge_table_1(context, table_runs(reversed_order, 36)).verdict is Verdict.NOT_REPRODUCED


def test_the_figure_8_verdict_follows_the_table(context: Context) -> None:
    rows = [
        (size, percent, 100.0 if percent >= first else 0.0, max(1.0, 3.6 + 0.05 * (45 - percent)))
        for size, first in ((9, 40), (16, 50), (25, 55))
        for percent in range(0, 100, 5)
    ]
    table = pl.DataFrame(rows, ["size", "percent", "trivial", "set_size"], orient="row")
    assert judge_figure_8(context, table).verdict is Verdict.REPRODUCED
    larger = table.with_columns(pl.col("set_size") + 1)
    assert judge_figure_8(context, larger).verdict is Verdict.SHAPE
    rising = table.with_columns(-pl.col("set_size"))
    assert judge_figure_8(context, rising).verdict is Verdict.NOT_REPRODUCED
