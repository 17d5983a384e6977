"""Figures, and how curves look and are named in them.

The palette of Okabe and Ito is safe for colour-blind readers; line styles and markers distinguish solvers in greyscale
prints. pyplot is not used, so no figure stays open.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

import matplotlib
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, FigureBase
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatter
from numpy.typing import ArrayLike

from sudokulab._internal.files import whole_bytes
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import printable
from sudokulab.lab.measures import Floats

__all__ = [
    "add_legend",
    "draw",
    "draw_steps",
    "fade",
    "figure",
    "finish",
    "log_axis",
    "name_curves",
    "name_rows",
    "plain",
    "plot_paper_values",
    "save",
    "split",
    "stacked",
    "style_of",
    "to_svg",
]

# colour (Okabe & Ito 2008, with yellow last because it is faint on white), line style, marker
_STYLES: list[tuple[str, object, str]] = [
    ("#0072B2", "-", "o"),
    ("#E69F00", "--", "s"),
    ("#009E73", "-.", "^"),
    ("#D55E00", ":", "D"),
    ("#CC79A7", (0, (7, 1, 1, 1, 1, 1)), "v"),
    ("#56B4E9", (0, (4, 1)), "P"),
    ("#000000", (0, (1, 3)), "X"),
    ("#F0E442", (0, (9, 3)), "*"),
]
_GREY = "0.5"
_FAINT = "0.8"
_NUM_MARKERS = 8
_MOST_IN_LEGEND = 3
_END_NAME = "end name"
_LEFT_IS_HIGHER = 0.3
_METADATA: dict[str, dict[str, object]] = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}
_names_drawn: WeakKeyDictionary[FigureBase, list[str]] = WeakKeyDictionary()


def figure(width: float = 6.4, height: float = 4) -> tuple[Figure, Axes]:
    """Return a figure and its only axis; sizes are in inches."""
    new, (ax,) = stacked(1, width, height)
    return new, ax


def stacked(number: int, width: float = 6.4, height: float = 4) -> tuple[Figure, list[Axes]]:
    """Return a figure and its axes, stacked vertically; sizes are in inches per axis."""
    new = Figure(figsize=(width, number * height), layout="constrained")
    FigureCanvasAgg(new)
    return new, [new.add_subplot(number, 1, place + 1) for place in range(number)]


def split(ax: Axes, number: int, width: float = 6.4, height: float = 3) -> list[Axes]:
    """Replace the only axis of a figure by several, stacked vertically; sizes are in inches per axis."""
    owner = ax.get_figure(root=True)
    assert owner is not None
    ax.remove()
    owner.set_size_inches(width, number * height)
    return [owner.add_subplot(number, 1, place + 1) for place in range(number)]


def save(figure: Figure, path: str | Path, *, description: str | None = None) -> None:
    """Write the figure to an SVG, PNG or PDF file; the same figure gives the same bytes.

    Parameters
    ----------
    figure, path
        The figure, and the file, whose extension selects the format.
    description
        Text for the metadata of an SVG file.
    """
    extension = Path(path).suffix.lower()
    if extension not in _METADATA:
        raise SudokulabError(f"{path}: unknown extension {extension!r}; choose one of {', '.join(_METADATA)}")
    with whole_bytes(path) as stream, matplotlib.rc_context({"svg.hashsalt": "sudokulab"}):
        metadata = _METADATA[extension] | ({"Description": description} if description and extension == ".svg" else {})
        figure.savefig(stream, format=extension[1:], dpi=150, metadata=metadata)


def to_svg(figure: Figure) -> str:
    """Return the figure as an SVG document; the same figure gives the same text."""
    with io.StringIO() as stream, matplotlib.rc_context({"svg.hashsalt": "sudokulab"}):
        figure.savefig(stream, format="svg", metadata=_METADATA[".svg"])
        return stream.getvalue()


def plain(name: str) -> str:
    """Return a name without mathematical markup, and without characters that fonts or SVG files cannot hold."""
    return printable(name).replace("$", r"\$")


def style_of(ax: Axes, name: str) -> dict[str, Any]:
    """Return the style of a solver: the same on all axes of a figure, and unique."""
    names = _names_drawn.setdefault(ax.figure, [])
    if name not in names:
        names.append(name)
    index, num = names.index(name), len(_STYLES)
    # from the ninth solver on, colours repeat with other line styles and markers
    shifted = _STYLES[(index + index // num) % num]
    return {
        "color": _STYLES[index % num][0],
        "linestyle": shifted[1],
        "marker": shifted[2],
        "markersize": 8 if shifted[2] == "*" else 5,
        "markeredgecolor": "black",
        "markeredgewidth": 0.5,
    }


def draw(
    ax: Axes,
    name: str,
    x: Sequence[float] | Floats | pl.Series,
    y: Sequence[float] | Floats,
    band: tuple[Floats, Floats] | None = None,
    **options: object,
) -> None:
    """Draw the curve of a solver, with a band around it."""
    style = style_of(ax, name)
    marks = {"markevery": max(1, len(x) // _NUM_MARKERS)}
    ax.plot(np.asarray(x, float), y, label=plain(name), linewidth=1.6, **(style | marks | options))
    if band is not None:
        ax.fill_between(np.asarray(x, float), *band, color=style["color"], alpha=0.15, linewidth=0)


def draw_steps(ax: Axes, name: str, x: Sequence[float], y: Sequence[float]) -> None:
    """Draw the curve of a solver as steps; the first point only starts the curve and has no marker."""
    draw(ax, name, x, y, drawstyle="steps-post", markevery=(1, max(1, len(x) // _NUM_MARKERS)))


def plot_paper_values(ax: Axes, x: ArrayLike, y: ArrayLike, solver: str | None = None) -> None:
    """Draw the values that a paper prints, named "paper": as large open marks of their solver, or as grey squares."""
    style = style_of(ax, solver) if solver else {"color": _GREY, "marker": "s"}
    is_named = any(line.get_label() == "paper" for line in ax.lines)
    ax.plot(
        x,
        y,
        color=style["color"],
        marker=style["marker"],
        markersize=9 if solver else 7,
        linestyle="none",
        markerfacecolor="none",
        markeredgecolor=style["color"],
        markeredgewidth=1.2,
        zorder=3,
        label="_paper" if is_named else "paper",
    )
    name_curves(ax)


def fade(ax: Axes, names: Collection[str]) -> None:
    """Turn the curves with these names into a thin grey background without names."""
    for line in _named_lines(ax):
        if line.get_label() in {plain(name) for name in names}:
            line.set(color=_FAINT, linewidth=0.9, linestyle="-", marker="", zorder=1, label=f"_{line.get_label()}")
    name_curves(ax)


def name_curves(ax: Axes) -> None:
    """Name the curves: up to three in a legend, more of them at their right ends.

    Call it once the axis has its limits; calling it again replaces the names.
    """
    for artist in [one for one in ax.get_children() if one.get_gid() == _END_NAME]:
        artist.remove()
    if legend := ax.get_legend():
        legend.remove()
    lines = _named_lines(ax)
    if len(lines) > _MOST_IN_LEGEND:
        _name_ends(ax, lines)
    elif len(lines) > 1:
        add_legend(ax)


def add_legend(ax: Axes) -> None:
    """Add a legend outside the plot, wide enough to show the line styles."""
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, handlelength=4, frameon=False)


def _named_lines(ax: Axes) -> list[Line2D]:
    return [line for line in ax.lines if not str(line.get_label()).startswith("_")]


def _name_ends(ax: Axes, lines: Sequence[Line2D]) -> None:
    """Write the names in a column on the right, in the order of the ends, each joined to its curve."""
    ax.get_xlim(), ax.get_ylim()  # apply pending autoscaling
    to_axes = ax.transData + ax.transAxes.inverted()
    points = [np.asarray(line.get_xydata(), float) for line in lines]
    points = [one[np.isfinite(one).all(axis=1)] for one in points]
    places = [to_axes.transform(one) if len(one) else np.zeros((0, 2)) for one in points]

    def rank(index: int) -> tuple[float, float]:
        """Rank curves by their ends, higher if further left so that joints seldom cross, then by the area below."""
        x, y = places[index].T
        if not len(y):
            return -np.inf, 0.0
        return round(float(y[-1] - _LEFT_IS_HIGHER * x[-1]), 2), float(np.trapezoid([*y, y[-1]], [*x, 1]))

    order = sorted(range(len(lines)), key=rank)
    inches = ax.get_position().height * ax.figure.get_figheight() if isinstance(ax.figure, Figure) else 3.0
    font_size = min(9.0, 72 * inches / (1.35 * len(lines)))
    ends = [float(places[index][-1, 1]) if len(places[index]) else 0.0 for index in order]
    heights = _spread(ends, 1.3 * font_size / 72 / inches)
    for index, y in zip(order, heights, strict=True):
        _add_name(ax, lines[index], points[index][-1:], y, font_size)


def _add_name(ax: Axes, line: Line2D, end: Floats, y: float, font_size: float) -> None:
    """Write a name at a height on the right, with a sample of its line and a thin joint to the end of the curve."""
    if len(end):
        joint = {"arrowstyle": "-", "color": line.get_color(), "linewidth": 0.6, "linestyle": ":"}
        joint |= {"shrinkA": 0, "shrinkB": 0}
        ax.annotate(
            "",
            end[0],
            xytext=(1.02, y),
            textcoords="axes fraction",
            arrowprops=joint,
            annotation_clip=False,
            gid=_END_NAME,
        )
    sample = Line2D([1.02, 1.06, 1.1], [y, y, y])
    sample.update_from(line)
    sample.set(transform=ax.transAxes, clip_on=False, markevery=[1], gid=_END_NAME, label="_sample")
    ax.add_artist(sample)
    text = f"{line.get_label()}{'' if len(end) else ' (no data)'}"
    ax.text(1.12, y, text, transform=ax.transAxes, va="center", fontsize=font_size, gid=_END_NAME)


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights apart, keeping their order, until each is a gap above the last; within 0 and 1 if there is room."""
    spread: list[float] = []
    for height in heights:
        spread.append(max(height, spread[-1] + gap if spread else 0.0))
    top = 1.0
    for place in reversed(range(len(spread))):
        spread[place] = min(spread[place], top)
        top = spread[place] - gap
    return spread


