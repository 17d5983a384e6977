"""Pictures as plain lists of shapes, from which SVG text and printed pages are made.

Coordinates grow to the right and downwards, in any unit; the size of a text is its font size in the same unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Literal

from sudokulab.formats.base import one_line

__all__ = ["Line", "Picture", "Rect", "Shape", "Text", "placed", "to_svg"]


@dataclass(frozen=True)
class Rect:
    """A filled rectangle; x and y are its top left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True)
class Line:
    """A straight line."""

    x: float
    y: float
    end_x: float
    end_y: float
    width: float = 1
    colour: str = "black"


@dataclass(frozen=True)
class Text:
    """A text; x is its middle or its start, y its baseline."""

    x: float
    y: float
    size: float
    text: str
    colour: str = "black"
    is_bold: bool = False
    anchor: Literal["middle", "start"] = "middle"


Shape = Rect | Line | Text


@dataclass(frozen=True)
class Picture:
    """Shapes within a frame, drawn in order.

    Parameters
    ----------
    width, height
        Size of the frame.
    shapes
        The shapes; later ones cover earlier ones.
    title
        What the picture shows, for readers who cannot see it.
    """

    width: float
    height: float
    shapes: Sequence[Shape]
    title: str = ""


def placed(picture: Picture, x: float, y: float, scale: float) -> Iterator[Shape]:
    """Yield the shapes of a picture, scaled and moved so that its top left corner is at x, y."""
    for shape in picture.shapes:
        match shape:
            case Rect():
                moved: Shape = replace(shape, width=shape.width * scale, height=shape.height * scale)
            case Line():
                end_x, end_y = x + shape.end_x * scale, y + shape.end_y * scale
                moved = replace(shape, end_x=end_x, end_y=end_y, width=shape.width * scale)
            case Text():
                moved = replace(shape, size=shape.size * scale)
        yield replace(moved, x=x + shape.x * scale, y=y + shape.y * scale)


def to_svg(picture: Picture) -> str:
    """Return a picture as an SVG document."""
    width, height = _number(picture.width), _number(picture.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(one_line(picture.title))}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *_elements(picture.shapes),
        "</svg>\n",
    ]
    return "\n".join(lines)


def _elements(shapes: Iterable[Shape]) -> Iterator[str]:
    for shape in shapes:
        x, y = _number(shape.x), _number(shape.y)
        match shape:
            case Rect():
                width, height = _number(shape.width), _number(shape.height)
                yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{shape.fill}"/>'
            case Line():
                path = _path_to(shape)
                yield f'<path d="M{x} {y}{path}" stroke="{shape.colour}" stroke-width="{_number(shape.width)}"/>'
            case Text():
                weight = ' font-weight="bold"' if shape.is_bold else ""
                anchor = ' text-anchor="start"' if shape.anchor == "start" else ""
                style = f'font-size="{_number(shape.size)}" fill="{shape.colour}"{weight}{anchor}'
                yield f'<text x="{x}" y="{y}" {style}>{escape(one_line(shape.text))}</text>'


def _path_to(line: Line) -> str:
    if line.y == line.end_y:
        return f"H{_number(line.end_x)}"
    if line.x == line.end_x:
        return f"V{_number(line.end_y)}"
    return f"L{_number(line.end_x)} {_number(line.end_y)}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
