"""The judge: is a grid a solution? It shares no code with any solver and trusts none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import chain

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
    rows = array.tolist()  # for a single grid plain Python is quicker than arrays
    keeps_givens = all(not given or given == digit for given, digit in zip(puzzle.cells, chain(*rows), strict=True))
    digits = set(range(1, puzzle.size + 1))
    return keeps_givens and all(
        set(unit) == digits for unit in chain(rows, zip(*rows, strict=True), _boxes(rows, puzzle.box))
    )


def _boxes(rows: list[list[int]], box: BoxShape) -> Iterator[list[int]]:
    for top in range(0, box.size, box.rows):
        for left in range(0, box.size, box.cols):
            yield [digit for row in rows[top : top + box.rows] for digit in row[left : left + box.cols]]


def are_solutions(grids: NDArray[np.integer], givens: Digits, box: BoxShape) -> NDArray[np.bool_]:
    """Judge many grids of one box shape at once: both arrays are n × size × size, the answer has n entries."""
    num, size = len(grids), box.size
    # a bit for each digit: as many cells as digits, so if all bits are there, each is there once
    kind: type[np.unsignedinteger] = np.uint16 if size < 16 else np.uint64
    is_digit = (grids > 0) & (grids <= size)
    bit_of = np.array([0, *(1 << digit for digit in range(size))], dtype=kind)
    bits = bit_of[np.where(is_digit, grids, 0)]
    boxes = bits.reshape(num, box.cols, box.rows, box.rows, box.cols)
    cells_of_units = (
        [bits[:, :, col] for col in range(size)],
        [bits[:, row] for row in range(size)],
        [boxes[:, :, row, :, col].reshape(num, size) for row in range(box.rows) for col in range(box.cols)],
    )
    verdict: NDArray[np.bool_] = (((givens == 0) | (givens == grids)) & is_digit).all(axis=(1, 2))
    for cells in cells_of_units:
        verdict &= (reduce(np.bitwise_or, cells) == kind((1 << size) - 1)).all(axis=1)
    return verdict
