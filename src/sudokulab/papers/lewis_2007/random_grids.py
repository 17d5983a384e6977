"""Lewis 2007, section 3.1: random instances (Figures 2 and 3, and the signed-rank test).

The paper names three sources of full grids, and does not say which one the experiments used: the solutions in a book or
a newspaper, annealing on a blank grid, and the root solution. For each order we judge by the source with which CP
completes more puzzles from p = 0.75 on, because the text on Figure 2 says that it nearly always does: random grids at
order 4, the root solution at orders 3 and 5. Instances of their own choose the source. The other one is shown next to
it where it matters, in Figure 2 and at order 4.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sudokulab.instances import random_grid, shuffled_root
from sudokulab.lab import SolverSpec
from sudokulab.logic.filtering import share_fixed
from sudokulab.papers.curves import draw_success_and_time
from sudokulab.papers.lewis_2007.judging import (
    HYBRID,
    LARGE,
    SA,
    FixedPoint,
    find_dip,
    judge_fixed,
    judge_growth,
    judge_ranks,
    judge_success,
    judge_times,
    paired_tests,
    rates_by_limit,
)
from sudokulab.papers.lewis_2007.limits import LIMIT_NOTE, SPECS, move_limit
from sudokulab.papers.numbers import rate_of
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = ["SOURCES", "figure_2", "figure_3", "random_instances", "readings", "share_completed", "signed_rank"]

Source = Literal["random", "root"]
SOURCES: dict[int, Source] = {3: "root", 4: "random", 5: "root"}
"""The source of full grids by which an order is judged."""
_TITLES: dict[Source, str] = {"random": "random full grids", "root": "the root solution"}
_AROUND = [0.35, 0.4, 0.45, 0.5, 0.55]  # values of p around the dip
_SIDE = 0.2  # outside the phase transition
_NUM_SEEDS = 1000  # more than instances with one p
_CHOOSING = 500  # the first instance of those that choose the source, which judge nothing


def random_instances(order: int, p: float, number: int, source: Source, first: int = 0) -> list[Puzzle]:
    """Return shuffled full grids in which each cell is blanked with probability 1 - p; every p has its own seeds."""
    first += _NUM_SEEDS * round(100 * p)
    make = partial(shuffled_root, order**2) if source == "root" else partial(_blanked, order)
    return [make(fixed=p, seed=seed) for seed in range(first, first + number)]


def _blanked(order: int, *, fixed: float, seed: int) -> Puzzle:
    """Return an instance from a random grid, whose distribution does not change by shuffling."""
    grid = random_grid(order**2, seed=seed)
    is_kept = np.random.default_rng(seed).random(len(grid.cells)) < fixed
    cells = bytes(digit if keep else 0 for digit, keep in zip(grid.cells, is_kept, strict=True))
    return Puzzle(cells, grid.box, solution=grid)


def figure_2(context: Context) -> Findings:
    """Measure what CP fixes at every p, for two sources of full grids."""
    printed = context.printed["figure-2"]
    step, number = printed["step"], printed["num_instances"]
    number = context.pick(smoke=5, quick=number, published=10 * number, full=10 * number)
    fractions = _fractions(context.pick(smoke=0.1, quick=step, published=step, full=step))
    findings, longest = Findings(), 0.0
    by_source: dict[Source, dict[int, list[FixedPoint]]] = {}
    for source, title in _TITLES.items():
        measured = context.measure(
            f"figure-2-{source}",
            partial(_curves, printed["orders"], fractions, number, source),
            partial(_examples, printed["orders"], fractions, source),
        )
        curves = {
            order: [FixedPoint(*point) for point in points]
            for order, points in zip(printed["orders"], measured["curves"], strict=True)
        }
        by_source[source] = curves
        longest = max(longest, measured["longest"])
        columns = ["p", *(name for order in curves for name in (f"order {order}: given", "fixed", "completed"))]
        rows = [
            [p, *(v for curve in curves.values() for v in (curve[i].given, curve[i].fixed, curve[i].completed))]
            for i, p in enumerate(fractions)
        ]
        findings.add_table(
            f"Share of cells given and fixed, and of puzzles completed, {number} instances from {title}", columns, rows
        )
        findings.figures[f"fixed-{source}"] = partial(_draw_fixed, curves)
    _add_choice(findings, context, context.pick(smoke=5, quick=50, published=100, full=100))
    judge_fixed(findings, {order: by_source[SOURCES[order]][order] for order in printed["orders"]}, number, printed)
    findings.notes.append(
        "The paper does not say from which of its sources the grids came. We judge each order by the source with which "
        f"CP completes more puzzles from p = {printed['complete_from']} on. Other instances than those of the curves "
        "choose it."
    )
    findings.notes.append(
        "The paper shows the curves without numbers; the checks test what its text says about them. CP takes at most "
        f"{longest:.4f} s here; the paper reports at most {printed['most_seconds']} s."
    )
    findings.add_error(
        "The last of the five shuffle operators permutes rows of cells within a *row* of boxes; the paper says "
        "column of boxes."
    )
    return findings


def _add_choice(findings: Findings, context: Context, number: int) -> None:
    """Show what chose the source of each order."""
    orders = context.printed["figure-2"]["orders"]
    fractions = [p for p in _fractions(0.05) if p >= context.printed["figure-2"]["complete_from"]]
    shares: dict[Source, list[float]] = context.measure(
        "figure-2-choice",
        lambda: {source: [share_completed(order, fractions, number, source) for order in orders] for source in _TITLES},
        lambda: [one for source in _TITLES for one in _examples(orders, fractions, source, _CHOOSING)],
    )
    rows = [
        [order, *(shares[source][place] for source in _TITLES), _TITLES[SOURCES[order]]]
        for place, order in enumerate(orders)
    ]
    findings.add_table(
        f"Share of puzzles that CP completes from p = {fractions[0]} on, {number} other instances per p, and the "
        "source that judges the order",
        ["order", *_TITLES.values(), "judged by"],
        rows,
    )


def share_completed(order: int, fractions: Sequence[float], number: int, source: Source) -> float:
    """Return the share of puzzles that CP completes, on the instances that choose the source."""
    puzzles = (puzzle for p in fractions for puzzle in random_instances(order, p, number, source, _CHOOSING))
    return fmean(share_fixed(puzzle) == 1 for puzzle in puzzles)


def _examples(orders: Sequence[int], fractions: Sequence[float], source: Source, first: int = 0) -> list[Puzzle]:
    """Return the first instance of each order and p."""
    return [random_instances(order, p, 1, source, first)[0] for order, p in product(orders, fractions)]


def _curves(orders: Sequence[int], fractions: Sequence[float], number: int, source: Source) -> dict[str, Any]:
    """Return the points of Figure 2 for each order, and the longest CPU time of CP."""
    curves: dict[int, list[FixedPoint]] = {order: [] for order in orders}
    longest = 0.0
    for order, p in product(orders, fractions):
        puzzles = random_instances(order, p, number, source)
        given = [puzzle.num_givens / order**4 for puzzle in puzzles]
        shares = []
        for puzzle in puzzles:
            start = time.process_time()
            shares.append(share_fixed(puzzle))
            longest = max(longest, time.process_time() - start)
        progress = fmean(share > own for share, own in zip(shares, given, strict=True))
        completed = fmean(share == 1 for share in shares)
        curves[order].append(FixedPoint(p, fmean(given), fmean(shares), progress, completed))
    return {"curves": list(curves.values()), "longest": longest}


def _draw_fixed(curves: Mapping[int, Sequence[FixedPoint]], ax: Axes) -> None:
    from sudokulab.lab.figures import draw, finish

    for order, curve in curves.items():
        draw(ax, f"order {order}", [point.p for point in curve], [point.fixed for point in curve], markevery=1)
    ax.plot([0, 1], [0, 1], color="grey", linewidth=0.8, label="given")
    finish(ax, "p", "share of cells fixed")


def readings(context: Context) -> Findings:
    """Choose what counts as an improvement of a temperature, by the success rates of order 3."""
    from sudokulab.lab.statistics import success_rate

    fractions = context.pick(smoke=[0.4], quick=_AROUND, published=_fractions(0.1), full=_fractions(0.05))
    number = context.pick(smoke=2, quick=5, published=10, full=20)
    specs = [SolverSpec(name=SA, label=one, params={"improvement": one}) for one in ("start", "best")]
    sets = {f"p = {p:.2f}": partial(random_instances, 3, p, number, SOURCES[3], _CHOOSING) for p in fractions if p}
    runs = context.run("readings", sets, specs, iterations=move_limit(3, context))
    findings = Findings(is_own=True)
    rows: list[list[object]] = []
    for spec in specs:
        own = runs.filter(solver=spec.title)
        share, (low, high) = success_rate(*rate_of(own))
        rows.append([f"`improvement={spec.title!r}`", len(own), share, low, high])
    columns = ["reading", "runs", "success", "95 % interval from", "to"]
    findings.add_table("Annealing on random instances of order 3; the paper: every run succeeds", columns, rows)
    findings.check("with the default, more runs succeed", float(str(rows[0][2])) > float(str(rows[1][2])))
    findings.notes.append(
        "The paper resets the temperature after twenty temperatures without improvement, but does not say what is "
        "improved: the cost at the *start* of the temperature, or the *best* cost since the beginning of the run. We "
        "take the reading in which more runs succeed, because the paper's annealing solves all instances of order 3. "
        "Other instances than those of Figure 3 choose it."
    )
    return findings


def figure_3(order: int, context: Context) -> Findings:
    """Run both solvers on random instances of one order at every p."""
    runs = _random_runs(order, context)
    printed = context.printed
    findings = Findings()
    _add_rates(findings, runs, order, SOURCES[order], context)
    if order == min(LARGE):
        root = _random_runs(order, context, "root")
        _add_rates(findings, root, order, "root", context)
        shown, test = find_dip(root, printed)
        findings.notes.append(
            f"With {_TITLES['root']}, the lowest success rate of {SA} in the centre is {shown} ({test})."
        )
    if order in LARGE:
        findings.add_table(
            "Success rates if the runs had been stopped earlier",
            ["moves, %", f"{SA}: centre", "sides", f"{HYBRID}: centre", "sides"],
            rates_by_limit(runs, move_limit(order, context), printed),
        )
    judge_success(findings, runs, order, printed)
    if order == max(LARGE):
        judge_growth(findings, _random_runs(order - 1, context), runs, printed)
    judge_times(findings, runs, order, printed)
    findings.figures["success-and-time"] = partial(draw_success_and_time, runs=runs, x="p", label="p")
    findings.notes += ["The paper shows the curves without numbers.", LIMIT_NOTE]
    findings.notes.append("At p = 0 all instances are the same blank grid.")
    cells, slip = order**4, printed["figure-3"]["num_cells"][str(order)]
    if cells != slip:
        findings.add_error(f"The paper counts {slip} cells in a grid of order {order}; the correct number is {cells}.")
    return findings


def _add_rates(findings: Findings, runs: pl.DataFrame, order: int, source: Source, context: Context) -> None:
    """Add the success rates and times of both solvers by p."""
    from sudokulab.lab.statistics import success_by

    rows = success_by(runs, "p").to_dicts()
    curves = {solver: {row["p"]: row for row in rows if row["solver"] == solver} for solver in (SA, HYBRID)}
    findings.add_table(
        f"Order {order}, {_TITLES[source]}, {move_limit(order, context) / 1e6:g} million moves per run "
        f"(the paper: {context.printed['figure-3']['seconds'][str(order)]} s)",
        ["p", "runs per solver", f"{SA}: success", "mean s", f"{HYBRID}: success", "mean s"],
        [
            [p, row["num_runs"], *(curves[s][p][key] for s in (SA, HYBRID) for key in ("success_rate", "mean_seconds"))]
            for p, row in curves[SA].items()
        ],
    )


def _random_runs(order: int, context: Context, source: Source | None = None) -> pl.DataFrame:
    """Run the experiment of Figure 3; the signed-rank test reuses the stored runs.

    With another source than the one that judges the order, only around the dip and on both sides of it.
    """
    import polars as pl

    limit = move_limit(order, context)
    is_other = source not in (None, SOURCES[order])
    source = source or SOURCES[order]
    tables = []
    for (number, num_runs), fractions in _samples(order, context).items():
        chosen = [p for p in fractions if not is_other or p in _AROUND or p == _SIDE]
        if not chosen:
            continue
        sets = {f"order {order}, p = {p:.2f}": partial(random_instances, order, p, number, source) for p in chosen}
        name = f"figure-3-order-{order}-{source}-{number}-by-{num_runs}"
        tables.append(context.run(name, sets, SPECS, runs=num_runs, iterations=limit))
    return pl.concat(tables, how="diagonal").with_columns(
        p=pl.col("instance_set").str.split(" = ").list.last().cast(pl.Float64)
    )


def _samples(order: int, context: Context) -> dict[tuple[int, int], list[float]]:
    """Return the values of p by number of instances and of runs on each.

    The published effort has the paper's design for orders 3 and 4, and all its instances once for order 5. Blank grids
    are one instance, which gets the runs of all.
    """
    printed = context.printed["figure-3"]
    number, num_runs, all_fractions = printed["num_instances"], printed["num_runs"], _fractions(printed["step"])
    design = {(number, num_runs): all_fractions[1:], (1, number * num_runs): [0.0]}
    samples: dict[tuple[int, int], list[float]] = context.pick(
        smoke={(2, 1): [0.4, 0.8] if order == 3 else [0.45, 0.6, 0.9]},
        quick={
            3: {(5, 1): _fractions(0.1)[1:], (1, 5): [0.0]},
            4: {(5, 1): [0.2, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1.0], (1, 5): [0.0]},
            5: {(2, 1): [0.2, 0.4, 0.45, 0.5, 0.55, 0.7, 0.9], (1, 2): [0.0]},
        }[order],
        published=design if order < 5 else {(number, 1): all_fractions[1:], (1, number): [0.0]},
        full=design,
    )
    return samples


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
