"""Symmetries of the positions of the givens."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

__all__ = ["Symmetry", "orbits"]

Turn = Callable[[int, int, int], tuple[int, int]]


class Symmetry(Enum):
    """A symmetry of the pattern of givens."""

    NONE = "none"
    HALF_TURN = "half-turn"
    """Rotation by 180°."""
    QUARTER_TURN = "quarter-turn"
    """Rotation by 90°."""
    HORIZONTAL = "horizontal"
    """Reflection that swaps left and right."""
    VERTICAL = "vertical"
    """Reflection that swaps top and bottom."""
    MIRRORS = "mirrors"
    """Both reflections above, which implies a half turn."""
    DIAGONAL = "diagonal"
    """Reflection in the diagonal from the top left."""
    ANTIDIAGONAL = "antidiagonal"
    """Reflection in the diagonal from the top right."""
    DIAGONALS = "diagonals"
    """Both diagonal reflections, which implies a half turn."""
    FULL = "full"
    """All of the above."""

    @classmethod
    def _missing_(cls, value: object) -> Symmetry | None:
        """Accept any case, and spaces or underscores instead of hyphens."""
        text = str(value).strip().lower().replace(" ", "-").replace("_", "-")
        return next((symmetry for symmetry in cls if symmetry.value == text), None)


def _half(row: int, col: int, last: int) -> tuple[int, int]:
    return last - row, last - col


def _quarter(row: int, col: int, last: int) -> tuple[int, int]:
    return col, last - row


def _left_right(row: int, col: int, last: int) -> tuple[int, int]:
    return row, last - col


def _top_bottom(row: int, col: int, last: int) -> tuple[int, int]:
    return last - row, col


def _main(row: int, col: int, _: int) -> tuple[int, int]:
    return col, row


def _anti(row: int, col: int, last: int) -> tuple[int, int]:
    return last - col, last - row


_TURNS: dict[Symmetry, list[Turn]] = {
    Symmetry.NONE: [],
    Symmetry.HALF_TURN: [_half],
    Symmetry.QUARTER_TURN: [_quarter],
    Symmetry.HORIZONTAL: [_left_right],
    Symmetry.VERTICAL: [_top_bottom],
    Symmetry.MIRRORS: [_left_right, _top_bottom],
    Symmetry.DIAGONAL: [_main],
    Symmetry.ANTIDIAGONAL: [_anti],
    Symmetry.DIAGONALS: [_main, _anti],
    Symmetry.FULL: [_quarter, _main],
}


def orbits(symmetry: Symmetry, size: int) -> list[list[int]]:
    """Return the groups of cells that the symmetry maps to each other.

    Examples
    --------
    >>> orbits(Symmetry.HALF_TURN, 3)
    [[0, 8], [1, 7], [2, 6], [3, 5], [4]]
    """
    seen: set[int] = set()
    groups = []
    for first in range(size * size):
        if first in seen:
            continue
        group, waiting = {first}, [first]
        while waiting:
            row, col = divmod(waiting.pop(), size)
            for turn in _TURNS[symmetry]:
                new_row, new_col = turn(row, col, size - 1)
                cell = new_row * size + new_col
                if cell not in group:
                    group.add(cell)
                    waiting.append(cell)
        seen |= group
        groups.append(sorted(group))
    return groups
