"""Draw grids for the terminal and as SVG."""

from sudokulab.drawing.grids import SVG_CELL, draw, svg, svg_corner, svg_digit, svg_document, svg_text

__all__ = ["SVG_CELL", "draw", "svg", "svg_corner", "svg_digit", "svg_document", "svg_text"]
