"""Drawings of puzzles, for the terminal, as SVG and for printed pages."""

from sudokulab.drawing.grids import CELL, MARGIN, corner, digit_in, draw, grid_picture, picture_of, svg
from sudokulab.drawing.shapes import Arrow, Circle, Line, Picture, Rect, Shape, Text, placed, to_svg

__all__ = [
    "CELL",
    "MARGIN",
    "Arrow",
    "Circle",
    "Line",
    "Picture",
    "Rect",
    "Shape",
    "Text",
    "corner",
    "digit_in",
    "draw",
    "grid_picture",
    "picture_of",
    "placed",
    "svg",
    "to_svg",
]
