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
    # a bit for each digit: as many cells as digits, so if all bits are there, each is there once
    kind: type[np.unsignedinteger] = np.uint16 if size < 16 else np.uint64
    shifts = np.clip(grids.astype(np.int64) - 1, 0, size - 1).astype(kind)
    bits = np.left_shift(np.ones_like(shifts), shifts)
    boxes = bits.reshape(num, box.cols, box.rows, box.rows, box.cols).swapaxes(2, 3).reshape(num, size, size)
    all_bits = kind((1 << size) - 1)
    verdict: NDArray[np.bool_] = keeps_givens & ((grids > 0) & (grids <= size)).all(axis=(1, 2))
    for units, axis in ((bits, 2), (bits, 1), (boxes, 2)):
        verdict &= (np.bitwise_or.reduce(units, axis=axis) == all_bits).all(axis=1)
    return verdict
