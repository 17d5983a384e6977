"""Soto et al. 2013: the printed numbers, the smoke run, and verdicts that follow the numbers."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sudokulab.instances import find
from sudokulab.logic import rate
from sudokulab.papers.catalogue import Context, Verdict, reproduce
from sudokulab.papers.pages import markdown_of
from sudokulab.papers.reproduction import Effort
from sudokulab.papers.soto_2013 import PAPER, STAND_INS, _originals, _stand_ins
from sudokulab.papers.soto_2013.judging import judge_comparison, judge_times, judge_tries
from sudokulab.papers.soto_2013.readings import (
    GENETIC,
    GENETIC_SPECS,
    HYBRID,
    PRINTED,
    SIZES,
    choose_genetic,
    choose_size,
    judged_tries,
    seconds_per_iteration,
)
from tests.cases import for_each

TABLE_1 = PAPER.printed["table-1"] | {"text": {"puzzle": "s12b", "tries": 49}}  # without the contradiction
TABLE_2 = PAPER.printed["table-2"]
RATES = {name: 30 / puzzle["tries"] for name, puzzle in TABLE_1["puzzles"].items()}


def make_tries(rates: dict[str, float], number: int = 200) -> pl.DataFrame:
    """Return tries with the given success rates by puzzle, at a twentieth of the paper's mean times.

    An iteration takes as long as in the paper, relative to the mean time.
    """
    rows = [
        {
            "solver": solver,
            "instance": f"puzzles/{name}",
            "run": run,
            "is_success": run < (RATES | rates)[name] * number,
            "seconds": puzzle["seconds"][1] / 20,
            "stats_iterations": max(0, puzzle["seconds"][1] - 1.143) / 0.256,
        }
        for solver in (HYBRID, PRINTED)
        for name, puzzle in TABLE_1["puzzles"].items()
        for run in range(number)
    ]
    return pl.DataFrame(rows)


def make_shares(of_hybrid: dict[str, int], of_genetic: dict[str, int]) -> pl.DataFrame:
    """Return 300 tries of both solvers per puzzle of Table 2, with the given numbers of successes."""
    rows = [
        {"solver": solver, "instance": f"puzzles/{name}", "run": run, "is_success": run < solved.get(name, 300)}
        for solver, solved in ((HYBRID, of_hybrid), (GENETIC, of_genetic))
        for name in TABLE_2["puzzles"]
        for run in range(300)
    ]
    return pl.DataFrame(rows)


@pytest.mark.thorough
def test_all_artefacts_at_smoke_scale(tmp_path: Path) -> None:  # with the originals if available
    found = dict(reproduce(PAPER, effort=Effort.SMOKE, folder=tmp_path, workers=1))
    assert [one.key for one in found] == ["readings", "table-1", "figure-4", "table-2"]
    for findings in found.values():
        assert findings.tables
        assert isinstance(findings.verdict, Verdict)
        assert any("stand-ins" in note for note in findings.notes) == (find("mantere-koljonen-46") is None)
    page = markdown_of(PAPER, Effort.SMOKE, found)
    assert all(f"## {one.key}" in page for one in found)
    assert "figures/soto-2013-figure-4-times.svg" in page


def test_printed_numbers() -> None:
    puzzles = TABLE_1["puzzles"]
    assert [puzzle["tries"] for puzzle in puzzles.values()] == [30, 30, 30, 30, 31, 33, 35, 49]
    means = [1.331, 1.032, 1.067, 5.170, 69.807, 78.042, 88.550, 112.667]
    assert [puzzle["seconds"][1] for puzzle in puzzles.values()] == means
    assert TABLE_2["puzzles"]["s11a"] == [30, 30, 30, 22]
    assert TABLE_2["puzzles"]["s12a"] == [30, 30, 30, 2]


def test_an_iteration_of_the_authors_program_took_the_same_time_on_every_puzzle() -> None:
    seconds = seconds_per_iteration(TABLE_1)
    assert seconds == pytest.approx({"s11b": 0.266, "s11c": 0.242, "s12a": 0.251, "s12b": 0.264}, abs=5e-4)


def make_hybrids(on_hard_b: dict[int, float]) -> pl.DataFrame:
    """Return 200 tries of every hybrid with the paper's success rates, except on Hard b."""
    tries = {size: make_tries({"s12b": on_hard_b.get(size, 0.2)}).filter(solver=HYBRID) for size in SIZES}
    labelled = [own.with_columns(solver=pl.lit(f"{HYBRID} {size}")) for size, own in tries.items()]
    return pl.concat([*labelled, make_tries({}).filter(solver=PRINTED)])


def test_the_tabu_list_is_as_long_as_makes_the_tries_of_the_paper_most_probable() -> None:
    for rates, size in (({15: 30 / 49}, 15), ({10: 0.9, 25: 0.6, 40: 0.4}, 25)):
        assert choose_size(TABLE_1, make_hybrids(rates))[0] == size


def test_the_tries_that_choose_are_not_judged() -> None:
    runs = make_hybrids({25: 30 / 49})
    odd = runs.with_columns(is_success=pl.col("is_success") & (pl.col("run") % 2 == 0))  # all judged tries fail
    assert choose_size(TABLE_1, odd) == choose_size(TABLE_1, runs)
    judged = judged_tries(TABLE_1, odd)
    assert not judged["is_success"].any()
    assert set(judged["solver"]) == {HYBRID, PRINTED}
    assert len(judged) == 2 * 100 * len(TABLE_1["puzzles"])


