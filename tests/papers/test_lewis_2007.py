from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest

from sudokulab.papers.catalogue import PAPERS, Artefact, Effort, Findings, Verdict, reproduce
from sudokulab.papers.lewis_2007.judging import (
    HYBRID,
    SA,
    FixedPoint,
    judge_fixed,
    judge_growth,
    judge_ranks,
    judge_success,
    judge_times,
    paired_tests,
    printed_rows,
    rates_by_limit,
)
from sudokulab.papers.lewis_2007.published import SetResult, SolverResult, add_tables, judge_published, stand_in
from sudokulab.papers.lewis_2007.random_grids import (
    _CHOOSING,
    SOURCES,
    _samples,
    random_instances,
    share_completed,
)
from sudokulab.papers.pages import markdown_of, write_page
from sudokulab.papers.reproduction import Context
from tests.cases import for_each

PAPER = PAPERS["lewis-2007"]


@pytest.mark.thorough
@pytest.mark.timing
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:
    found: dict[Artefact, Findings] = dict(reproduce(PAPER, effort=Effort.SMOKE, folder=tmp_path / "runs", workers=1))
    random = ["figure-2", "figure-3-order-3", "figure-3-order-4", "figure-3-order-5", "signed-rank"]
    keys = ["readings", *random, "table-1"]
    assert [artefact.key for artefact in found] == keys
    for findings in found.values():
        assert findings.tables
        assert all(rows for _, _, rows in findings.tables)
        assert findings.checks
        assert isinstance(findings.verdict, Verdict)
    page = markdown_of(PAPER, Effort.SMOKE, found)
    assert all(f"## {key}\n" in page for key in keys)
    write_page(PAPER, Effort.SMOKE, found, tmp_path / "page")
    assert len(list((tmp_path / "page" / "figures").iterdir())) == 6


def test_printed_numbers() -> None:
    rows = PAPER.printed["table-1"]["rows"]
    assert len(rows) == 9
    assert all(len(row) == len(PAPER.printed["table-1"]["columns"]) for row in rows.values())
    assert rows["17 givens"] == [3, 1000, 0.21, 0.01, 1.41, 0.2, 0.30, 0.16, 0.64, 0.5]
    assert PAPER.printed["figure-3"]["seconds"] == {"3": 2, "4": 40, "5": 450}


@pytest.mark.slow
def test_the_sets_of_table_1_share_no_puzzle(tmp_path: Path) -> None:
    context = Context(PAPER, Effort.PUBLISHED, tmp_path)
    sets = {name: stand_in(context, name) for name in printed_rows(PAPER.printed)}
    puzzles = [puzzle for own in sets.values() for puzzle in own]
    assert len(set(puzzles)) == len(puzzles) >= 16
    for name, row in printed_rows(PAPER.printed).items():
        assert all(puzzle.num_givens == round(row["fixed"] * row["order"] ** 4) for puzzle in sets[name])


@pytest.mark.parametrize("source", ["random", "root"])
def test_random_instances_have_their_own_seeds(source: Literal["random", "root"]) -> None:
    puzzles = [puzzle for p in (0.3, 0.35, 0.4) for puzzle in random_instances(3, p, 20, source)]
    assert len({puzzle.solution for puzzle in puzzles}) == len(puzzles) == 60
    assert [puzzle.num_givens for puzzle in random_instances(3, 1.0, 2, source)] == [81, 81]
    share = sum(puzzle.num_givens for puzzle in random_instances(5, 0.3, 10, source)) / 6250
    assert share == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize("order", [3, 4, 5])
def test_the_random_instances_of_an_order_share_no_puzzle(order: int, tmp_path: Path) -> None:
    context = Context(PAPER, Effort.PUBLISHED, tmp_path)
    sets = [
        random_instances(order, p, number, SOURCES[order])
        for (number, _), fractions in _samples(order, context).items()
        for p in fractions
    ]
    sets += [random_instances(order, p, 100, SOURCES[order], _CHOOSING) for p in (0.2, 0.75, 1.0)]
    puzzles = [puzzle for own in sets for puzzle in own]
    assert len(set(puzzles)) == len(puzzles)


@pytest.mark.parametrize("order", [3, 4, 5])
def test_the_source_that_judges_completes_more_puzzles(order: int) -> None:
    shares = {source: share_completed(order, [0.75, 0.8], 60, source) for source in ("random", "root")}
    assert max(shares, key=lambda source: shares[source]) == SOURCES[order]


def runs_of(
    rates: dict[str, dict[float, float]], number: int = 40, order: int = 5, hybrid_seconds: float = 0.5
) -> pl.DataFrame:
    """Return invented runs with the given success rates by solver and p; annealing takes a second, less with p."""
    rows = [
        {
            "solver": solver,
            "instance": f"p = {p}/{place}",
            "instance_set": f"p = {p}",
            "size": order**2,
            "run": 0,
            "is_success": place < rate * number,
            "seconds": (hybrid_seconds if solver == HYBRID and p >= 0.25 else 1.0) + place / 1000 - p / 2,
            "p": p,
        }
        for solver, curve in rates.items()
        for p, rate in curve.items()
        for place in range(number)
    ]
    return pl.DataFrame(rows)


