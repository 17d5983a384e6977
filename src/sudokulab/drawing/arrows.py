"""Curved arrows between the candidates of a grid."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sudokulab.drawing.grids import CELL, MARGIN
from sudokulab.drawing.shapes import Arrow

__all__ = ["ArrowLayout"]

_STRONG = "#1a4f8b"
_WEAK = "#8b3d1a"


class ArrowLayout:
    """Draws arrows one by one, bent so that they avoid digits and earlier arrows.

    Parameters
    ----------
    obstacles
        Points that arrows should not cover.
    size
        The size of the grid.
    pitch
        The distance of two candidates in a cell.
    has_heads
        Whether the arrows have heads.
    """

    _BENDS = (0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.45, -0.45)
    _TIMES = np.linspace(0.06, 0.94, 23)
    _WEIGHTS = np.stack([(1 - _TIMES) ** 2, 2 * _TIMES * (1 - _TIMES), _TIMES**2], axis=1)

    def __init__(self, obstacles: Iterable[tuple[float, float]], size: int, pitch: float, has_heads: bool) -> None:
        self.obstacles = np.array(list(obstacles)).reshape(-1, 2)
        self.end, self.pitch, self.has_heads = MARGIN + size * CELL, pitch, has_heads
        self.drawn = np.empty((0, 2))

    def arrow(self, start: tuple[float, float], end: tuple[float, float], is_strong: bool) -> Arrow:
        """Return the best arrow between two candidates: solid and thick, or dashed and thin."""
        options = [self._bent(start, end, bend) for bend in self._BENDS]
        ends = np.array([start, end])
        costs = [self._cost(self._curve(points), ends, place // 2) for place, points in enumerate(options)]
        best = options[int(np.argmin(costs))]
        self.drawn = np.vstack([self.drawn, self._curve(best)])
        (x, y), (bend_x, bend_y), (end_x, end_y) = best.tolist()
        width, head = self.pitch * (0.12 if is_strong else 0.08), self.pitch * 0.42 if self.has_heads else 0
        colour = _STRONG if is_strong else _WEAK
        return Arrow(x, y, end_x, end_y, bend_x, bend_y, width, colour, not is_strong, head)

    def _bent(self, start: tuple[float, float], end: tuple[float, float], bend: float) -> NDArray[np.float64]:
        """Return start, control point and end of a curve between the edges of two discs."""
        first, last = np.array(start), np.array(end)
        along = last - first
        distance = float(np.hypot(*along))
        across = np.array([along[1], -along[0]]) / distance
        depth = bend * min(max(distance, 6 * self.pitch), 9 * self.pitch)
        middle = (first + last) / 2 + 2 * depth * across
        reach = self.pitch * 0.47
        first += reach * (middle - first) / np.hypot(*(middle - first))
        last += reach * (middle - last) / np.hypot(*(middle - last))
        return np.array([first, middle, last])

    def _curve(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        sampled: NDArray[np.float64] = self._WEIGHTS @ points
        return sampled

    def _cost(self, curve: NDArray[np.float64], ends: NDArray[np.float64], effort: int) -> float:
        others = self.obstacles[(np.abs(self.obstacles[:, None] - ends).sum(axis=2) > 1e-6).all(axis=1)]
        covered = _near(curve, others, self.pitch * 0.36)
        crossed = _near(curve, self.drawn, self.pitch * 0.2)
        outside = int(((curve < MARGIN) | (curve > self.end)).any(axis=1).sum())
        return covered + 1.5 * crossed + outside + 0.8 * effort


def _near(curve: NDArray[np.float64], points: NDArray[np.float64], reach: float) -> int:
    """Return how many points of a curve are within reach of other points."""
    distances = np.hypot(*(curve[:, None] - points).transpose(2, 0, 1))
    return int((distances < reach).any(axis=1).sum())
