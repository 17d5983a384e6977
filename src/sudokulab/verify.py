"""The judge: is a grid a solution? It shares no code with any solver and trusts none."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudokulab import _core
from sudokulab.puzzle import BoxShape, Digits, Puzzle

__all__ = ["are_solutions", "is_solution"]


def is_solution(grid: Puzzle | ArrayLike | None, puzzle: Puzzle) -> bool:
    """Tell whether a grid solves a puzzle: its givens kept, every digit once in every row, column and box.

    Parameters
    ----------
    grid
        A full puzzle, or size × size integers. Anything else, None too, is no solution; nothing is raised.
    puzzle
        The puzzle to be solved.
    """
    if isinstance(grid, Puzzle):
        return grid.box == puzzle.box and _core.is_solution(grid.cells, puzzle.cells, *puzzle.box)
    try:
        array = np.asarray(grid)
    except ValueError:  # rows of different lengths
        return False
    if array.shape != (puzzle.size, puzzle.size) or not np.issubdtype(array.dtype, np.integer):
        return False
    return bool(are_solutions(array[np.newaxis], puzzle.givens[np.newaxis], puzzle.box)[0])


def are_solutions(grids: NDArray[np.integer], givens: Digits, box: BoxShape) -> NDArray[np.bool_]:
    """Judge many grids of one box shape at once: both arrays are n × size × size, the answer has n entries."""
    if grids.dtype != np.uint8:
        grids = np.where((grids > 0) & (grids <= box.size), grids, 0).astype(np.uint8)  # 0 is no digit, 257 not 1
    rows, given_rows = (np.ascontiguousarray(array).reshape(-1, box.size**2) for array in (grids, givens))
    return _core.are_solutions(rows, given_rows, *box)
