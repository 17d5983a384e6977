"""Plots of `runs` (see `sudokulab.lab.measures`), each a function that draws on an axis.

Examples
--------
>>> import polars as pl
>>> figure_, ax = figure()
>>> plot_success(ax, pl.DataFrame({"solver": ["annealing"], "instance": ["a"], "run": [0], "is_success": [True],
...                                "seconds": [0.5], "budget_seconds": [5.0]}))
>>> ax.get_xlabel()
'success rate'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from sudokulab.errors import SudokulabError
from sudokulab.lab.anytime import Effort, ecdf_over_targets, least_effort
from sudokulab.lab.curves import cactus, ecdf, performance_profile
from sudokulab.lab.figures import (
    add_legend,
    draw,
    draw_steps,
    fade,
    figure,
    finish,
    log_axis,
    name_curves,
    name_rows,
    plain,
    plot_paper_values,
    save,
    split,
    stacked,
    style_of,
    to_svg,
)
from sudokulab.lab.measures import SHORTEST_SECONDS, Floats, Runs, as_frame, checked_runs
from sudokulab.lab.significance import Friedman
from sudokulab.lab.statistics import success_by, success_rate

__all__ = [
    "fade",
    "figure",
    "name_curves",
    "plot_box",
    "plot_cactus",
    "plot_convergence",
    "plot_critical_difference",
    "plot_ecdf",
    "plot_paper_values",
    "plot_phase_transition",
    "plot_profile",
    "plot_rates",
    "plot_success",
    "plot_targets",
    "plot_time_to_target",
    "save",
    "split",
    "stacked",
    "to_svg",
]

_MAX_POINTS = 400
_MAX_BANDS = 4  # more of them hide each other
_SECONDS = "CPU time (s)"

PhaseCurve = Literal["success", "seconds", "mean seconds"]
"""What a plot of a phase transition shows: success rates, or median or mean times of success."""


def plot_success(ax: Axes, runs: Runs, confidence: float = 0.95) -> None:
    """Draw the success rate of each solver with its Wilson interval."""
    solvers, groups = _by_solver(runs)
    for row, (solver, group) in enumerate(zip(solvers, groups, strict=True)):
        rate, (low, high) = success_rate(int(group["is_success"].sum()), len(group), confidence)
        # rounding can put the rate just outside the interval
        reach = [[max(rate - low, 0)], [max(high - rate, 0)]]
        style = style_of(ax, solver) | {"linestyle": "none"}
        ax.errorbar([rate], [row], xerr=reach, capsize=4, capthick=1.2, label=plain(solver), **style)
    ax.set_xlim(-0.02, 1.02)
    name_rows(ax, solvers)
    finish(ax, "success rate", "")


def plot_box(ax: Axes, runs: Runs) -> None:
    """Draw box plots of the times of successful runs, with whiskers of up to 1.5 interquartile ranges."""
    solvers, groups = _by_solver(runs)
    for row, (solver, group) in enumerate(zip(solvers, groups, strict=True)):
        seconds = _success_seconds(group)
        style = style_of(ax, solver)
        if not len(seconds):
            ax.text(0.02, row, "no success", transform=ax.get_yaxis_transform(), va="center", style="italic")
            continue
        box = ax.boxplot(
            [seconds],
            positions=[row],
            orientation="horizontal",
            widths=0.6,
            patch_artist=True,
            manage_ticks=False,
            medianprops={"color": "black", "linewidth": 2},
            flierprops={"marker": style["marker"], "markersize": 4},
        )
        box["boxes"][0].set(facecolor=style["color"], alpha=0.5)
    log_axis(ax, "x")
    name_rows(ax, solvers)
    finish(ax, f"{_SECONDS} of successful runs", "")


def plot_time_to_target(ax: Axes, runs: Runs) -> None:
    """Draw the probability of success within a time: the i-th success of n runs at (i - 1/2) / n.

    The plot is most useful for runs on a single instance.

    References
    ----------
    .. [1] R. M. Aiex, M. G. C. Resende, C. C. Ribeiro, "TTT plots: a perl program to create time-to-target plots",
       Optimization Letters 1 (2007) 355-366.
    """
    for solver, group in zip(*_by_solver(runs), strict=True):
        seconds, share = ecdf(_success_seconds(group), len(group))
        draw(ax, solver, seconds, share - 0.5 / len(group), markevery=max(1, len(seconds) // 40))
    ax.set_ylim(-0.02, 1.02)
    log_axis(ax, "x")
    finish(ax, f"{_SECONDS} to target", "probability of success")


def plot_ecdf(ax: Axes, runs: Runs, column: str = "seconds") -> None:
    """Draw the share of runs solved within a time, or within an amount of another column.

    A curve extends to the right as far as its solver is known to have solved no more runs.
    """
    solvers, groups = _by_solver(runs, column)
    amounts = [_positive(group[column]) for group in groups]
    end = max((amount.max() for amount in amounts), default=1.0)
    start = min((amount.min() for amount in amounts), default=1.0)
    for solver, group, amount in zip(solvers, groups, amounts, strict=True):
        is_success = group["is_success"].to_numpy()
        x, share = ecdf(amount[is_success], len(group))
        last = end if is_success.all() else amount.max()
        draw_steps(ax, solver, [start, *x, last], [0, *share, *(share[-1:] if len(share) else [0])])
    ax.set_ylim(-0.02, 1.02)
    log_axis(ax, "x")
    finish(ax, _SECONDS if column == "seconds" else column.replace("_", " "), "share of runs solved")


def plot_profile(ax: Axes, runs: Runs, measure: Literal["par2", "median"] = "par2") -> None:
    """Draw Dolan and Moré's performance profile; see `performance_profile`."""
    profile = performance_profile(runs, measure)
    end = max(2.0, 1.2 * max(profile["ratio"].to_list(), default=1.0))
    for solver in _by_solver(runs)[0]:
        own = profile.filter(solver=solver)
        share = own["share"].to_list()
        draw_steps(ax, solver, [1.0, *own["ratio"], end], [0, *share, share[-1] if share else 0])
    log_axis(ax, "x")
    ax.set_xlim(1, end)
    ax.set_ylim(-0.02, 1.02)
    finish(ax, "ratio to the best solver", "share of instances")


