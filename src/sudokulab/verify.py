"""Verify solutions, with code that no solver shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudokulab import _core
from sudokulab._internal.slices import slices
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.formats.coercion import PuzzleLike, as_integers, as_puzzle
from sudokulab.puzzle import BoxShape, Digits, Puzzle
from sudokulab.search.result import Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["are_solutions", "is_solution"]


def is_solution(grid: PuzzleLike | Result, puzzle: PuzzleLike) -> bool:
    """Return whether a grid solves a puzzle: it keeps the givens and has every digit once per row, column and box.

    Parameters
    ----------
    grid
        The grid in any form, or a `Result` with a solution. A grid with blanks, invalid digits or another size is not a
        solution.
    puzzle
        The puzzle in any form.

    Raises
    ------
    SudokulabError
        If either of them is not a grid at all.

    Examples
    --------
    >>> is_solution("1324423124133142", "1.....3..4.....2")
    True
    >>> is_solution([1, 2, 3, 4] * 4, "1.....3..4.....2")
    False
    """
    if isinstance(grid, Result):
        if grid.solution is None:
            return False
        grid = grid.solution
    puzzle = _read(puzzle, grid.box) if isinstance(grid, Puzzle) else as_puzzle(puzzle)
    if isinstance(grid, str | bytes | bytearray):
        grid = _read(grid, puzzle.box)
    if isinstance(grid, Puzzle):
        return grid.box == puzzle.box and _core.is_solution(grid.cells, puzzle.cells, *puzzle.box)
    array = as_integers(grid, "grid")
    if array.size != len(puzzle.cells):
        return False
    return bool(are_solutions(array.reshape(1, -1), puzzle.givens.reshape(1, -1), puzzle.box)[0])


def are_solutions(grids: NDArray[np.integer], givens: Digits, box: BoxShape) -> NDArray[np.bool_]:
    """Return for each grid, one per row, whether it solves the puzzle in the same row."""
    import numpy as np

    if len(grids) != len(givens):
        raise ParameterError(f"{len(grids)} grids and {len(givens)} puzzles; pass one puzzle per grid")
    num_cells = box.size**2
    verdicts = np.empty(len(grids), np.bool_)
    for rows in slices(len(grids), num_cells):
        some = grids[rows]
        if some.dtype != np.uint8:
            some = np.where((some > 0) & (some <= box.size), some, 0).astype(np.uint8)  # 257 must not become 1
        cells, given_cells = (np.ascontiguousarray(array).reshape(-1, num_cells) for array in (some, givens[rows]))
        verdicts[rows] = _core.are_solutions(cells, given_cells, *box)
    return verdicts


def _read(value: PuzzleLike, box: BoxShape) -> Puzzle:
    """Read a puzzle with the box shape of its counterpart, or with its own if the sizes differ."""
    try:
        return as_puzzle(value, box)
    except SudokulabError:
        return as_puzzle(value)
