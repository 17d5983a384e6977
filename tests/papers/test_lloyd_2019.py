"""Lloyd & Amos 2019: the printed numbers, the smoke run, and verdicts that follow the numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from sudokulab import parse
from sudokulab.papers.catalogue import Context, Effort, Verdict, reproduce
from sudokulab.papers.lloyd_2019 import PAPER
from sudokulab.papers.lloyd_2019.general import judge_figure_9, judge_figures_5_6_7, judge_row_45
from sudokulab.papers.lloyd_2019.named import count_solutions, judge_named_unique
from sudokulab.papers.lloyd_2019.propagation import figure_3, judge_figure_8
from sudokulab.papers.lloyd_2019.table_1 import judge_table_1
from sudokulab.papers.pages import markdown_of, write_page
from tests.puzzles import EASY, INKALA

ROW_45 = {
    "ACS": (92, 0.3),
    "ILS": (14, 2.0),
    "DLX": (53, 1.5),
    "BS": (14, 2.0),
    "ACS, no BVE": (58, 0.3),
    "ACS, singles": (99, 0.1),
    "BS, singles": (70, 0.5),
    "ACS, no BVE, singles": (90, 0.1),
}


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context(PAPER, Effort.QUICK, tmp_path)


def row_runs(row: dict[str, tuple[int, float]], number: int = 100) -> pl.DataFrame:
    """Return runs per solver at 25×25 and 45 %, with the given success in percent and seconds."""
    rows = [
        {
            "solver": solver,
            "instance": str(run),
            "is_success": 100 * run < success * number,
            "seconds": seconds * (1 + run / number),
        }
        for solver, (success, seconds) in row.items()
        for run in range(number)
    ]
    return pl.DataFrame(rows).with_columns(budget_seconds=5.0, fixed_cells_percent=45)


def table_runs(ms_by_puzzle: dict[str, float], still_success: dict[str, int], number: int = 100) -> pl.DataFrame:
    """Return runs per named puzzle; `still_success` is the success in percent without evaporation."""
    rows = []
    for puzzle, ms in ms_by_puzzle.items():
        label = "sabuncu" if puzzle.startswith("sabuncu") else "hard"
        for run in range(number):
            of_run = {"instance_set": label, "instance": f"{label}/{puzzle}", "run": run}
            is_success = 100 * run < still_success[puzzle] * number
            for solver in ("ACS", "ACS, singles"):
                rows.append({**of_run, "solver": solver, "is_success": True, "seconds": ms / 1000})
            for solver in ("ACS, no BVE", "ACS, no BVE, singles"):
                rows.append({**of_run, "solver": solver, "is_success": is_success, "seconds": 1.0})
    return pl.DataFrame(rows).with_columns(reported_seconds="seconds", budget_seconds=5.0)


def peak_runs(low: float, middle: float, high: float, *, hardest: int = 45) -> pl.DataFrame:
    """Return runs of six solvers with these seconds below, at and above 40–50 %; those at `hardest` % fail."""
    rows = [
        {
            "solver": solver,
            "instance": f"{percent}/{run}",
            "fixed_cells_percent": percent,
            "seconds": seconds * (1 + 0.1 * run),
        }
        for solver in ("ACS", "ILS", "DLX", "BS", "ACS, singles", "BS, singles")
        for percent in range(0, 100, 5)
        for seconds in [low if percent < 40 else middle if percent <= 50 else high]
        for run in range(2)
    ]
    is_success = pl.col("fixed_cells_percent") != hardest
    return pl.DataFrame(rows).with_columns(is_success=is_success, budget_seconds=2 * pl.col("seconds").max())


def easy(runs: pl.DataFrame) -> pl.DataFrame:
    return runs.with_columns(is_success=True)


@pytest.mark.thorough
@pytest.mark.timing
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found = dict(reproduce(PAPER, effort=Effort.SMOKE, folder=tmp_path, workers=1))
    assert [artefact.key for artefact in found] == [
        *("figure-3", "named-unique", "figure-4", "figures-5-6-7", "figure-8", "table-1", "figure-9", "row-45")
    ]
    for artefact, findings in found.items():
        assert artefact.claim
        assert isinstance(findings.verdict, Verdict)
        if artefact.key not in ("figure-3", "named-unique"):
            assert findings.tables
            assert findings.checks
            assert any("instances are" in note or "puzzles are" in note for note in findings.notes)
    text = markdown_of(PAPER, Effort.SMOKE, found)
    assert text.count("\n## ") == 8
    assert "nan" not in text
    write_page(PAPER, Effort.SMOKE, found, tmp_path)
    assert len(list((tmp_path / "figures").glob("*.svg"))) == 1 + 3 + 2 + 1


def test_printed_numbers() -> None:
    printed = PAPER.printed
    assert printed["row-45"]["ACS"] == [92, 7.9]
    assert printed["row-45"]["DLX"] == [53, 27.1]
    assert printed["row-45"]["ACS, no BVE"] == [58, 5.8]
    assert printed["figure-8"]["first_trivial_percentage"] == {"9": 40, "16": 50, "25": 55}
    assert len(printed["table-1"]["puzzles"]) == 16
    assert len(printed["general"]["percentages"]) * 3 * printed["general"]["num_instances"] == 6000


def test_figure_3_is_reproduced_cell_by_cell(context: Context) -> None:
    findings = figure_3(context)
    assert findings.verdict is Verdict.REPRODUCED
    assert any("9 solutions" in error for error in findings.errors)


def test_a_named_puzzle_with_several_solutions_refutes_the_claim() -> None:
    assert judge_named_unique(count_solutions([EASY, INKALA])).verdict is Verdict.REPRODUCED
    refuted = judge_named_unique(count_solutions([EASY, replace(parse("." * 16), name="blank")]))
    assert refuted.verdict is Verdict.REFUTED
    assert "`blank` has 288 solutions" in refuted.checks[0].statement
    assert judge_named_unique([]).verdict is Verdict.UNCHECKED


def test_the_row_45_verdict_follows_the_runs(context: Context) -> None:
    def verdict(number: int = 120, row: dict[str, tuple[int, float]] | None = None) -> Verdict:
        runs = row_runs(ROW_45 | (row or {}), number)
        return judge_row_45(context, runs, runs).verdict

    assert verdict() is Verdict.REPRODUCED
    assert verdict(row={"BS": (60, 1.0)}) is Verdict.REPRODUCED
    assert verdict(row={"ACS": (100, 0.3)}) is Verdict.SHAPE
    assert verdict(10) is Verdict.UNDERPOWERED
    for stronger in ("ACS, no BVE", "DLX", "ILS", "BS"):
        assert verdict(row={stronger: (95, 0.3)}) is Verdict.NOT_REPRODUCED, stronger


def test_the_figure_9_verdict_follows_the_runs(context: Context) -> None:
    def verdict(number: int = 120, row: dict[str, tuple[int, float]] | None = None) -> Verdict:
        runs = row_runs(ROW_45 | (row or {}), number)
        return judge_figure_9(context, runs, runs).verdict

    assert verdict() is Verdict.REPRODUCED
    assert verdict(row={"ACS, no BVE": (58, 2.5)}) is Verdict.SHAPE
    assert verdict(row={"ACS, no BVE": (30, 0.3)}) is Verdict.SHAPE  # another rate than the paper's 58 %
    assert verdict(row={"ACS, no BVE": (95, 0.3)}) is Verdict.NOT_REPRODUCED
    assert verdict(8) is Verdict.UNDERPOWERED


@pytest.mark.thorough
def test_the_table_1_verdict_follows_the_runs(context: Context) -> None:
    printed = PAPER.printed["table-1"]["puzzles"]
    ms = {name: numbers[3] for name, numbers in printed.items()}
    still = {name: numbers[0] for name, numbers in printed.items()}
    stronger = {name: max(80, success) for name, success in still.items()}
    assert judge_table_1(context, table_runs(ms, still)).verdict is Verdict.REPRODUCED
    assert judge_table_1(context, table_runs(ms, stronger)).verdict is Verdict.SHAPE
    assert judge_table_1(context, table_runs(ms, dict.fromkeys(still, 100))).verdict is Verdict.NOT_REPRODUCED
    reversed_order = dict(zip(ms, sorted(ms.values(), reverse=True), strict=True))
    assert judge_table_1(context, table_runs(reversed_order, still)).verdict is Verdict.NOT_REPRODUCED


def test_rates_under_a_shorter_limit_than_the_papers_are_not_compared(context: Context) -> None:
    printed = PAPER.printed["table-1"]["puzzles"]
    runs = table_runs({name: numbers[3] for name, numbers in printed.items()}, dict.fromkeys(printed, 0))

    def compared(runs: pl.DataFrame) -> list[str]:
        return [one.statement for one in judge_table_1(context, runs).checks if "correspond" in one.statement]

    assert len(compared(runs)) == 2
    assert not compared(runs.with_columns(budget_seconds=2.0))


def test_the_rates_of_solvers_with_unknown_speed_are_not_compared(context: Context) -> None:
    runs = row_runs(ROW_45, 120)
    checks = judge_row_45(context, runs, runs).checks
    assert [check.statement.split(" (")[0] for check in checks if check.kind == "value"] == [
        "success of ACS in 12,500 iterations",
        "success of ACS, no BVE in 12,500 iterations",
    ]


def test_the_figures_5_6_7_verdict_follows_the_runs(context: Context) -> None:
    peak, falling = peak_runs(0.1, 1.0, 0.01), peak_runs(1.0, 0.1, 0.01)

    def verdict(small: pl.DataFrame, large: pl.DataFrame) -> Verdict:
        return judge_figures_5_6_7(context, {9: small, 16: small, 25: large}).verdict

    assert verdict(easy(falling), peak) is Verdict.SHAPE  # there is no claim about each size
    assert verdict(easy(peak), falling) is Verdict.NOT_REPRODUCED
    assert verdict(easy(peak), easy(peak)) is Verdict.NOT_REPRODUCED  # no instance is hard
    assert verdict(peak, easy(peak)) is Verdict.NOT_REPRODUCED  # the hardest are not the largest
    assert verdict(easy(peak), peak_runs(0.1, 1.0, 0.01, hardest=30)) is Verdict.NOT_REPRODUCED


def test_four_solvers_on_an_instance_are_one_observation(context: Context) -> None:
    peak = peak_runs(0.1, 1.0, 0.01)
    few = peak.filter(pl.col("instance").is_in([f"{percent}/0" for percent in (0, 45, 80, 95)]))
    runs = {9: easy(few), 16: easy(few), 25: few}
    assert judge_figures_5_6_7(context, runs).verdict is Verdict.UNDERPOWERED


def test_the_figure_8_verdict_follows_the_table(context: Context) -> None:
    rows = [
        (propagation, size, percent, 100.0 if percent >= first else 0.0, max(1.0, 3.6 + 0.05 * (45 - percent)))
        for propagation in ("peers", "singles")
        for size, first in ((9, 40), (16, 50), (25, 55))
        for percent in range(0, 100, 5)
    ]
    table = pl.DataFrame(rows, ["propagation", "size", "percent", "trivial", "set_size"], orient="row")
    assert judge_figure_8(context, table).verdict is Verdict.REPRODUCED
    larger = table.with_columns(pl.col("set_size") + 1)
    assert judge_figure_8(context, larger).verdict is Verdict.SHAPE
    rising = table.with_columns(-pl.col("set_size"))
    assert judge_figure_8(context, rising).verdict is Verdict.NOT_REPRODUCED
