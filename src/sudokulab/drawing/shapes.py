"""Pictures as plain lists of shapes, from which SVG text and printed pages are made.

Coordinates grow to the right and downwards, in any unit; the size of a text is its font size in the same unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from html import escape
from typing import Any, Literal

from sudokulab.formats.base import one_line

__all__ = ["DASHES", "Arrow", "Circle", "Line", "Picture", "Rect", "Shape", "Text", "placed", "to_svg"]

DASHES = (3, 2)
"""Lengths of the dashes of a dashed line and of the gaps between them, as multiples of its width."""


@dataclass(frozen=True)
class Rect:
    """A rectangle, filled or outlined or both; x and y are its top left corner, the border lies on its edge."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    border: float = 0
    colour: str = "black"
    is_dashed: bool = False


@dataclass(frozen=True)
class Circle:
    """A circle, filled or outlined or both; x and y are its centre."""

    x: float
    y: float
    radius: float
    fill: str = "none"
    border: float = 0
    colour: str = "black"
    is_dashed: bool = False


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


@dataclass(frozen=True)
class Arrow:
    """A curved arrow.

    Parameters
    ----------
    x, y, end_x, end_y
        The start and the tip.
    bend_x, bend_y
        The point towards which the curve bends: the control point of a quadratic Bézier curve.
    width, colour, is_dashed
        The style of the line.
    head
        The length of the head at the tip; 0 for none.
    """

    x: float
    y: float
    end_x: float
    end_y: float
    bend_x: float
    bend_y: float
    width: float = 1
    colour: str = "black"
    is_dashed: bool = False
    head: float = 6

    @property
    def neck(self) -> tuple[float, float]:
        """The point where the line ends and the head begins."""
        along_x, along_y = self._direction
        return self.end_x - self.head * along_x, self.end_y - self.head * along_y

    @property
    def corners(self) -> list[tuple[float, float]]:
        """The corners of the head, the tip first."""
        (x, y), (along_x, along_y), half = self.neck, self._direction, 0.45 * self.head
        left, right = (x + half * along_y, y - half * along_x), (x - half * along_y, y + half * along_x)
        return [(self.end_x, self.end_y), left, right]

    @property
    def _direction(self) -> tuple[float, float]:
        x, y = self.end_x - self.bend_x, self.end_y - self.bend_y
        length = math.hypot(x, y) or 1
        return x / length, y / length


Shape = Rect | Circle | Line | Arrow | Text

_LENGTHS = ("width", "height", "radius", "border", "head", "size")  # attributes of shapes


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
    origins = {"x": x, "end_x": x, "bend_x": x, "y": y, "end_y": y, "bend_y": y} | dict.fromkeys(_LENGTHS, 0.0)
    for shape in picture.shapes:
        changes: dict[str, Any] = {
            field.name: origins[field.name] + scale * getattr(shape, field.name)
            for field in fields(shape)
            if field.name in origins
        }
        yield replace(shape, **changes)


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
                yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{shape.fill}"{_border(shape)}/>'
            case Circle():
                yield f'<circle cx="{x}" cy="{y}" r="{_number(shape.radius)}" fill="{shape.fill}"{_border(shape)}/>'
            case Line():
                path = _path_to(shape)
                yield f'<path d="M{x} {y}{path}" stroke="{shape.colour}" stroke-width="{_number(shape.width)}"/>'
            case Arrow():
                curve = _points([(shape.bend_x, shape.bend_y), shape.neck])
                yield f'<path d="M{x} {y}Q{curve}" fill="none"{_stroke(shape.width, shape.colour, shape.is_dashed)}/>'
                if shape.head:
                    yield f'<path d="M{_points(shape.corners)}Z" fill="{shape.colour}"/>'
            case Text():
                weight = ' font-weight="bold"' if shape.is_bold else ""
                anchor = ' text-anchor="start"' if shape.anchor == "start" else ""
                style = f'font-size="{_number(shape.size)}" fill="{shape.colour}"{weight}{anchor}'
                yield f'<text x="{x}" y="{y}" {style}>{escape(one_line(shape.text))}</text>'


def _border(shape: Rect | Circle) -> str:
    return _stroke(shape.border, shape.colour, shape.is_dashed) if shape.border else ""


def _stroke(width: float, colour: str, is_dashed: bool) -> str:
    dashes = f' stroke-dasharray="{" ".join(_number(part * width) for part in DASHES)}"' if is_dashed else ""
    return f' stroke="{colour}" stroke-width="{_number(width)}"{dashes}'


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _path_to(line: Line) -> str:
    if line.y == line.end_y:
        return f"H{_number(line.end_x)}"
    if line.x == line.end_x:
        return f"V{_number(line.end_y)}"
    return f"L{_number(line.end_x)} {_number(line.end_y)}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