def plot_cactus(ax: Axes, runs: Runs) -> None:
    """Draw the number of runs that each solver solves within a time per run."""
    data = cactus(runs)
    for solver in _by_solver(runs)[0]:
        own = data.filter(solver=solver)
        draw(ax, solver, own["num_solved"], _positive(own["seconds"]))
    log_axis(ax, "y")
    ax.set_xlim(0, 1.03 * max(data["num_solved"].to_list(), default=1))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    finish(ax, "runs solved", f"{_SECONDS} each")


def plot_phase_transition(ax: Axes, runs: Runs, x: str = "fixed_fraction", y: PhaseCurve = "success") -> None:
    """Draw a rate or a time over a numeric column.

    The median time counts failures as infinite; the mean time is that of successful runs.

    Up to four solvers have their 95 % intervals drawn as bands, except for means.
    """
    names = {
        "success": ("success_rate", "success_low", "success_high"),
        "seconds": ("median_seconds", "median_low", "median_high"),
        "mean seconds": ("mean_seconds",),
    }
    if y not in names:
        raise SudokulabError(f"unknown curve {y!r}; choose one of {', '.join(names)}")
    data = success_by(runs, x)
    solvers = _by_solver(runs)[0]
    for solver in solvers:
        own = data.filter(solver=solver)
        values, *band = (own[name].to_numpy() if y == "success" else _positive(own[name]) for name in names[y])
        has_band = band and len(solvers) <= _MAX_BANDS
        draw(ax, solver, own[x], values, (band[0], band[1]) if has_band else None, markevery=1)
    if y == "success":
        ax.set_ylim(-0.02, 1.02)
    else:
        log_axis(ax, "y")
    labels = {
        "success": "success rate",
        "seconds": f"median {_SECONDS}, failures infinite",
        "mean seconds": f"mean {_SECONDS} of successful runs",
    }
    finish(ax, x.replace("_", " "), labels[y])


def plot_convergence(
    ax: Axes,
    traces: Mapping[str, Sequence[tuple[ArrayLike, ArrayLike]]],
    x_label: str = "iterations",
    y_label: str = "cost",
) -> None:
    """Draw the median trace of each solver, with the quartiles as a band for up to four solvers.

    Parameters
    ----------
    ax
        The axis to draw on.
    traces
        The runs of each solver, each an increasing x and the values of y from there on. A run keeps its first value
        before its start and its last value after its end.
    x_label, y_label
        The labels of the axes, with units.
    """
    for solver in sorted(traces):
        runs = [(np.asarray(x, float), np.asarray(y, float)) for x, y in traces[solver]]
        runs = [(x, y) for x, y in runs if len(x)]
        if not runs:
            draw(ax, solver, [], [])
            continue
        grid = np.unique(np.concatenate([x for x, _ in runs]))
        if len(grid) > _MAX_POINTS:
            grid = grid[np.linspace(0, len(grid) - 1, _MAX_POINTS).astype(int)]
        values = np.array([y[np.maximum(np.searchsorted(x, grid, side="right") - 1, 0)] for x, y in runs])
        low, middle, high = np.quantile(values, [0.25, 0.5, 0.75], axis=0)
        draw(ax, solver, grid, middle, (low, high) if len(traces) <= _MAX_BANDS else None)
    finish(ax, x_label, y_label)