ALL = dict.fromkeys([0.0, 0.2, 0.3, 0.45, 0.8], 1.0)
DIP = ALL | {0.45: 0.3}
WIDE = ALL | dict.fromkeys([0.4, 0.5, 0.55], 1.0)


def verdict_of(judge: Callable[..., None], *arguments: Any) -> Verdict:
    findings = Findings()
    judge(findings, *arguments, PAPER.printed)
    return findings.verdict


@for_each(
    ("annealing", "hybrid", "number", "verdict"),
    [
        (DIP, DIP | {0.45: 0.7}, 40, Verdict.SHAPE),
        (ALL | {0.45: 0.8}, ALL, 5, Verdict.UNDERPOWERED),  # one failure in five runs is no dip
        (WIDE | {0.5: 0.8}, WIDE, 100, Verdict.SHAPE),  # a dip at a single p
        (ALL, ALL, 100, Verdict.NOT_REPRODUCED),  # solved too easily
        (DIP, DIP | {0.45: 0.0, 0.3: 0.8}, 40, Verdict.NOT_REPRODUCED),  # the hybrid solves fewer
        (DIP, DIP | {0.3: 0.95}, 4, Verdict.UNDERPOWERED),
    ],
)
def test_success_rates_must_dip_and_be_higher_for_the_hybrid(
    annealing: dict[float, float], hybrid: dict[float, float], number: int, verdict: Verdict
) -> None:
    assert verdict_of(judge_success, runs_of({SA: annealing, HYBRID: hybrid}, number), 4) is verdict


@pytest.mark.parametrize(("rate", "verdict"), [(1.0, Verdict.REPRODUCED), (0.9, Verdict.NOT_REPRODUCED)])
def test_order_3_must_be_solved_completely(rate: float, verdict: Verdict) -> None:
    runs = runs_of({SA: ALL | {0.45: rate}, HYBRID: ALL}, order=3)
    assert verdict_of(judge_success, runs, 3) is verdict


