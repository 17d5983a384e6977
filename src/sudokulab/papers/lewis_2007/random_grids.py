"""Lewis 2007, section 3.1: random instances (Figures 2 and 3, and the signed-rank test)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING

from sudokulab.instances import fixed_fraction, shuffled_root
from sudokulab.logic.filtering import share_fixed
from sudokulab.papers.lewis_2007.judging import (
    HYBRID,
    LARGE,
    SA,
    SMALLEST_DIP,
    FixedPoint,
    judge_fixed,
    judge_growth,
    judge_ranks,
    judge_success,
    judge_times,
    paired_tests,
    rates_by_limit,
)
from sudokulab.papers.lewis_2007.limits import LIMIT_NOTE, SPECS, move_limit
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = ["figure_2", "figure_3", "signed_rank"]


def figure_2(context: Context) -> Findings:
    """Measure what CP fixes at every p."""
    printed = context.printed["figure-2"]
    step, number = printed["step"], printed["num_instances"]
    number = context.pick(smoke=5, quick=number, published=10 * number, full=10 * number)
    fractions = _fractions(context.pick(smoke=0.1, quick=step, published=step, full=step))
    curves: dict[int, list[FixedPoint]] = {}
    longest = 0.0
    for order in printed["orders"]:
        curves[order] = []
        for p in fractions:
            puzzles = [shuffled_root(order**2, fixed=p, seed=seed) for seed in range(number)]
            given = [puzzle.num_givens / order**4 for puzzle in puzzles]
            shares = []
            for puzzle in puzzles:
                start = time.process_time()
                shares.append(share_fixed(puzzle))
                longest = max(longest, time.process_time() - start)
            progress = fmean(share > own for share, own in zip(shares, given, strict=True))
            completed = fmean(share == 1 for share in shares)
            curves[order].append(FixedPoint(p, fmean(given), fmean(shares), progress, completed))
    findings = Findings()
    columns = ["p", *(name for order in curves for name in (f"order {order}: given", "fixed", "completed"))]
    rows = [
        [p, *(v for curve in curves.values() for v in (curve[i].given, curve[i].fixed, curve[i].completed))]
        for i, p in enumerate(fractions)
    ]
    findings.add_table(f"Share of cells given and fixed, and of puzzles completed, {number} instances", columns, rows)
    judge_fixed(findings, curves, printed)
    findings.figures["fixed"] = partial(_draw_fixed, curves)
    findings.notes.append(
        "The paper shows the curves without numbers; the checks test what its text says about them. CP takes at most "
        f"{longest:.4f} s here; the paper reports at most {printed['most_seconds']} s."
    )
    findings.add_error(
        "The last of the five shuffle operators permutes rows of cells within a *row* of boxes; the paper says "
        "column of boxes."
    )
    return findings


def _draw_fixed(curves: Mapping[int, Sequence[FixedPoint]], ax: Axes) -> None:
    from sudokulab.lab.figures import draw, finish

    for order, curve in curves.items():
        draw(ax, f"order {order}", [point.p for point in curve], [point.fixed for point in curve], markevery=1)
    ax.plot([0, 1], [0, 1], color="grey", linewidth=0.8, label="given")
    finish(ax, "p", "share of cells fixed")


def figure_3(order: int, context: Context) -> Findings:
    """Run both solvers on random instances of one order at every p."""
    from sudokulab.lab import plots
    from sudokulab.lab.statistics import success_by

    runs = _random_runs(order, context)
    printed = context.printed
    findings = Findings()
    rows = success_by(runs, "p").to_dicts()
    curves = {solver: {row["p"]: row for row in rows if row["solver"] == solver} for solver in (SA, HYBRID)}
    columns = ["p", "runs per solver", f"{SA}: success", "mean s", f"{HYBRID}: success", "mean s"]
    findings.add_table(
        f"Order {order}, {move_limit(order, context) / 1e6:g} million moves per run "
        f"(the paper: {printed['figure-3']['seconds'][str(order)]} s)",
        columns,
        [
            [p, row["num_runs"], *(curves[s][p][key] for s in (SA, HYBRID) for key in ("success_rate", "mean_seconds"))]
            for p, row in curves[SA].items()
        ],
    )
    if order == min(LARGE):
        _add_random_grids(findings, context)
    if order in LARGE:
        by_limit = rates_by_limit(runs, move_limit(order, context), printed)
        findings.add_table(
            "Success rates if the runs had been stopped earlier",
            ["moves, %", f"{SA}: centre", "sides", f"{HYBRID}: centre", "sides"],
            by_limit,
        )
        if all(centre > sides - SMALLEST_DIP for _, centre, sides, *_ in by_limit):
            findings.notes.append(
                f"At none of these limits is the success rate of {SA} {100 * SMALLEST_DIP:.0f} points lower in the "
                "centre than on both sides. A slower program does not explain the dip."
            )
    judge_success(findings, runs, order, printed)
    if order == max(LARGE):
        judge_growth(findings, _random_runs(order - 1, context), runs, printed)
    judge_times(findings, runs, order, printed)
    for y in ("success", "seconds"):
        findings.figures[y] = partial(plots.plot_phase_transition, runs=runs, x="p", y=y)
    findings.notes += ["The paper shows the curves without numbers.", LIMIT_NOTE]
    findings.notes.append("At p = 0 all instances are the same blank grid.")
    cells, slip = order**4, printed["figure-3"]["num_cells"][str(order)]
    if cells != slip:
        findings.add_error(f"The paper counts {slip} cells in a grid of order {order}; the correct number is {cells}.")
    return findings


def _add_random_grids(findings: Findings, context: Context) -> None:
    """Repeat the centre of order 4 with random full grids instead of the shuffled root solution."""
    from sudokulab.lab.statistics import summary

    order = 4
    number = context.pick(smoke=1, quick=4, published=20, full=20)
    centre = [0.35, 0.4, 0.45, 0.5]
    sets: dict[str, Sequence[Puzzle]] = {
        f"p = {p:.2f}": [fixed_fraction(order**2, fixed=p, seed=seed) for seed in range(number)]
        for p in context.pick(smoke=[0.6], quick=[0.4, 0.45], published=centre, full=centre)
    }
    runs = context.run("figure-3-random-grids", sets, SPECS, iterations=move_limit(order, context))
    found = {(row["instance_set"], row["solver"]): row for row in summary(runs, ("instance_set",)).to_dicts()}
    rows = [
        [name, number, *(found[name, s][key] for s in (SA, HYBRID) for key in ("success_rate", "mean_seconds"))]
        for name in sets
    ]
    columns = ["", "runs per solver", f"{SA}: success", "mean s", f"{HYBRID}: success", "mean s"]
    title = "The same with random full grids, another source that the paper names, and exactly the share p of the cells"
    findings.add_table(title, columns, rows)


def _random_runs(order: int, context: Context) -> pl.DataFrame:
    """Run the experiment of Figure 3; the signed-rank test reuses the stored runs."""
    import polars as pl

    printed = context.printed["figure-3"]
    fractions = context.pick(
        smoke=[0.0, 0.4, 0.8] if order == 3 else [0.45, 0.6, 0.9],
        quick={
            3: _fractions(0.1),
            4: [0.0, 0.2, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1.0],
            5: [0.0, 0.2, 0.4, 0.45, 0.5, 0.55, 0.7, 0.9],
        }[order],
        published={
            3: _fractions(printed["step"]),
            4: [0.0, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8, 1.0],
            5: [0.0, 0.2, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9],
        }[order],
        full=_fractions(printed["step"]),
    )
    number = context.pick(
        smoke=2,
        quick={3: 5, 4: 5, 5: 2}[order],
        published={3: 20, 4: 20, 5: 6}[order],
        full=printed["num_instances"],
    )
    num_runs = context.pick(smoke=1, quick=1, published=1, full=printed["num_runs"])
    limit = move_limit(order, context)

    def run(name: str, numbers: Mapping[float, int], runs: int) -> pl.DataFrame:
        sets: dict[str, Sequence[Puzzle]] = {
            f"order {order}, p = {p:.2f}": [shuffled_root(order**2, fixed=p, seed=seed) for seed in range(number)]
            for p, number in numbers.items()
        }
        return context.run(name, sets, SPECS, runs=runs, iterations=limit)

    tables = [run(f"figure-3-order-{order}", {p: number for p in fractions if p}, num_runs)]
    if 0 in fractions:  # blank grids are one instance, which gets the runs of all
        tables.append(run(f"figure-3-order-{order}-blank", {0.0: 1}, number * num_runs))
    return pl.concat(tables, how="diagonal").with_columns(
        p=pl.col("instance_set").str.split(" = ").list.last().cast(pl.Float64)
    )


def _fractions(step: float) -> list[float]:
    return [round(i * step, 2) for i in range(round(1 / step) + 1)]


def signed_rank(context: Context) -> Findings:
    """Test whether the hybrid has the higher success rate on the instances of Figure 3."""
    printed = context.printed
    runs = {order: _random_runs(order, context) for order in LARGE}
    both = paired_tests(runs.values(), printed)
    findings = Findings()
    rows = [
        [orders, name, *test[:2], test[2].p_value, test[2].power]
        for orders, tests in (
            *((str(order), paired_tests([own], printed)) for order, own in runs.items()),
            ("both", both),
        )
        for name, test in tests.items()
    ]
    columns = ["order", "pairs of", "number", "differing", "p-value", "power"]
    findings.add_table("One-sided signed-rank tests of the success rates in the phase transition", columns, rows)
    judge_ranks(findings, both)
    level = 1 - printed["signed-rank"]["confidence"]
    findings.notes.append(
        f"The paper reports p < {level:.2g} and does not say whether it paired instances or values of p; we test both. "
        "Pairs with equal rates are dropped, as by Wilcoxon. The power is that for the mean difference in Table 1, "
        "around our own success rates at the p of each pair."
    )
    return findings