def plot_targets(ax: Axes, progress: Runs, targets: Sequence[float], effort: Effort = "evaluations") -> None:
    """Draw the share of pairs of a run and a target that each solver has reached within an effort.

    Parameters
    ----------
    ax
        The axis to draw on.
    progress, targets, effort
        See `sudokulab.lab.anytime.ecdf_over_targets`.
    """
    progress = as_frame(progress)
    curves = ecdf_over_targets(progress, targets, effort)
    end = max((float(value) for value in progress[effort].drop_nulls()), default=1.0)
    for solver in sorted(progress.filter(pl.col(effort).is_not_null())["solver"].unique()):
        own = curves.filter(solver=solver)
        x, share = np.maximum(own["effort"].to_numpy(), least_effort(effort)), own["share"].to_list()
        start = float(x[0]) if len(x) else end
        draw_steps(ax, solver, [start, *x, end], [0, *share, share[-1] if share else 0])
    ax.set_ylim(-0.02, 1.02)
    log_axis(ax, "x")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("e+0", "e"))  # short, for up to ten decades
    finish(ax, _SECONDS if effort == "seconds" else effort, "share of runs and targets")


def plot_rates(ax: Axes, rates: Mapping[str, Mapping[str, Sequence[float]]], label: str = "puzzles per second") -> None:
    """Draw the median, minimum and maximum rate of each contender.

    Parameters
    ----------
    ax
        The axis to draw on.
    rates
        The rates of each contender, by task.
    label
        The unit of the rates.
    """
    rows = list(dict.fromkeys(name for measured in rates.values() for name in measured))
    for task, measured in rates.items():
        style = style_of(ax, task) | {"linestyle": "none", "label": plain(task)}
        values = [np.asarray(measured[name], float) for name in measured]
        middle = np.array([np.median(value) for value in values])
        reach = [middle - [value.min() for value in values], [value.max() for value in values] - middle]
        ax.errorbar(middle, [rows.index(name) for name in measured], xerr=reach, capsize=3, **style)
    log_axis(ax, "x")
    ax.xaxis.set_major_formatter(lambda rate, _: f"{rate:,.12g}")
    name_rows(ax, rows)
    finish(ax, label, "")
    if len(rates) > 1:
        add_legend(ax)


def plot_critical_difference(ax: Axes, friedman: Friedman) -> None:
    """Draw the mean ranks, best on the right; bars join solvers that do not differ significantly.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7 (2006) 1-30.
    """
    names, num = list(friedman.mean_ranks), len(friedman.mean_ranks)
    difference = friedman.critical_difference
    ink: dict[str, Any] = {"color": "black", "clip_on": False, "solid_capstyle": "butt"}

    ax.plot([num, 1], [0, 0], linewidth=1.2, **ink)
    for rank in range(1, num + 1):
        ax.plot([rank, rank], [0, 0.12], linewidth=1.2, **ink)
        if rank % (1 + num // 12) == 0:
            ax.text(rank, 0.2, str(rank), ha="center", va="bottom")
    ax.text((num + 1) / 2, 0.75, "mean rank", ha="center", va="bottom")

    ax.plot([num, num - difference], [1.5, 1.5], marker="|", linewidth=1.2, **ink)
    ax.text(num - difference / 2, 1.6, f"CD = {difference:.2f}", ha="center", va="bottom")

    for level, clique in enumerate(friedman.cliques):
        ends = [friedman.mean_ranks[clique[0]] - 0.04, friedman.mean_ranks[clique[-1]] + 0.04]
        ax.plot(ends, [-0.3 - 0.25 * level] * 2, linewidth=4, **ink)

    top = -0.5 - 0.25 * len(friedman.cliques)
    num_right = (num + 1) // 2
    pad = 0.06 * (num - 1)
    for side, edge, shown in (("left", 1 - pad, names[:num_right]), ("right", num + pad, names[: num_right - 1 : -1])):
        for level, name in enumerate(shown):
            mean, y = friedman.mean_ranks[name], top - 0.5 * level
            ax.plot([mean, mean, edge], [0, y, y], linewidth=0.8, **ink)
            gap = -0.02 * (num - 1) if side == "left" else 0.02 * (num - 1)
            ax.text(edge + gap, y, f"{plain(name)} ({mean:.2f})", ha=side, va="center")
    ax.set_xlim(num + pad, min(1 - pad, num - difference))
    ax.set_ylim(top - 0.5 * num_right, 2.2)
    ax.set_axis_off()


def _by_solver(runs: Runs, *columns: str) -> tuple[list[str], list[pl.DataFrame]]:
    groups = checked_runs(runs, *columns).partition_by("solver", maintain_order=True)
    return [group["solver"][0] for group in groups], groups


def _success_seconds(runs: pl.DataFrame) -> Floats:
    return _positive(runs.filter("is_success")["seconds"])


def _positive(values: pl.Series) -> Floats:
    """Return values that a logarithmic axis can show; NaN for null and infinity."""
    floats = np.maximum(values.cast(pl.Float64).to_numpy(), SHORTEST_SECONDS)
    return np.where(np.isfinite(floats), floats, np.nan)
