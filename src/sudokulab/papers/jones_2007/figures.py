"""Jones, Roach & Perkins 2007: figures."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from sudokulab.papers.numbers import interval_of_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sudokulab.lab.power import Rate

__all__ = ["draw_means", "draw_weights"]

_COLOR = "#0072B2"
_PAPER: dict[str, Any] = {
    "color": "#777777",
    "marker": "s",
    "markersize": 8,
    "markerfacecolor": "none",
    "linestyle": "--",
}
_OURS: dict[str, Any] = {"color": _COLOR, "marker": "o", "markersize": 6, "linestyle": "-"}
_VARIANTS: list[dict[str, Any]] = [{"marker": "o"}, {"marker": "^", "markerfacecolor": "white"}]


def draw_weights(
    axis: Axes,
    *,
    names: Sequence[str],
    labels: Mapping[str, str],
    solved: Mapping[str, Sequence[Rate]],
    iterations: Mapping[str, Sequence[Sequence[float]]],
) -> None:
    """Draw the share of runs solved above the mean iterations of each pairing, with 95 % intervals.

    Parameters
    ----------
    axis
        The only axis of a figure.
    names
        The pairings.
    labels
        The names of the variants of the search.
    solved
        Runs solved and runs by variant, one pair per pairing.
    iterations
        The mean iterations on each puzzle by variant, one list per pairing.
    """
    from sudokulab.lab.plots import split
    from sudokulab.lab.statistics import success_rate

    upper, lower = split(axis, 2)
    for variant, style, shift in zip(iterations, _VARIANTS, (-0.12, 0.12), strict=True):
        marks: dict[str, Any] = {"color": _COLOR, "linestyle": "none", "markersize": 6, "capsize": 3, **style}
        marks |= {"label": labels[variant]}
        places = np.arange(len(names)) + shift
        shares, intervals = zip(*(success_rate(*rate) for rate in solved[variant]), strict=True)
        middle, bounds = 100 * np.array(shares), 100 * np.array(intervals).T
        upper.errorbar(places, middle, yerr=np.maximum([middle - bounds[0], bounds[1] - middle], 0), **marks)
        means = [statistics.fmean(own) for own in iterations[variant]]
        lower.errorbar(places, means, yerr=_reach(means, iterations[variant]), **marks)
    for one, label in ((upper, "runs solved (%)"), (lower, "mean iterations")):
        one.set_xticks(np.arange(len(names)), list(names))
        one.set_ylabel(f"{label}, 95 % interval")
        one.set_ylim(bottom=0)
        one.grid(axis="y", alpha=0.3)
    lower.set_xlabel("w1, w2 (the paper chose 1, −1)")
    upper.legend(frameon=False)


def draw_means(
    axis: Axes,
    *,
    what: str,
    name: str,
    keys: Sequence[str],
    theirs: Sequence[float],
    ours: Sequence[Sequence[float]],
) -> None:
    """Draw the paper's means and ours with their 95 % intervals, and a dot for each of our puzzles."""
    from sudokulab.lab.figures import log_axis

    places = np.arange(len(keys))
    rng = np.random.default_rng(0)
    for place, values in zip(places, ours, strict=True):
        axis.plot(place + rng.uniform(-0.15, 0.15, len(values)), values, ".", color="#9ecae1", markersize=4, zorder=1)
    means = [statistics.fmean(values) if values else nan for values in ours]
    axis.plot(places, theirs, label="paper", zorder=2, **_PAPER)
    axis.errorbar(places, means, yerr=_reach(means, ours), label="ours", zorder=2, capsize=3, **_OURS)
    if name == "iterations":
        log_axis(axis, "y")
    else:
        axis.set_yscale("symlog", linthresh=1)  # many puzzles need none
        axis.yaxis.set_major_formatter("{x:g}")
    axis.set_xticks(places, list(keys))
    axis.set_xlabel(what)
    axis.set_ylabel(f"mean {name}, 95 % interval; dots: puzzles")
    axis.grid(axis="y", alpha=0.3)
    axis.legend(frameon=False)


def _reach(means: Sequence[float], values: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return how far the 95 % intervals of means reach down and up."""
    pairs = [(mean, *interval_of_mean(own)) for mean, own in zip(means, values, strict=True)]
    return [[mean - low for mean, low, _ in pairs], [high - mean for mean, _, high in pairs]]
