"""Write pictures as the pages of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sudokulab._internal.extras import require
from sudokulab._internal.files import whole_bytes, whole_file
from sudokulab.drawing.shapes import DASHES, Arrow, Circle, Line, Picture, Rect, Shape, Text, to_svg
from sudokulab.errors import SudokulabError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Outline

__all__ = ["EXTENSIONS", "checked_extension", "write_pages"]

EXTENSIONS = (".pdf", ".svg", ".png")
"""File types of pages."""

_INCH = 25.4  # mm
_POINT = _INCH / 72
_DPI = 200


def write_pages(pages: Sequence[Picture], output: str | Path, check: Callable[[], object] = lambda: None) -> list[Path]:
    """Write pictures, measured in millimetres, as pages, and return the paths of the files.

    Parameters
    ----------
    pages
        The pages in order.
    output
        Path of the file. Its extension decides the type: a PDF holds all pages; of SVG and PNG files there is one per
        page, numbered if there are several (``sheet-1.svg``, ``sheet-2.svg``). PDF and PNG need the extra ``lab``.
    check
        Called before each page; an exception ends the drawing.
    """
    path = Path(output)
    extension = checked_extension(path)
    if extension == ".pdf":
        _write_pdf(pages, path, check)
        return [path]
    is_single = len(pages) == 1
    paths = [path if is_single else path.with_stem(f"{path.stem}-{number}") for number in range(1, len(pages) + 1)]
    for page, own in zip(pages, paths, strict=True):
        check()
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
        raise SudokulabError(f"{path}: unknown extension {extension!r}; choose one of {', '.join(EXTENSIONS)}")
    return extension


def _write_pdf(pages: Sequence[Picture], path: Path, check: Callable[[], object]) -> None:
    require("lab")
    from matplotlib.backends.backend_pdf import PdfPages

    # without a date, equal pages give equal files
    with whole_bytes(path) as stream, PdfPages(stream, metadata={"CreationDate": None}) as file:
        for page in pages:
            check()
            file.savefig(_figure_of(page))


def _figure_of(page: Picture) -> Figure:
    require("lab")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(page.width / _INCH, page.height / _INCH))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, page.width), ylim=(page.height, 0))
    axes.set_axis_off()
    for order, (kind, run) in enumerate(groupby(page.shapes, _kind)):
        artists = _symbols(run, figure, axes) if kind is None else (_ARTISTS[kind](shape) for shape in run)
        for artist in artists:
            artist.set_zorder(order)
            axes.add_artist(artist)
    return figure


def _kind(shape: Shape) -> type[Shape] | None:
    """Return the kind of a shape, None for a symbol in its cell."""
    return None if isinstance(shape, Text) and len(shape.text) == 1 and shape.anchor == "middle" else type(shape)


def _symbols(shapes: Iterable[Shape], figure: Figure, axes: Axes) -> Iterator[Artist]:
    """Yield symbols as outlines: a page can have thousands, for which text objects are too slow."""
    from matplotlib.collections import PathCollection
    from matplotlib.transforms import Affine2D

    places: dict[Text, list[tuple[float, float]]] = {}
    for shape in shapes:
        assert isinstance(shape, Text)
        places.setdefault(replace(shape, x=0, y=0), []).append((shape.x, shape.y))
    for symbol, offsets in places.items():
        outline = _outline(symbol.text, symbol.is_bold)
        symbols = PathCollection([outline], offsets=offsets, offset_transform=axes.transData, color=symbol.colour, lw=0)
        symbols.set_transform(Affine2D().scale(symbol.size / _INCH) + figure.dpi_scale_trans)
        yield symbols


@cache
def _outline(symbol: str, is_bold: bool) -> Outline:
    """Return the outline of a symbol in font size 1, centred horizontally. Polygons are faster to draw than curves."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path as Outline
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), symbol, size=100, prop=FontProperties(weight="bold" if is_bold else "normal"))
    polygons = Outline.make_compound_path(*(Outline(polygon, closed=True) for polygon in path.to_polygons()))
    extent = polygons.get_extents()
    return Outline((np.asarray(polygons.vertices) - [(extent.x0 + extent.x1) / 2, 0]) / 100, polygons.codes)


def _rect(shape: Rect) -> Artist:
    from matplotlib.patches import Rectangle

    style = _style(shape.fill, shape.border, shape.colour, shape.is_dashed)
    return Rectangle((shape.x, shape.y), shape.width, shape.height, **style)


def _circle(shape: Circle) -> Artist:
    from matplotlib import patches

    style = _style(shape.fill, shape.border, shape.colour, shape.is_dashed)
    return patches.Circle((shape.x, shape.y), shape.radius, **style)


def _line(shape: Line) -> Artist:
    from matplotlib.lines import Line2D

    xs, ys = (shape.x, shape.end_x), (shape.y, shape.end_y)
    return Line2D(xs, ys, linewidth=shape.width / _POINT, color=shape.colour, solid_capstyle="projecting")


def _arrow(shape: Arrow) -> Artist:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path as Outline

    points = [(shape.x, shape.y), (shape.bend_x, shape.bend_y), shape.neck]
    curve = PathPatch(
        Outline(points, [Outline.MOVETO, Outline.CURVE3, Outline.CURVE3]),
        capstyle="butt",
        **_style("none", shape.width, shape.colour, shape.is_dashed),
    )
    head = Polygon(shape.corners, facecolor=shape.colour, linewidth=0)
    return PatchCollection([curve, head], match_original=True)


def _text(shape: Text) -> Artist:
    from matplotlib.text import Text as Label

    return Label(
        *(shape.x, shape.y, shape.text),
        fontsize=shape.size / _POINT,
        color=shape.colour,
        weight="bold" if shape.is_bold else "normal",
        horizontalalignment="center" if shape.anchor == "middle" else "left",
        verticalalignment="baseline",
        parse_math=False,
    )


_ARTISTS: dict[type[Shape], Callable[[Any], Artist]] = {
    Rect: _rect,
    Circle: _circle,
    Line: _line,
    Arrow: _arrow,
    Text: _text,
}


def _style(fill: str, border: float, colour: str, is_dashed: bool) -> dict[str, Any]:
    return {
        "facecolor": fill,
        "edgecolor": colour if border else "none",
        "linewidth": border / _POINT,
        "linestyle": (0, DASHES) if is_dashed else "solid",  # matplotlib, too, scales dashes by the width
    }
