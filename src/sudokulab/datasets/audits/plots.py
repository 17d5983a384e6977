"""The figures of an audit: one row of bars per split, on a common axis."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sudokulab.datasets.audits.auditing import Audit
from sudokulab.formats.base import one_line

__all__ = ["AuditFigure", "figures", "plot_bars"]

_BLUE = "#0072B2"
_WIDTH = 6.4
_HEIGHT = 1.5  # of a split, in inches
_MARGIN = 0.6
_LONGEST_NAME = 40
_LARGEST = 1e300  # rating that can be drawn: an axis is longer than its bars
_LOG_RATIO = 100  # between the highest bars, from which small ones need a logarithmic axis


class Bars(NamedTuple):
    """A histogram: left ends, width, and shares of the bars."""

    lefts: Sequence[float]
    widths: Sequence[float]
    shares: Sequence[float]


class AuditFigure(NamedTuple):
    """A figure of an audit: its key, its caption, and the figure."""

    key: str
    caption: str
    figure: Figure

    def to_svg(self) -> str:
        """Return the figure as an SVG document; the same figure gives the same text."""
        with io.StringIO() as stream, matplotlib.rc_context({"svg.hashsalt": "sudokulab"}):
            self.figure.savefig(stream, format="svg", metadata={"Date": None})
            return stream.getvalue()


def figures(audit: Audit) -> Iterator[AuditFigure]:
    """Yield the figures of an audit; those without data are left out."""
    givens = {name: _bars(split.givens, 1) for name, split in audit.splits.items() if split.givens}
    if givens:
        yield AuditFigure("givens", "Number of givens: share of the readable rows.", plot_bars(givens, "givens"))
    ers = {name: _bars(split.difficulty.se, 0.1) for name, split in audit.splits.items() if split.difficulty.se}
    if ers:
        caption = "Difficulty (ER of Sudoku Explainer): share of a random sample of each split."
        yield AuditFigure("difficulty", caption, plot_bars(ers, "ER"))
    rated = {name: split.ratings for name, split in audit.splits.items() if split.ratings}
    bars = {
        name: _histogram(ratings.edges, ratings.counts)
        for name, ratings in rated.items()
        if max(map(abs, ratings.edges)) <= _LARGEST
    }
    if bars:
        yield AuditFigure("ratings", "The column of ratings: share of the rows.", plot_bars(bars, "rating"))


def _bars(numbers: Mapping[int, int] | Mapping[float, int], width: float) -> Bars:
    total = sum(numbers.values())
    shares = [number / total for number in numbers.values()]
    return Bars([key - 0.45 * width for key in numbers], [0.9 * width] * len(numbers), shares)


def _histogram(edges: Sequence[float], counts: Sequence[int]) -> Bars:
    return Bars(edges[:-1], np.diff(edges).tolist(), [number / sum(counts) for number in counts])


def plot_bars(splits: Mapping[str, Bars], label: str) -> Figure:
    """Draw the bars of each split in a row of its own, named at its top left."""
    drawn = Figure(figsize=(_WIDTH, _HEIGHT * len(splits) + _MARGIN), layout="constrained")
    FigureCanvasAgg(drawn)
    axes = drawn.subplots(len(splits), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    shares = [share for bars in splits.values() for share in bars.shares if share]
    is_log = max(shares) > _LOG_RATIO * float(np.median(shares))
    for ax, (name, bars) in zip(axes, splits.items(), strict=True):
        ax.bar(bars.lefts, bars.shares, bars.widths, align="edge", color=_BLUE, log=is_log)
        _finish(ax, name)
        if not is_log:
            ax.yaxis.set_major_locator(MaxNLocator(3))
    axes[-1].set_xlabel(label)
    if label == "givens":
        axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    return drawn


def _finish(ax: Axes, name: str) -> None:
    ax.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g}%"))
    plain = one_line(name)[:_LONGEST_NAME].replace("$", r"\$")
    ax.set_title(plain, loc="left", fontsize=10)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", alpha=0.3)
    ax.set_axisbelow(True)
