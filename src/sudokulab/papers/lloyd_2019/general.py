"""Random instances by percentage of fixed cells: Figures 5 to 9, and the row for 25×25 at 45 %."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sudokulab.formats import read
from sudokulab.instances import find, fixed_fraction
from sudokulab.lab.plots import plot_phase_transition
from sudokulab.logic.rules import deduce
from sudokulab.papers.lloyd_2019.common import ANTS, FOUR, STILL_ANTS, Group, groups, limit_of, net_times, noise, shown
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["figure_8", "figure_9", "figures_5_6_7", "judge_figure_8", "judge_figure_9", "judge_figures_5_6_7"]
__all__ += ["judge_row_45", "row_45"]

_SIZES = (9, 16, 25)
_PERCENT = "fixed_cells_percent"


def figures_5_6_7(context: Context) -> Findings:
    """Measure time and success of the four solvers by percentage of fixed cells, for three sizes."""
    findings = judge_figures_5_6_7(context, {size: _runs(context, size) for size in _SIZES})
    findings.notes.append(_origin())
    return findings


def judge_figures_5_6_7(context: Context, runs: dict[int, pl.DataFrame]) -> Findings:
    """Check what the text says about the curves.

    Parameters
    ----------
    context
        Scale and printed numbers.
    runs
        Runs with their percentage, by size.
    """
    printed = context.printed["general"]
    findings = Findings()
    names = [spec.title for spec in FOUR]
    low, high = printed["hard_percentages"]
    peaks = {}
    for size in _SIZES:
        mine = runs[size].filter(pl.col("solver").is_in(names))
        found = groups(mine, _PERCENT)
        percentages = mine[_PERCENT].unique().sort().to_list()
        limit = f"{limit_of(mine):g} s (the paper: {printed['seconds'][str(size)]} s)"
        columns = ["fixed %", "instances", *(f"{name}, {what}" for name in names for what in ("solved %", "ms"))]
        rows = [
            [percent, found[percent, "ACS"].number]
            + [cell for name in names for cell in _success_and_ms(found[percent, name])]
            for percent in percentages
        ]
        findings.add_table(f"{size}×{size}, limit {limit}; mean times of successful runs", columns, rows)
        peaks[size] = [_hardest(found, percentages, name) for name in names]
        for what in ("success", "seconds"):
            findings.figures[f"{size}x{size}-{what}"] = partial(plot_phase_transition, runs=mine, x=_PERCENT, y=what)
    findings.add_table(
        "Hardest percentage of fixed cells (by mean time, counting a failure as twice the limit)",
        ["size", "paper", *names],
        [[f"{size}×{size}", f"{low}–{high}", *where] for size, where in peaks.items()],
    )
    findings.check(
        "all solvers solve all 9×9 instances in all runs",
        runs[9].filter(pl.col("solver").is_in(names))["is_success"].all(),
    )
    for size, where in peaks.items():
        middle = float(np.median(where))
        check = findings.check_shape if size == 25 else findings.check
        check(
            f"{size}×{size} is hardest at {low}–{high} % (ours: {middle:g} %, median of the four)",
            low <= middle <= high,
        )
    found = groups(runs[25], _PERCENT)
    percentages = runs[25][_PERCENT].unique().sort().to_list()
    peak = printed["hardest_percentage"]
    for name in names:
        others = [found[percent, name].success for percent in percentages if percent != peak]
        findings.check_shape(
            f"at 25×25, the success rate of {name} is nowhere significantly lower than at {peak} %",
            min(others) + noise(found[peak, name].success, found[peak, name].number) >= found[peak, name].success,
        )
    dense = [found[percent, name].success for name in names for percent in percentages if percent >= 60]
    findings.check_shape("from 60 % every solver solves all 25×25 instances", min(dense) == 100)
    best = max(found[peak, name].success for name in names)
    findings.check_shape(f"at 25×25 and {peak} %, no solver solves more than ACS", found[peak, "ACS"].success == best)
    for name in ("ACS", "BS"):
        ratio = found[80, name].median / found[95, name].median
        findings.check_shape(
            f"the time of {name} levels off: times at 80 % and 95 % are within a factor of 3 (ours: {ratio:.1f})",
            1 / 3 <= ratio <= 3,
        )
    findings.notes.append(
        "The paper shows its curves without numbers; the checks test what the text says about them. It places the hard "
        "region at 40–50 % for all three sizes. At 0 % all instances are the same blank grid, which is run once."
    )
    return findings


def figure_8(context: Context) -> Findings:
    """Count the instances that propagation alone solves, and the values it leaves per cell."""
    number = context.pick(smoke=10, quick=100, published=100, full=context.printed["general"]["num_instances"])
    rows = []
    for size in _SIZES:
        for percent in context.printed["general"]["percentages"]:
            deductions = [deduce(puzzle, "NS,HS") for puzzle in _instances(size, percent, number)]
            trivial = 100 * float(np.mean([one.is_solved for one in deductions]))
            rows.append(
                (size, percent, trivial, float(np.mean([one.candidates.sum() / size**2 for one in deductions])))
            )
    findings = judge_figure_8(context, pl.DataFrame(rows, ["size", "percent", "trivial", "set_size"], orient="row"))
    findings.notes.append(_origin())
    return findings


def judge_figure_8(context: Context, table: pl.DataFrame) -> Findings:
    """Compare the shares of trivial instances and the set sizes with the paper's.

    Parameters
    ----------
    context
        Scale and printed numbers.
    table
        Percentage of trivial instances and mean number of values left per cell, by size and percentage.
    """
    printed = context.printed["figure-8"]
    findings = Findings()
    columns = ["fixed %", *(f"{size}×{size}, {what}" for size in _SIZES for what in ("trivial %", "values per cell"))]
    sizes = [table.filter(size=size).sort("percent") for size in _SIZES]
    lines = zip(*(mine.select("trivial", "set_size").rows() for mine in sizes), strict=True)
    rows = [
        [percent, *(x for pair in line for x in pair)] for percent, line in zip(sizes[0]["percent"], lines, strict=True)
    ]
    findings.add_table("After propagation of singles", columns, rows)
    slack = context.pick(smoke=20, quick=5, published=5, full=5)
    drop, far = context.pick(smoke=(40, 0.3), quick=(15, 0.1), published=(15, 0.1), full=(15, 0.1))
    firsts = []
    for size, mine in zip(_SIZES, sizes, strict=True):
        first = printed["first_trivial_percentage"][str(size)]
        ours = next(iter(mine.filter(pl.col("trivial") > 0)["percent"]), None)
        firsts.append([f"{size}×{size}: first trivial instances, fixed %", first, ours])
        findings.check(
            f"the first trivial {size}×{size} instances appear at {first} % ± {slack} (ours: {ours} %)",
            ours is not None and abs(ours - first) <= slack,
        )
        least = float(mine["trivial"].diff().min() or 0)  # type: ignore[arg-type]
        findings.check_shape(
            f"{size}×{size}: the share of trivial instances rises with the percentage (tolerance {drop} points)",
            least >= -drop,
        )
        most = float(mine["set_size"].diff().max() or 0)  # type: ignore[arg-type]
        findings.check_shape(f"{size}×{size}: the value sets shrink with the percentage (tolerance 0.02)", most <= 0.02)
        dense = mine.filter(pl.col("percent") >= 80)["trivial"]
        findings.check_shape(f"{size}×{size}: from 80 % most instances are trivial", (dense > 50).all())
    left = table.filter(size=25, percent=45)["set_size"][0]
    said = printed["mean_set_size"]
    findings.add_table(
        "Comparison with the paper", ["", "paper", "ours"], [*firsts, ["25×25, 45 %: values per cell", said, left]]
    )
    findings.check(f"25×25 at 45 %: {said} ± {far} values per cell (ours: {left:.2f})", abs(left - said) <= far)
    findings.figures["trivial"] = partial(_draw, table, "trivial", "trivial instances, %")
    findings.figures["sets"] = partial(_draw, table, "set_size", "mean number of values in a cell")
    findings.notes.append(
        "A fixed cell counts as a set of one value; only then does the mean set size match the paper's."
    )
    return findings


def figure_9(context: Context) -> Findings:
    """Measure the ant colony without best value evaporation at 25×25, by percentage."""
    findings = judge_figure_9(context, _runs(context, 25))
    findings.notes.append(_origin())
    return findings


def judge_figure_9(context: Context, runs: pl.DataFrame) -> Findings:
    """Compare the two curves with each other and with the paper's text.

    Parameters
    ----------
    context
        Printed numbers.
    runs
        Runs of the ant colony at 25×25, with and without evaporation, with their percentage.
    """
    printed = context.printed["row-45"]
    findings = Findings()
    names = [STILL_ANTS.title, ANTS.title]
    runs = runs.filter(pl.col("solver").is_in(names))
    found = groups(runs, _PERCENT)
    percentages = runs[_PERCENT].unique().sort().to_list()
    columns = ["fixed %", "instances"]
    columns += [f"{name}: {what}" for name in names for what in ("paper, %", "ours, %", "paper, ms", "ours, ms")]
    rows = []
    for percent in percentages:
        row: list[object] = [percent, found[percent, ANTS.title].number]
        for name in names:
            said, seconds = printed[name] if percent == 45 else (None, None)
            success, ms = _success_and_ms(found[percent, name])
            row += [said, success, seconds and 1000 * seconds, ms]
        rows.append(row)
    limit = f"{limit_of(runs):g} s (the paper: {context.printed['general']['seconds']['25']} s)"
    findings.add_table(f"25×25, limit {limit}; mean times of successful runs", columns, rows)
    for what in ("success", "seconds"):
        findings.figures[what] = partial(plot_phase_transition, runs=runs, x=_PERCENT, y=what)
    _check_evaporation(findings, found[45, names[0]], found[45, names[1]])
    harmful = [
        percent
        for percent in percentages
        if found[percent, names[0]].success
        > found[percent, names[1]].success + noise(50, found[percent, names[0]].number)
    ]
    findings.check_shape("at no percentage are significantly more solved without BVE than with it", not harmful)
    ratio = found[45, names[0]].mean / found[45, names[1]].mean
    said = printed[names[0]][1] / printed[names[1]][1]
    factor = context.pick(smoke=inf, quick=3, published=3, full=3)
    findings.check(
        f"at 45 %, the mean times differ at most by a factor of {factor:g} (paper: {said:.2f}, ours: {ratio:.2f})",
        1 / factor <= ratio <= factor,
    )
    return findings


def row_45(context: Context) -> Findings:
    """Compare success and time of all solvers at the hardest point: 25×25 with 45 % of the cells fixed."""
    findings = judge_row_45(context, _runs(context, 25))
    findings.notes.append(_origin())
    return findings


def judge_row_45(context: Context, runs: pl.DataFrame) -> Findings:
    """Compare the row with the paper's.

    Parameters
    ----------
    context
        Printed numbers.
    runs
        Runs of all five solvers at 25×25, with their percentage.
    """
    printed = context.printed["row-45"]
    findings = Findings()
    found = {name: group for (_, name), group in groups(runs.filter(pl.col(_PERCENT) == 45), _PERCENT).items()}
    ants = found[ANTS.title]
    limit = f"{limit_of(runs):g} s (the paper: {context.printed['general']['seconds']['25']} s)"
    columns = ["solver", "paper: solved %", "ours", "paper: s", "ours", "paper: s, ACS = 1", "ours"]
    rows = []
    for name, (said, seconds) in printed.items():
        mine = found[name]
        ratio = shown(mine.mean / ants.mean) if ants.mean < inf else None
        rows.append([name, said, mine.success, seconds, shown(mine.mean), seconds / printed["ACS"][1], ratio])
        far = noise(said, mine.number) + context.pick(
            smoke=50, quick=0, published=0, full=0
        )  # the limit of a smoke run is short
        findings.check(
            f"{name} solves {said} % (± {far:.0f} points of sampling noise; ours: {mine.success:.0f} %)",
            abs(mine.success - said) <= far,
        )
    findings.add_table(f"{ants.number} instances, limit {limit}; mean times of successful runs", columns, rows)
    others = [found[spec.title] for spec in FOUR[1:]]
    findings.check_shape("no solver solves more than ACS", all(ants.success >= other.success for other in others))
    findings.check_shape(
        "no solver is faster than ACS, counting a failure as twice the limit",
        all(ants.par2 <= other.par2 for other in others),
    )
    _check_evaporation(findings, found[STILL_ANTS.title], ants)
    findings.notes.append(
        "With a shorter limit than the paper's, a solver may solve fewer instances. Conversely, our backtracking and "
        "ants propagate to the fixed point, as the paper's text says; the authors' program stops earlier."
    )
    return findings


def _check_evaporation(findings: Findings, still: Group, ants: Group) -> None:
    # with few instances both may solve all of them
    fewer = still.success < ants.success if still.number >= 10 else still.success <= ants.success
    findings.check_shape(
        f"at 45 %, fewer are solved without BVE ({still.success:.0f} % and {ants.success:.0f} %)", fewer
    )


def _runs(context: Context, size: int) -> pl.DataFrame:
    """Run all solvers on all percentages for one size; the artefacts share these runs."""
    printed = context.printed["general"]
    every = printed["percentages"]
    few = {9: [0, 30, 45, 80, 95], 16: [0, 45, 80, 95], 25: [0, 45, 80, 95]}
    limits = {9: (0.2, 1), 16: (0.2, 1), 25: (0.3, 3)}
    smoke, quick = limits[size]
    percentages = context.pick(smoke=few[size], quick=every, published=every, full=every)
    number = context.pick(smoke=2, quick=8, published=8, full=printed["num_instances"])
    at_peak = context.pick(smoke=3, quick=20, published=20, full=number)  # the point the paper discusses most
    label = f"{size}×{size}, {{}} %"
    sets: dict[str, Sequence[Puzzle]] = {
        label.format(percent): _instances(size, percent, at_peak if (size, percent) == (25, 45) else number)
        for percent in percentages
    }
    runs = context.run(
        f"general-{size}",
        sets,
        [*FOUR, STILL_ANTS] if size == 25 else FOUR,
        cpu_seconds=context.pick(smoke=smoke, quick=quick, published=quick, full=printed["seconds"][str(size)]),
    )
    by_label = {label.format(percent): percent for percent in percentages}
    runs = net_times(runs)
    return runs.with_columns(pl.col("instance_set").replace_strict(by_label, return_dtype=pl.Int64).alias(_PERCENT))


def _instances(size: int, percent: int, number: int) -> list[Puzzle]:
    """Return up to `number` published instances if the user has added them, otherwise generated ones."""
    if general := find("general"):
        files = {file.stem: file for file in general.files}
        names = [f"inst{size}x{size}_{percent}_{place}" for place in range(number)]
        return [puzzle for name in names if name in files for puzzle in read(files[name])]
    return [fixed_fraction(size, fixed=percent / 100, seed=seed) for seed in range(number)]


def _origin() -> str:
    if find("general"):
        return "The instances are the published ones, as far as available."
    return (
        "The instances are generated like the paper's (`fixed_fraction`), but from random full grids instead of grids "
        "that ants construct. To use the published instances, run `sudokulab instances add` with the directory that "
        "contains the folder `general` of the authors' repository huwlloyd-mmu/sudoku_acs."
    )


def _success_and_ms(group: Group) -> tuple[float, float | None]:
    return group.success, shown(group.mean, 1000)


def _hardest(found: dict[tuple[int, str], Group], percentages: list[int], name: str) -> float:
    """Return the percentage at which a solver takes longest; the mean of several if it fails completely on them."""
    most = max(found[percent, name].par2 for percent in percentages)
    return float(np.mean([percent for percent in percentages if found[percent, name].par2 >= 0.999 * most]))


def _draw(table: pl.DataFrame, column: str, label: str, ax: Axes) -> None:
    for size, marker, color in zip(_SIZES, "os^", ("#0072B2", "#E69F00", "#009E73"), strict=True):
        mine = table.filter(size=size).sort("percent")
        ax.plot(mine["percent"], mine[column], marker=marker, color=color, label=f"{size}×{size}")
    ax.set_xlabel("fixed cells, %")
    ax.set_ylabel(label)
    ax.grid(alpha=0.3)
    ax.legend()
