"""The judge: is a grid a solution? It shares no code with any solver and trusts none."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudokulab.puzzle import BoxShape, Digits, Puzzle

__all__ = ["are_solutions", "is_solution"]


def is_solution(grid: ArrayLike | None, puzzle: Puzzle) -> bool:
    """Tell whether a grid solves a puzzle: its givens kept, every digit once in every row, column and box.

    Parameters
    ----------
    grid
        size × size integers. Anything else, None too, is no solution; nothing is raised.
    puzzle
        The puzzle to be solved.
    """
    try:
        array = np.asarray(grid)
    except ValueError:  # rows of different lengths
        return False
    if array.shape != (puzzle.size, puzzle.size) or not np.issubdtype(array.dtype, np.integer):
        return False
    return bool(are_solutions(array[np.newaxis], puzzle.givens[np.newaxis], puzzle.box)[0])


def are_solutions(grids: NDArray[np.integer], givens: Digits, box: BoxShape) -> NDArray[np.bool_]:
    """Judge many grids of one box shape at once: both arrays are n × size × size, the answer has n entries."""
    num, size = len(grids), box.size
    keeps_givens = ((givens == 0) | (givens == grids)).all(axis=(1, 2))
    boxes = grids.reshape(num, box.cols, box.rows, box.rows, box.cols).swapaxes(2, 3).reshape(num, size, size)
    units = np.concatenate([grids, grids.swapaxes(1, 2), boxes], axis=1)
    has_all_digits = (np.sort(units, axis=2) == np.arange(1, size + 1)).all(axis=(1, 2))
    verdict: NDArray[np.bool_] = keeps_givens & has_all_digits
    return verdict
