"""Building blocks of formulas and exact covers: candidates, and constraints that allow exactly one of a group.

The candidate of a cell and a digit has the number ``cell · size + digit - 1``, for every size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudokulab.puzzle import BoxShape, Puzzle

__all__ = ["Numbers", "constraints", "given_candidates"]

Numbers = NDArray[np.int64]


def constraints(box: BoxShape) -> Numbers:
    """Return the candidates of each of the 4 · size² constraints: size candidates, of which exactly one holds.

    Order: each cell has a digit; each row has each digit; each column has each digit; each box has each digit.

    Examples
    --------
    >>> from sudokulab import BoxShape
    >>> constraints(BoxShape(2, 2))[[0, 16, 32, 48]].tolist()
    [[0, 1, 2, 3], [0, 4, 8, 12], [0, 16, 32, 48], [0, 4, 16, 20]]
    """
    size = box.size
    numbers = np.arange(size**3, dtype=np.int64)
    grid = numbers.reshape(size, size, size)
    boxes = numbers.reshape(box.cols, box.rows, box.rows, box.cols, size).transpose(0, 2, 4, 1, 3)
    return np.concatenate(
        [part.reshape(-1, size) for part in (grid, grid.transpose(0, 2, 1), grid.transpose(1, 2, 0), boxes)]
    )


def given_candidates(puzzle: Puzzle) -> Numbers:
    """Return the candidates of a puzzle's filled cells."""
    digits = puzzle.givens.ravel().astype(np.int64)
    cells = np.flatnonzero(digits)
    return cells * puzzle.size + digits[cells] - 1
