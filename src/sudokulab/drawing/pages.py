"""Write pictures as the pages of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudokulab._internal.extras import require
from sudokulab._internal.files import whole_bytes, whole_file
from sudokulab.drawing.shapes import DASHES, Arrow, Circle, Line, Picture, Rect, Text, to_svg
from sudokulab.errors import SudokulabError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXTENSIONS", "checked_extension", "write_pages"]

EXTENSIONS = (".pdf", ".svg", ".png")
"""File types of pages."""

_INCH = 25.4  # mm
_POINT = _INCH / 72
_DPI = 200


def write_pages(pages: Sequence[Picture], output: str | Path) -> list[Path]:
    """Write pictures, measured in millimetres, as pages, and return the paths of the files.

    Parameters
    ----------
    pages
        The pages in order.
    output
        Path of the file. Its extension decides the type: a PDF holds all pages; of SVG and PNG files there is one per
        page, numbered if there are several (``sheet-1.svg``, ``sheet-2.svg``). PDF and PNG need the extra ``lab``.
    """
    path = Path(output)
    extension = checked_extension(path)
    if extension == ".pdf":
        _write_pdf(pages, path)
        return [path]
    is_single = len(pages) == 1
    paths = [path if is_single else path.with_stem(f"{path.stem}-{number}") for number in range(1, len(pages) + 1)]
    for page, own in zip(pages, paths, strict=True):
        if extension == ".svg":
            with whole_file(own) as stream:
                stream.write(to_svg(page))
        else:
            with whole_bytes(own) as stream:
                _figure_of(page).savefig(stream, format="png", dpi=_DPI)
    return paths


def checked_extension(path: str | Path) -> str:
    """Return the extension of a file for pages; raise `SudokulabError` if it is unknown."""
    extension = Path(path).suffix.lower()
    if extension not in EXTENSIONS:
        raise SudokulabError(f"{path}: unknown extension {extension!r}, expected one of {', '.join(EXTENSIONS)}")
    return extension


def _write_pdf(pages: Sequence[Picture], path: Path) -> None:
    require("lab")
    from matplotlib.backends.backend_pdf import PdfPages

    # without a date, equal pages give equal files
    with whole_bytes(path) as stream, PdfPages(stream, metadata={"CreationDate": None}) as file:
        for page in pages:
            file.savefig(_figure_of(page))


def _figure_of(page: Picture) -> Figure:
    require("lab")
    from matplotlib import patches
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Curve

    figure = Figure(figsize=(page.width / _INCH, page.height / _INCH))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, page.width), ylim=(page.height, 0))
    axes.set_axis_off()
    for order, shape in enumerate(page.shapes):
        match shape:
            case Rect():
                style = _style(shape.fill, shape.border, shape.colour, shape.is_dashed)
                axes.add_patch(patches.Rectangle((shape.x, shape.y), shape.width, shape.height, zorder=order, **style))
            case Circle():
                style = _style(shape.fill, shape.border, shape.colour, shape.is_dashed)
                axes.add_patch(patches.Circle((shape.x, shape.y), shape.radius, zorder=order, **style))
            case Text():
                axes.text(
                    *(shape.x, shape.y, shape.text),
                    fontsize=shape.size / _POINT,
                    color=shape.colour,
                    weight="bold" if shape.is_bold else "normal",
                    horizontalalignment="center" if shape.anchor == "middle" else "left",
                    verticalalignment="baseline",
                    parse_math=False,
                    zorder=order,
                )
            case Line():
                points = [(shape.x, shape.y), (shape.end_x, shape.end_y)]
                line = LineCollection([points], linewidths=shape.width / _POINT, colors=shape.colour, zorder=order)
                line.set_capstyle("projecting")
                axes.add_collection(line)
            case Arrow():
                points = [(shape.x, shape.y), (shape.bend_x, shape.bend_y), shape.neck]
                curve = Curve(points, [Curve.MOVETO, Curve.CURVE3, Curve.CURVE3])
                style = _style("none", shape.width, shape.colour, shape.is_dashed)
                axes.add_patch(patches.PathPatch(curve, capstyle="butt", zorder=order, **style))
                axes.add_patch(patches.Polygon(shape.corners, color=shape.colour, lw=0, zorder=order))
    return figure


def _style(fill: str, border: float, colour: str, is_dashed: bool) -> dict[str, Any]:
    return {
        "facecolor": fill,
        "edgecolor": colour if border else "none",
        "linewidth": border / _POINT,
        "linestyle": (0, DASHES) if is_dashed else "solid",  # matplotlib, too, scales dashes by the width
    }
