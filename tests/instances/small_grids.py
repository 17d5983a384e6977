"""All minimal 4×4 puzzles, by brute force and without the package."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from math import factorial

import numpy as np

__all__ = ["NUM_GRIDS", "minimal_sets", "relabelled"]

NUM_GRIDS = 288
_UNITS = [
    *([4 * row + k for k in range(4)] for row in range(4)),
    *([4 * k + col for k in range(4)] for col in range(4)),
    *([8 * band + 2 * stack + cell for cell in (0, 1, 4, 5)] for band, stack in product(range(2), repeat=2)),
]


@cache
def _grids() -> list[tuple[int, ...]]:
    rows = list(permutations((1, 2, 3, 4)))
    grids = []
    for upper in product(rows, repeat=2):
        if any(set(upper[0][k : k + 2]) & set(upper[1][k : k + 2]) for k in (0, 2)):
            continue
        for lower in product(rows, repeat=2):
            grid = tuple(digit for row in (*upper, *lower) for digit in row)
            if all(len({grid[cell] for cell in unit}) == 4 for unit in _UNITS):
                grids.append(grid)
    assert len(grids) == NUM_GRIDS
    return grids


def relabelled(grid: tuple[int, ...]) -> tuple[int, ...]:
    """Return the grid with 1234 in its first row."""
    return tuple(grid.index(digit) + 1 for digit in grid)


@cache
def minimal_sets() -> dict[tuple[int, ...], dict[int, set[int]]]:
    """Return the sets of givens of all minimal puzzles, as bits by number of givens, for each grid with row 1234.

    A set of cells is a puzzle with one solution if it meets all sets of cells in which another grid differs.
    """
    found = {}
    subsets = np.arange(1 << 16)
    for grid in (one for one in _grids() if one[:4] == (1, 2, 3, 4)):
        is_unique = np.ones(1 << 16, bool)
        for other in _grids():
            differs = sum(1 << cell for cell in range(16) if grid[cell] != other[cell])
            if differs:
                is_unique &= (subsets & differs) != 0
        is_minimal = is_unique.copy()
        for cell in range(16):
            is_minimal &= ((subsets >> cell & 1) == 0) | ~is_unique[subsets & ~(1 << cell)]
        own = found[grid] = dict[int, set[int]]()
        for subset in np.flatnonzero(is_minimal).tolist():
            own.setdefault(subset.bit_count(), set()).add(subset)
    assert len(found) * factorial(4) == NUM_GRIDS
    return found
