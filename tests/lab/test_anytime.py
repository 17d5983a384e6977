"""Traced runs show what effort each cost takes, and IOHanalyzer can read them."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas
import polars as pl
import pytest

from sudokulab.errors import SudokulabError
from sudokulab.formats import parse
from sudokulab.lab import compare, plots, write_iohprofiler
from sudokulab.lab.anytime import (
    EFFORTS,
    area_over_curve,
    ecdf_over_targets,
    fixed_targets,
    hitting_efforts,
    progress_of,
    targets_of,
)
from sudokulab.lab.report import report, trace_figures
from sudokulab.lab.store import Store
from sudokulab.search import Budget, Trace
from sudokulab.solvers import SOLVERS
from tests.cases import for_each
from tests.commands import run

HARD = parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
WITH_COSTS = [name for name, cls in SOLVERS.items() if cls.unit == "iterations"]


def made(*runs: tuple[str, int, list[tuple[float, float]]]) -> pl.DataFrame:
    """Return the progress of runs, each a solver, its number, and pairs of evaluations and best cost."""
    rows = [
        (solver, "set", "i", 9, number, cost, cost, None, effort, effort, effort / 1000)
        for solver, number, points in runs
        for effort, cost in points
    ]
    columns = ["solver", "instance_set", "instance", "size", "run", "best_cost", "cost"]
    return pl.DataFrame(rows, [*columns, "iterations", "evaluations", "moves", "seconds"], orient="row")


TWO_RUNS = made(("a", 0, [(1, 10), (4, 3), (16, 0)]), ("a", 1, [(1, 10), (10, 3), (100, 3)]), ("b", 0, [(1, 0)]))


def test_the_effort_to_reach_a_target_is_that_of_the_first_cost_so_low() -> None:
    hits = hitting_efforts(TWO_RUNS, [5, 0])
    assert hits.filter(solver="a").select("run", "target", "effort", "spent").rows() == [
        (0, 5.0, 4.0, 16.0),
        (0, 0.0, 16.0, 16.0),
        (1, 5.0, 10.0, 100.0),
        (1, 0.0, None, 100.0),
    ]
    with pytest.raises(SudokulabError, match="unknown effort 'time'; choose evaluations, moves"):
        hitting_efforts(TWO_RUNS, [5], "time")  # type: ignore[arg-type]


def test_frames_of_pandas_give_the_same_results_as_frames_of_polars() -> None:
    progress = pandas.DataFrame(TWO_RUNS.to_dict(as_series=False))
    assert targets_of(progress) == targets_of(TWO_RUNS)
    for function in (hitting_efforts, fixed_targets, ecdf_over_targets, area_over_curve):
        assert function(progress, [5, 0]).equals(function(TWO_RUNS, [5, 0]))
    _, ax = plots.figure()
    plots.plot_targets(ax, progress, [5, 0])
    assert len(ax.lines) == 2


def test_failed_runs_count_in_the_expected_effort_and_as_infinite_in_the_median() -> None:
    rows = fixed_targets(TWO_RUNS, [5, 0]).filter(solver="a")
    assert rows["num_success"].to_list() == [2, 1]
    assert rows["median"].to_list() == [7.0, np.inf]
    assert rows["expected"].to_list() == [7.0, 116.0]


def test_the_ecdf_counts_pairs_of_runs_and_targets() -> None:
    curve = ecdf_over_targets(TWO_RUNS, [5, 0])
    assert curve.filter(solver="a").select("effort", "share").rows() == [(4, 0.25), (10, 0.5), (16, 0.75)]
    assert curve.filter(solver="b").select("effort", "share").rows() == [(1, 1)]


def test_the_area_is_the_integral_of_one_minus_the_ecdf() -> None:
    areas = dict(area_over_curve(TWO_RUNS, [5, 0], limit=1000).select("solver", "area").iter_rows())
    curve = ecdf_over_targets(TWO_RUNS, [5, 0]).filter(solver="a")
    grid = np.linspace(0, 3, 300_001)
    place = np.searchsorted(np.log10(curve["effort"].to_numpy()), grid, side="right")
    share = np.concatenate([[0], curve["share"].to_numpy()])[place]
    assert areas["a"] == pytest.approx(np.mean(1 - share), abs=1e-4)
    assert areas["b"] == 0


def test_the_plot_starts_at_one_unit_of_effort() -> None:
    _, ax = plots.figure()
    plots.plot_targets(ax, made(("a", 0, [(0, 5), (100, 0)]), ("b", 0, [(50, 8), (60, 8)])), [8, 0])
    curves = {str(line.get_label()): np.asarray(line.get_xydata()).tolist() for line in ax.lines}
    assert curves["a"] == [[1, 0], [1, 0.5], [100, 1], [100, 1]]
    assert curves["b"] == [[50, 0], [50, 0.5], [100, 0.5]]


def test_targets_are_whole_costs_down_to_0() -> None:
    targets = targets_of(TWO_RUNS)
    assert targets[0] == 10
    assert targets[-1] == 0
    assert targets == sorted(set(map(round, targets)), reverse=True)


@pytest.mark.parametrize("name", WITH_COSTS)
def test_every_fall_of_the_best_cost_is_in_the_trace(name: str) -> None:
    solver = SOLVERS[name]()
    trace = solver.solve(HARD, Budget(iterations=300, seconds=20), seed=3, trace=True).trace
    assert list(trace)[:3] == ["iterations", "cost", "best_cost"]
    for column in EFFORTS:
        assert (np.diff(trace[column]) >= 0).all(), column
    assert (trace["best_cost"] == np.minimum.accumulate(trace["best_cost"])).all()
    assert trace["evaluations"][-1] > 0
    assert trace["seconds"][-1] > 0


def test_falls_are_kept_where_samples_are_dropped() -> None:
    """A trace of few samples has each fall that a trace of all iterations has."""
    budget, solver = Budget(iterations=40_000), SOLVERS["tabu"]()
    long = solver.solve(HARD, budget, seed=5, trace=True).trace
    assert len(long["cost"]) < 40_000 / 4
    short = solver.solve(HARD, Budget(iterations=4_000), seed=5, trace=True).trace
    falls = {(i, c) for i, c in zip(short["iterations"], short["best_cost"], strict=True) if c < 60}
    first = {cost: min(i for i, c in falls if c == cost) for cost in {c for _, c in falls}}
    for cost, iteration in first.items():
        assert long["iterations"][list(long["best_cost"]).index(cost)] == iteration


def test_solvers_in_python_keep_falls_as_well() -> None:
    trace = Trace(capacity=4)
    for step in range(1000):
        trace.record(iterations=step, cost=50, best_cost=9 if step < 37 else 5 if step < 901 else 4)
    columns = trace.columns()
    assert {0, 37, 901, 999} <= set(columns["iterations"].tolist())
    assert len(columns["iterations"]) <= 4 + 3 + 1
    assert (np.diff(columns["iterations"]) > 0).all()
    assert (np.diff(columns["seconds"]) >= 0).all()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("anytime") / "s.sqlite"
    puzzles = [HARD, parse("1.....3..4.....2")]
    compare(["tabu", "annealing", "dlx"], puzzles, runs=2, cpu_seconds=0.3, workers=1, store=path, trace=True)
    return path


@pytest.mark.slow
def test_an_experiment_keeps_the_progress_of_its_runs(store: Path) -> None:
    with Store(store, is_readonly=True) as kept:
        progress = progress_of(kept, "comparison")
        runs = kept.runs("comparison")
        html = report(kept, "comparison")
        keys = [figure.key for figure in trace_figures(kept, "comparison")]
    assert set(progress["solver"]) == {"annealing", "tabu"}  # dlx has no cost
    ends = progress.group_by("solver", "instance", "run").agg(pl.col("best_cost", "seconds").last())
    both = ends.join(runs.rename({"seconds": "cpu"}), on=["solver", "instance", "run"])
    assert len(both) == 8
    assert (both["best_cost"] == both["cost"]).all()
    assert (both["seconds"] <= both["cpu"] + 0.05).all()
    assert "Anytime results" in html
    assert keys[:2] == ["targets-evaluations", "targets-seconds"]


class Block(NamedTuple):
    instance: int
    evaluations: int
    best: float
    rows: list[dict[str, float]]


def read_iohprofiler(folder: Path) -> dict[tuple[str, str, int], list[Block]]:
    """Read a folder as the data format of IOHanalyzer is documented, by algorithm, function and dimension.

    Three lines per dimension in each ``.info`` file: pairs of name and value, a comment, and the data file with
    instance, evaluations and best value of each run. Each run in a ``.dat`` file follows a line of column names in
    double quotes, the first of them "function evaluation".
    """
    found: dict[tuple[str, str, int], list[Block]] = {}
    for path in sorted(folder.rglob("*.info")):
        assert re.fullmatch(r"IOHprofiler_f\d+(_\S+)?\.info", path.name)
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) % 3 == 0
        for head, comment, ends in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            assert comment.startswith("%")
            pairs = [part.split("=") for part in head.split(",")]
            values = {name.strip(): value.strip().strip("\"'") for name, value in pairs}
            assert values["maximization"] == "F"
            data, *runs = (part.strip() for part in ends.split(","))
            assert re.fullmatch(rf"data_f\d+_\S+/IOHprofiler_f\d+_DIM{values['DIM']}\.dat", data)
            blocks: list[list[dict[str, float]]] = []
            for row in csv.reader((path.parent / data).read_text("utf-8").splitlines(), delimiter=" "):
                if row[0] == "function evaluation":
                    names = row
                    blocks.append([])
                else:
                    blocks[-1].append(dict(zip(names, map(float, row), strict=True)))
            ended = [re.fullmatch(r"(\d+):(\d+)\|(\S+)", run) for run in runs]
            found[values["algId"], values["funcName"], int(values["DIM"])] = [
                Block(int(end[1]), int(end[2]), float(end[3]), rows)
                for end, rows in zip(ended, blocks, strict=True)
                if end is not None
            ]
    return found


@pytest.mark.slow
def test_the_export_holds_every_fall_of_every_run(store: Path, tmp_path: Path) -> None:
    with Store(store, is_readonly=True) as kept:
        assert write_iohprofiler(kept, "comparison", tmp_path / "ioh") == ["annealing", "tabu"]
        progress = progress_of(kept, "comparison")
        with pytest.raises(SudokulabError, match="ioh: exists; choose a new folder"):
            write_iohprofiler(kept, "comparison", tmp_path / "ioh")
    found = read_iohprofiler(tmp_path / "ioh")
    assert set(found) == {(name, "puzzles", size**2) for name in ("annealing", "tabu") for size in (4, 9)}
    for (solver, _, dimension), blocks in found.items():
        assert len(blocks) == 2
        own = progress.filter(solver=solver, size=round(dimension**0.5))
        for block, (_, rows) in zip(blocks, own.group_by("run", maintain_order=True), strict=True):
            assert [row["function evaluation"] for row in block.rows] == rows["evaluations"].to_list()
            assert [row["best-so-far f(x)"] for row in block.rows] == rows["best_cost"].to_list()
            assert (block.evaluations, block.best) == (rows["evaluations"][-1], rows["best_cost"][-1])


@pytest.mark.slow
def test_the_command_writes_targets_and_the_export(store: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / name for name in ("r.html", "targets.csv", "ioh")]
    done = run("report", store, "-o", outputs[0], "--targets", outputs[1], "--iohprofiler", outputs[2])
    assert done.returncode == 0, done.stderr
    table = pl.read_csv(outputs[1])
    assert set(table["unit"]) == set(EFFORTS)
    assert set(table["solver"]) == {"annealing", "tabu"}
    assert read_iohprofiler(outputs[2])


@pytest.mark.slow
def test_a_comparison_records_traces_on_request(tmp_path: Path) -> None:
    options = ["--solver", "tabu", "--runs", "1", "--cpu-seconds", "0.1", "--workers", "1", "--report"]
    for name, chosen in (("plain.html", []), ("traced.html", ["--traces"])):
        assert run("compare", HARD.line, *options, tmp_path / name, *chosen).returncode == 0
        assert ("Anytime results" in (tmp_path / name).read_text("utf-8")) == bool(chosen)


@for_each("options", [["--targets", "t.csv"], ["--iohprofiler", "ioh"]])
@pytest.mark.slow
def test_stores_without_traces_say_what_to_set(tmp_path: Path, options: list[str]) -> None:
    compare(["dlx"], [HARD], runs=1, workers=1, store=tmp_path / "s.sqlite")
    option, name = options
    done = run("report", tmp_path / "s.sqlite", "-o", tmp_path / "r.html", option, tmp_path / name)
    assert done.returncode == 2
    assert "set trace = true in the experiment, or add --traces to compare" in done.stderr
