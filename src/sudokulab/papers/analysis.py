"""The size of the search space of solvers that permute digits within boxes, in exact integers."""

from __future__ import annotations

from math import comb, factorial, prod

import numpy as np

from sudokulab.formats.coercion import PuzzleLike, as_puzzle

__all__ = ["num_moves", "num_moves_anywhere", "num_moves_saved", "num_states"]


def num_moves(puzzle: PuzzleLike) -> int:
    """Return the number of swaps of two open cells in the same box: Σ m(m−1)/2 over boxes with m open cells.

    References
    ----------
    Jones, Roach and Perkins, 2007, section 3, which prints 131 for its Figure 1.
    """
    return sum(comb(num_open, 2) for num_open in _open_cells(puzzle))


def num_moves_anywhere(puzzle: PuzzleLike) -> int:
    """Return the number of swaps of any two open cells: n(n−1)/2 for n open cells.

    References
    ----------
    Jones, Roach and Perkins, 2007, section 3, which prints 1378 for its Figure 1.
    """
    return comb(sum(_open_cells(puzzle)), 2)


def num_moves_saved(puzzle: PuzzleLike) -> int:
    """Return the number of swaps of open cells in different boxes: Σ m(n−m)/2 over boxes with m of the n open cells.

    This is the difference between `num_moves_anywhere` and `num_moves`.

    References
    ----------
    Jones, Roach and Perkins, 2007, section 3. For its Figure 1 the formula gives 1,247.
    """
    counts = _open_cells(puzzle)
    return sum(num_open * (sum(counts) - num_open) for num_open in counts) // 2


def num_states(puzzle: PuzzleLike) -> int:
    """Return the number of grids that keep the givens and contain every digit once per box: Π m!.

    References
    ----------
    Jones, Roach and Perkins, 2007, section 3. For Figure 1 the paper prints 6 × 6! × 7! × 2 × 5!; the correct number is
    (6!)⁶ · 7! · (5!)². Lewis, 2007, eq. 2.

    Examples
    --------
    >>> num_states("." * 16)
    331776
    """
    return prod(factorial(num_open) for num_open in _open_cells(puzzle))


def _open_cells(puzzle: PuzzleLike) -> list[int]:
    puzzle = as_puzzle(puzzle)
    box = puzzle.box
    blanks = (puzzle.givens == 0).reshape(box.cols, box.rows, box.rows, box.cols)
    return [int(number) for number in np.asarray(blanks.sum(axis=(1, 3))).flat]
