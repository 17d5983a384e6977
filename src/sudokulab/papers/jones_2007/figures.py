"""Jones, Roach & Perkins 2007: figures."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_means", "draw_weights"]

_COLOR = "#0072B2"
_PAPER: dict[str, object] = {
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
    iterations: Mapping[str, Sequence[float]],
) -> None:
    """Draw the mean iterations of each pairing, labelled with the share of runs solved."""
    places = np.arange(len(names))
    for (variant, values), (style, label_place) in zip(iterations.items(), _VARIANTS, strict=True):
        axis.plot(places, values, color=_COLOR, linestyle="none", markersize=8, label=labels[variant], **style)
        for place, value, share in zip(places, values, solved[variant], strict=True):
            axis.annotate(
                f"{share:.0f} %", (place, value), textcoords="offset points", ha="center", fontsize=8, **label_place
            )
    axis.set_xticks(places, list(names))
    axis.set_ylim(0, 1.15 * max(value for values in iterations.values() for value in values))
    axis.set_xlabel("w1, w2 (the paper chose 1, −1)")
    axis.set_ylabel("mean iterations; labels: runs solved")
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
    """Draw the paper's means and ours, with a dot for each of our puzzles."""
    places = np.arange(len(keys))
    rng = np.random.default_rng(0)
    for place, values in zip(places, ours, strict=True):
        axis.plot(place + rng.uniform(-0.15, 0.15, len(values)), values, ".", color="#9ecae1", markersize=4, zorder=1)
    means = [statistics.fmean(values) if values else nan for values in ours]
    for label, values, style in (("paper", theirs, _PAPER), ("ours", means, _OURS)):
        axis.plot(places, values, label=label, zorder=2, **style)
    if name == "iterations":
        axis.set_yscale("log")
    axis.set_xticks(places, list(keys))
    axis.set_xlabel(what)
    axis.set_ylabel(f"{name}: mean, and each of our puzzles")
    axis.legend(frameon=False)