class _PlainLogFormatter(LogFormatter):
    """Format labels as 0.01 rather than as powers of ten."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return f"{x:g}" if super().__call__(x, pos) else ""


def log_axis(ax: Axes, which: Literal["x", "y"]) -> None:
    """Make an axis logarithmic, with plain numbers as labels."""
    axis, span = (ax.xaxis, ax.dataLim.intervalx) if which == "x" else (ax.yaxis, ax.dataLim.intervaly)
    ax.set(**{f"{which}scale": "log"})
    axis.set_major_formatter(_PlainLogFormatter())
    axis.set_minor_formatter(_PlainLogFormatter(labelOnlyBase=False, minor_thresholds=(1, 0.4)))
    if not np.isfinite(span).all():  # an empty logarithmic axis has no limits
        ax.set(**{f"{which}lim": (0.1, 10)})


def name_rows(ax: Axes, names: Sequence[str]) -> None:
    """Name the rows 0, 1, … on the y axis, the first on top."""
    ax.set_yticks(range(len(names)), [plain(name) for name in names])
    ax.set_ylim(max(len(names), 1) - 0.5, -0.5)


def finish(ax: Axes, x_label: str, y_label: str) -> None:
    """Label the axes, add a grid, and name the curves."""
    ax.set_xlabel(plain(x_label))
    ax.set_ylabel(plain(y_label))
    ax.grid(alpha=0.3)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    name_curves(ax)
