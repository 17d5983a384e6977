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
_VARIANTS: list[tuple[dict[str, Any], dict[str, Any]]] = [  # style of the marker, place of its label
    ({"marker": "o"}, {"xytext": (0, -8), "va": "top"}),
    ({"marker": "^", "markerfacecolor": "white"}, {"xytext": (0, 7), "va": "bottom"}),
]


def draw_weights(
    axis: Axes,
    *,
    names: Sequence[str],
    labels: Mapping[str, str],
    solved: Mapping[str, Sequence[float]],
    iterations: Mapping[str, Sequence[Sequence[float]]],
) -> None:
    """Draw the mean iterations of each pairing with its 95 % interval, labelled with the share of runs solved.

    Parameters
    ----------
    axis
        The axis to draw on.
    names
        The pairings.
    labels
        The names of the variants of the search.
    solved
        Percentages of runs solved by variant, one per pairing.
    iterations
        The mean iterations on each puzzle by variant, one list per pairing.
    """
    places = np.arange(len(names))
    highest = 0.0
    for (variant, found), (style, label_place) in zip(iterations.items(), _VARIANTS, strict=True):
        values = [statistics.fmean(own) for own in found]
        highest = max(highest, *values)
        marks: dict[str, Any] = {"color": _COLOR, "linestyle": "none", "markersize": 8, **style}
        axis.errorbar(places, values, yerr=_reach(values, found), capsize=3, label=labels[variant], **marks)
        for place, value, share in zip(places, values, solved[variant], strict=True):
            axis.annotate(
                f"{share:.0f} %", (place, value), textcoords="offset points", ha="center", fontsize=8, **label_place
            )
    axis.set_xticks(places, list(names))
    axis.set_ylim(0, 1.15 * highest)
    axis.set_xlabel("w1, w2 (the paper chose 1, −1)")
    axis.set_ylabel("mean iterations with 95 % interval; labels: runs solved")
    axis.legend(frameon=False)


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
    places = np.arange(len(keys))
    rng = np.random.default_rng(0)
    for place, values in zip(places, ours, strict=True):
        axis.plot(place + rng.uniform(-0.15, 0.15, len(values)), values, ".", color="#9ecae1", markersize=4, zorder=1)
    means = [statistics.fmean(values) if values else nan for values in ours]
    axis.plot(places, theirs, label="paper", zorder=2, **_PAPER)
    axis.errorbar(places, means, yerr=_reach(means, ours), label="ours", zorder=2, capsize=3, **_OURS)
    if name == "iterations":
        axis.set_yscale("log")
    axis.set_xticks(places, list(keys))
    axis.set_xlabel(what)
    axis.set_ylabel(f"{name}: mean with 95 % interval, and each puzzle")
    axis.legend(frameon=False)


def _reach(means: Sequence[float], values: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return how far the 95 % intervals of means reach down and up."""
    pairs = [(mean, *interval_of_mean(own)) for mean, own in zip(means, values, strict=True)]
    return [[mean - low for mean, low, _ in pairs], [high - mean for mean, _, high in pairs]]