def test_stand_ins_resemble_the_originals(tmp_path: Path) -> None:
    names = list(STAND_INS)
    assert names == list(TABLE_1["puzzles"])
    made = _stand_ins(names)
    assert [puzzle.name for puzzle in made] == names
    assert made == _stand_ins(names)
    context = Context(PAPER, Effort.SMOKE, tmp_path)
    if context.has("mantere-koljonen-46"):
        originals = _originals(context, names)
        assert [puzzle.num_givens for puzzle in made] == [puzzle.num_givens for puzzle in originals]
        assert [rate(puzzle).level for puzzle in made] == [rate(puzzle).level for puzzle in originals]


@for_each(
    ("rates", "number", "verdict"),
    [
        ({}, 200, Verdict.REPRODUCED),
        ({"s12b": 0.1}, 200, Verdict.SHAPE),
        ({"s10a": 0.99}, 200, Verdict.REPRODUCED),
        (dict.fromkeys(RATES, 1.0), 200, Verdict.NOT_REPRODUCED),  # better than the paper on hard puzzles
        ({"s11a": 0.1, "s11b": 0.1}, 200, Verdict.NOT_REPRODUCED),
        ({}, 5, Verdict.UNDERPOWERED),
    ],
)
def test_the_tries_verdict_follows_the_runs(rates: dict[str, float], number: int, verdict: Verdict) -> None:
    assert judge_tries(TABLE_1, make_tries(rates, number), has_originals=True).verdict is verdict


def test_a_slip_of_the_text_is_listed() -> None:
    findings = judge_tries(PAPER.printed["table-1"], make_tries({}), has_originals=True)
    assert findings.verdict is Verdict.REPRODUCED, "a slip of the text is no error of the table"
    (error,) = findings.errors
    assert "35 tries for Hard b, the table 49" in error


def test_stand_ins_are_not_compared_with_printed_values() -> None:
    findings = judge_tries(TABLE_1, make_tries({"s12b": 0.1}), has_originals=False)
    assert findings.verdict is Verdict.SHAPE
    assert all(check.kind == "shape" for check in findings.checks)


def test_the_times_verdict_follows_the_runs() -> None:
    runs = make_tries({})
    assert judge_times(TABLE_1, runs, has_originals=True).verdict is Verdict.REPRODUCED
    flat = runs.with_columns(seconds=pl.col("seconds").sqrt())  # hard puzzles take 8 to 9 times as long as Easy a
    assert judge_times(TABLE_1, flat, has_originals=True).verdict is Verdict.SHAPE
    early = runs.with_columns(stats_iterations=pl.col("stats_iterations") / 3)
    assert judge_times(TABLE_1, early, has_originals=True).verdict is Verdict.SHAPE
    equal = runs.with_columns(stats_iterations=pl.lit(10.0))
    assert judge_times(TABLE_1, equal, has_originals=True).verdict is Verdict.NOT_REPRODUCED
    assert judge_times(TABLE_1, runs, has_originals=False).verdict is Verdict.SHAPE


@for_each(
    ("of_hybrid", "of_genetic", "verdict"),
    [
        ({}, {"s11a": 220, "s12a": 20}, Verdict.REPRODUCED),
        ({}, {"s11a": 300, "s12a": 20}, Verdict.NOT_REPRODUCED),
        ({}, {"s11a": 110, "s12a": 0}, Verdict.SHAPE),
        ({"s12a": 200}, {"s11a": 220, "s12a": 20}, Verdict.SHAPE),
        ({"s12a": 10}, {"s11a": 220, "s12a": 20}, Verdict.NOT_REPRODUCED),
        ({}, {"s11a": 20, "s12a": 220}, Verdict.NOT_REPRODUCED),
    ],
)
def test_the_comparison_verdict_follows_the_runs(
    of_hybrid: dict[str, int], of_genetic: dict[str, int], verdict: Verdict
) -> None:
    limited, by_trials, unlimited = (make_shares(of_hybrid, of) for of in (of_genetic, {}, {}))
    findings = judge_comparison(TABLE_2, limited, by_trials, unlimited, has_originals=True)
    assert findings.verdict is verdict
    (_, columns, rows) = findings.tables[0]
    medium = next(row for row in rows if row[0] == "Medium a")
    assert medium[-2:] == (100 * of_genetic["s11a"] / 300, 100.0)  # in generations, and in trials
    assert len(columns) == len(medium)


def make_readings(solved: dict[str, dict[str, int]]) -> pl.DataFrame:
    """Return 30 tries of every reading of the GA, with the given numbers of successes, or else none."""
    rows = [
        {"solver": spec.title, "instance": f"puzzles/{name}", "run": run, "is_success": run < own.get(name, 0)}
        for spec in GENETIC_SPECS
        for own in [solved.get(spec.title, {})]
        for name in TABLE_2["puzzles"]
        for run in range(30)
    ]
    return pl.DataFrame(rows)


def test_the_genetic_algorithm_is_the_one_under_which_the_paper_s_successes_are_most_probable() -> None:
    easy = {"s10a": 30, "s10b": 30, "s10c": 30}
    one, other = GENETIC_SPECS[1], GENETIC_SPECS[4]
    for far, near in ((one, other), (other, one)):
        runs = make_readings({far.title: {**easy, "s11a": 5}, near.title: {**easy, "s11a": 20, "s12a": 3}})
        assert choose_genetic(TABLE_2, runs)[0] == near