def test_a_slower_program_would_have_solved_less() -> None:
    runs = runs_of({SA: DIP, HYBRID: ALL}).with_columns(
        stats_iterations=pl.when(pl.col("p") > 0.25).then(60).otherwise(20)
    )
    rows = rates_by_limit(runs, 100, PAPER.printed)
    assert rows[0] == [100, 0.3, 1.0, 1.0, 1.0]
    assert rows[1] == [50, 0.0, pytest.approx(2 / 3), 0.0, pytest.approx(2 / 3)]
    assert rows[3] == [12.5, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(("larger", "verdict"), [(0.3, Verdict.SHAPE), (0.95, Verdict.NOT_REPRODUCED)])
def test_the_dip_must_be_deeper_in_the_larger_order(larger: float, verdict: Verdict) -> None:
    rates = [{SA: ALL | {0.45: rate}, HYBRID: ALL} for rate in (0.9, larger)]
    assert verdict_of(judge_growth, *(runs_of(one, 400) for one in rates)) is verdict


@pytest.mark.parametrize(("seconds", "verdict"), [(0.5, Verdict.REPRODUCED), (1.2, Verdict.NOT_REPRODUCED)])
def test_the_hybrid_must_need_less_time_in_the_middle(seconds: float, verdict: Verdict) -> None:
    runs = runs_of({SA: ALL, HYBRID: ALL}, hybrid_seconds=seconds)
    assert all(verdict_of(judge_times, runs, order) is verdict for order in (3, 4))


def test_times_of_many_runs_on_few_instances_are_underpowered() -> None:
    curve = dict.fromkeys([0.3, 0.45], 1.0)
    runs = pl.concat([runs_of({SA: curve, HYBRID: curve}, number=2)] * 50)
    assert verdict_of(judge_times, runs, 4) is Verdict.UNDERPOWERED


def test_times_must_be_equal_where_cp_fixes_nothing() -> None:
    runs = runs_of({SA: ALL, HYBRID: ALL}, order=4).with_columns(
        seconds=pl.when((pl.col("solver") == HYBRID) & (pl.col("p") < 0.25)).then(0.1).otherwise("seconds")
    )
    assert verdict_of(judge_times, runs, 4) is Verdict.SHAPE


def test_order_3_must_take_longer_at_low_p() -> None:
    runs = runs_of({SA: ALL, HYBRID: ALL}, order=3).with_columns(pl.col("seconds") + 2 * pl.col("p"))
    assert verdict_of(judge_times, runs, 3) is Verdict.NOT_REPRODUCED


@for_each(
    ("hybrid", "number", "num_differing", "holds"),
    [(0.9, 40, 24, True), (0.0, 40, 12, False), (0.6, 10, 3, None)],
)
def test_a_signed_rank_test_with_few_differing_instances_is_underpowered(
    hybrid: float, number: int, num_differing: int, holds: bool | None
) -> None:
    runs = runs_of({SA: DIP, HYBRID: DIP | {0.45: hybrid}}, number)
    *numbers, test = paired_tests([runs], PAPER.printed)["instances"]
    assert numbers == [2 * number, num_differing]  # p = 0.3 and 0.45
    assert test.holds is holds


def test_both_readings_of_the_signed_rank_test_are_judged() -> None:
    findings = Findings()
    judge_ranks(findings, paired_tests([runs_of({SA: DIP, HYBRID: ALL})], PAPER.printed))
    assert [check.holds for check in findings.checks] == [True, None]  # two values of p cannot be significant
    assert findings.verdict is Verdict.UNDERPOWERED


def test_the_figure_2_verdict_follows_the_curve() -> None:
    good = [
        FixedPoint(0.0, 0.0, 0.0, 0.0, 0.0),
        FixedPoint(0.2, 0.2, 0.21, 0.2, 0.0),
        FixedPoint(0.5, 0.5, 0.8, 1.0, 0.3),
        FixedPoint(0.8, 0.8, 1.0, 1.0, 1.0),
    ]
    for place, change, verdict in (
        (0, {}, Verdict.REPRODUCED),
        (1, {"fixed": 0.3}, Verdict.SHAPE),  # CP fixes cells of nearly blank grids
        (3, {"completed": 0.89}, Verdict.REPRODUCED),  # 90 % is within its interval
        (3, {"completed": 0.8}, Verdict.SHAPE),  # CP fails to complete nearly full grids
        (2, {"completed": 0.9}, Verdict.NOT_REPRODUCED),
        (2, {"progress": 0.4}, Verdict.NOT_REPRODUCED),
    ):
        curve = [*good]
        curve[place] = curve[place]._replace(**change)
        findings = Findings()
        judge_fixed(findings, {3: curve}, 200, PAPER.printed["figure-2"])
        assert findings.verdict is verdict


def result(annealing: float, hybrid: float, ratio: float = 2.0, fixed: float = 0.3, number: int = 200) -> SetResult:
    solvers = [
        SolverResult(round(rate * number), number, seconds, 0.1, 1e6)
        for rate, seconds in ((annealing, ratio), (hybrid, 1.0))
    ]
    return SetResult(0.3, fixed, 0.1, *solvers)


def as_printed() -> dict[str, SetResult]:
    """Return the paper's numbers as if they were ours."""
    return {
        name: result(row["SA success"], row["hybrid success"], row["SA s"] / row["hybrid s"], row["fixed by CP"])
        for name, row in printed_rows(PAPER.printed).items()
    }


@pytest.mark.thorough
@for_each(
    ("change", "verdict"),
    [
        ({}, Verdict.REPRODUCED),
        ({"17 givens": result(0.01, 0.9, 2.2)}, Verdict.SHAPE),
        ({"17 givens": result(0.01, 0.16, 2.2, fixed=0.7)}, Verdict.SHAPE),
        ({"gentle": result(0.99, 1.0, ratio=600)}, Verdict.SHAPE),
        ({"gentle": result(0.99, 1.0, ratio=0.9)}, Verdict.NOT_REPRODUCED),  # the hybrid needs longer
        ({"tough": result(0.95, 0.5)}, Verdict.NOT_REPRODUCED),  # the hybrid solves fewer
        ({"easy, order 4": result(0.95, 1.0), "hard, order 4": result(0.95, 1.0)}, Verdict.SHAPE),
        ({"17 givens": result(0.95, 1.0)}, Verdict.NOT_REPRODUCED),  # no harder than the others
        ({"hard, order 5": result(0.0, 0.0, number=3)}, Verdict.UNDERPOWERED),
    ],
)
def test_the_table_1_verdict_follows_the_rows(change: dict[str, SetResult], verdict: Verdict) -> None:
    assert verdict_of(judge_published, as_printed() | change) is verdict


def test_one_of_many_sets_may_be_worse_by_chance() -> None:
    by_chance = as_printed() | {"tough": result(1.0, 0.955)}  # p = 0.002 for the set alone
    findings = Findings()
    judge_published(findings, by_chance | {"tough": result(1.0, 0.97)}, PAPER.printed)  # p = 0.015
    assert not any("significantly fewer" in check.statement and not check.holds for check in findings.checks)
    assert verdict_of(judge_published, by_chance) is Verdict.NOT_REPRODUCED


def test_the_table_shows_standard_deviations() -> None:
    findings = Findings()
    add_tables(findings, as_printed(), printed_rows(PAPER.printed))
    (_, _, _), (_, columns, rows) = findings.tables
    tough = dict(zip(columns, rows[1], strict=True))
    assert tough["annealing: s, paper"] == "0.76 ± 0.3"
    assert rows[1][2] == "3.45 ± 0.1"
    assert rows[-1][1] is None  # hard puzzles of order 5 were not solved
