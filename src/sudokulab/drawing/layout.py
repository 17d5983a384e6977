"""Pages of pictures and text, measured in millimetres."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sudokulab._internal.arguments import checked_text
from sudokulab._internal.suggestions import unknown_name
from sudokulab.drawing.grids import MARGIN
from sudokulab.drawing.shapes import Picture, Shape, Text, placed
from sudokulab.errors import ParameterError
from sudokulab.formats.base import one_line

__all__ = ["PAPERS", "Layout", "Panel"]

PAPERS = {"a3": (297.0, 420.0), "a4": (210.0, 297.0), "a5": (148.0, 210.0), "letter": (215.9, 279.4)}
"""Width and height of the paper sizes in millimetres."""

_MARGIN = 15.0  # mm, around the page
_HEADING = 6.0  # font sizes in mm
_CAPTION = 3.6
_CAPTION_HEIGHT = 1.5 * _CAPTION
_BODY = 3.4
_GAP = 6.0  # between two pictures
_LEADING = 1.4  # distance of lines below a picture, as a multiple of the font size
_GREY = "#444"
_Item = TypeVar("_Item")
_CHARACTER = 0.52  # mean width of a character, as a share of the font size

Panel = tuple[Picture, Sequence[str]]
"""A picture, and paragraphs to print below it."""


@dataclass(frozen=True)
class Layout:
    """Page size in millimetres, and the heading of every page."""

    width: float
    height: float
    title: str = ""

    @classmethod
    def of(cls, paper: str, title: str = "") -> Layout:
        """Return the layout of a paper size.

        Raises
        ------
        ParameterError
            If the paper size is unknown.
        """
        size = PAPERS.get(paper.lower()) if isinstance(paper, str) else None
        if size is None:
            raise ParameterError(unknown_name("paper size", paper, PAPERS))
        return cls(*size, checked_text("title", title))

    def grids(self, items: Iterable[tuple[str, Picture]], per_page: int, heading: str) -> Iterator[Picture]:
        """Yield pages with captioned pictures, as large as the page allows."""
        all_items = list(items)
        top = self._top(heading)
        columns, side = self._columns(min(per_page, len(all_items)), top)
        step_x = side if columns == 1 else (self.width - 2 * _MARGIN - side) / (columns - 1)
        left = (self.width - side - (columns - 1) * step_x) / 2
        for batch in _batches(all_items, per_page):
            shapes = self._heading(heading)
            for place, (caption, picture) in enumerate(batch):
                row, column = divmod(place, columns)
                x, y = left + column * step_x, top + row * (side + _CAPTION_HEIGHT + _GAP)
                scale = side / (picture.width - 2 * MARGIN)
                shapes.append(Text(x, y + _CAPTION, _CAPTION, _shortened(caption, side), _GREY, anchor="start"))
                shapes += placed(picture, x - MARGIN * scale, y + _CAPTION_HEIGHT - MARGIN * scale, scale)
            yield Picture(self.width, self.height, shapes, self.title)

    def panels(self, panels: Sequence[Panel], per_page: int, heading: str) -> Iterator[Picture]:
        """Yield pages with pictures and text below each of them.

        The pictures are as large as the page allows. Long texts get smaller letters.
        """
        top = self._top(heading)
        number = min(per_page, len(panels))
        columns, _ = self._columns(number, top)
        rows = math.ceil(number / columns)
        width = (self.width - 2 * _MARGIN - (columns - 1) * _GAP) / columns
        height = (self.height - _MARGIN - top - (rows - 1) * _GAP) / rows
        for batch in _batches(panels, per_page):
            size, texts = _fitted([paragraphs for _, paragraphs in batch], width * 0.92, height * 0.5)
            pitch = _LEADING * size
            side = min(width, height - pitch * (max(map(len, texts)) + 0.5))
            shapes = self._heading(heading)
            for place, ((picture, _), lines) in enumerate(zip(batch, texts, strict=True)):
                row, column = divmod(place, columns)
                x, y = _MARGIN + column * (width + _GAP), top + row * (height + _GAP)
                scale = side / picture.width
                shapes += placed(picture, x, y, scale)
                for count, line in enumerate(lines, start=1):
                    shapes.append(Text(x + MARGIN * scale, y + side + count * pitch, size, line, anchor="start"))
            yield Picture(self.width, self.height, shapes, self.title)

    def texts(self, paragraphs: Iterable[str], heading: str) -> Iterator[Picture]:
        """Yield pages with wrapped paragraphs."""
        width = int((self.width - 2 * _MARGIN) / (_BODY * _CHARACTER))
        lines = [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, width)]
        top, pitch = self._top(heading), 1.5 * _BODY
        for batch in _batches(lines, int((self.height - _MARGIN - top) / pitch)):
            shapes = self._heading(heading)
            for place, line in enumerate(batch, start=1):
                shapes.append(Text(_MARGIN, top + place * pitch, _BODY, line, anchor="start"))
            yield Picture(self.width, self.height, shapes, self.title)

    def numbered(self, pages: Sequence[Picture]) -> list[Picture]:
        """Return the pages with numbers at the bottom, unless there is only one."""
        if len(pages) == 1:
            return list(pages)
        y = self.height - _MARGIN / 2
        return [
            replace(page, shapes=[*page.shapes, Text(page.width / 2, y, _BODY, str(number), _GREY)])
            for number, page in enumerate(pages, start=1)
        ]

    def _top(self, heading: str) -> float:
        return _MARGIN + (2 * _HEADING if heading or self.title else 0)

    def _heading(self, heading: str) -> list[Shape]:
        text = ": ".join(filter(None, [one_line(self.title), heading]))
        return [Text(self.width / 2, _MARGIN + _HEADING, _HEADING, text, is_bold=True)] if text else []

    def _columns(self, number: int, top: float) -> tuple[int, float]:
        """Return the number of columns that gives the largest grids, and the side of a grid."""

        def side(columns: int) -> float:
            rows = math.ceil(number / columns)
            wide = (self.width - 2 * _MARGIN - (columns - 1) * _GAP) / columns
            high = (self.height - _MARGIN - top - (rows - 1) * _GAP) / rows - _CAPTION_HEIGHT
            return min(wide, high)

        best = max(range(1, number + 1), key=side)
        return best, side(best)


def _batches(items: Sequence[_Item], number: int) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), number):
        yield items[start : start + number]


def _shortened(text: str, width: float) -> str:
    return textwrap.shorten(text, max(4, int(width / (_CAPTION * _CHARACTER))), placeholder="…")


def _fitted(texts: Sequence[Sequence[str]], width: float, height: float) -> tuple[float, list[list[str]]]:
    """Return a font size with which all texts fit, and their lines."""
    size = min(_BODY, width / 26)
    while True:
        columns = max(8, int(width / (size * _CHARACTER)))
        lines = ["\n\n".join(textwrap.fill(paragraph, columns) for paragraph in text).splitlines() for text in texts]
        if max(map(len, lines)) * _LEADING * size <= height:
            return size, lines
        size *= 0.9
