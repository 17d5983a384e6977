"""9×9 puzzles in bulk: arrays in, arrays out, all cores, order kept.

The engine (``cpp/bulk/bulk.h``) solves 8, 16 or 32 puzzles side by side in the lanes of a vector, with the widest
instructions that the machine has.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import checked_threads
from sudokulab.errors import PuzzleError, WrongAnswerError
from sudokulab.formats import parse, symbols
from sudokulab.puzzle import BoxShape, Digits, Puzzle

__all__ = ["INSTRUCTIONS", "Bulk", "as_array", "count_many", "is_unique_many", "solve_array"]

INSTRUCTIONS: tuple[str, ...] = tuple(_core.instructions())
"""What the engine can be made of on this machine, the best last."""

Bulk = NDArray[np.integer] | Iterable[str | Puzzle]
"""Puzzles as an array of shape (n, 81) or (n, 9, 9) with 0 for a blank, or one by one."""

WRONG_GRID = "the bulk engine returned a grid that is no solution; this is a bug in the solver"

_BOX = BoxShape(3, 3)
_MAX_LIMIT = 2**32 - 2  # one less than what the core calls undecided


def as_array(puzzles: Bulk) -> Digits:
    """Return 9×9 puzzles as an array of shape (n, 81).

    Examples
    --------
    >>> as_array(["." * 80 + "1"]).shape
    (1, 81)
    """
    if isinstance(puzzles, np.ndarray):
        if puzzles.ndim not in (2, 3) or puzzles.shape[1:] not in ((81,), (9, 9)):
            raise PuzzleError(f"an array of shape {puzzles.shape}, expected (n, 81) or (n, 9, 9)")
        if not np.issubdtype(puzzles.dtype, np.integer):
            raise PuzzleError(f"an array of {puzzles.dtype}, expected integers")
        plain = np.asarray(puzzles)  # a masked array hides cells from min and max
        if plain.size and not 0 <= plain.min() <= plain.max() <= 9:
            raise PuzzleError(f"digits from {plain.min()} to {plain.max()}, expected 0 to 9")
        return np.ascontiguousarray(plain.reshape(-1, 81), dtype=np.uint8)
    rows = [_cells(puzzle, number) for number, puzzle in enumerate(puzzles)]
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, 81)


def solve_array(puzzles: Bulk, *, threads: int | None = None, instructions: str = "best") -> Digits:
    """Solve 9×9 puzzles; the solutions are of shape (n, 81), all zeros where there is none.

    `sudokulab.solve_many` does the same; here the instructions can be chosen.

    Parameters
    ----------
    puzzles
        See `Bulk`.
    threads
        How many to use; by default one for each core.
    instructions
        One of `INSTRUCTIONS`, or the best.

    Examples
    --------
    >>> solve_array(["." * 81, "11" + "." * 79]).any(axis=1)
    array([ True, False])
    """
    array, threads = as_array(puzzles), checked_threads(threads)
    solutions, _, are_right = _core.solve_array(array, *_BOX, 1, True, threads, instructions)
    if not are_right:
        raise WrongAnswerError(WRONG_GRID)
    return solutions


def count_many(
    puzzles: Bulk, limit: int = 2, *, threads: int | None = None, instructions: str = "best"
) -> NDArray[np.uint32]:
    """Count the solutions of 9×9 puzzles, each up to the limit.

    Examples
    --------
    >>> count_many(["." * 81, "11" + "." * 79])
    array([2, 0], dtype=uint32)
    """
    if not 1 <= limit <= _MAX_LIMIT:
        raise ValueError(f"limit: {limit}, expected 1 to {_MAX_LIMIT}")
    array, threads = as_array(puzzles), checked_threads(threads)
    _, counts, _ = _core.solve_array(array, *_BOX, limit, False, threads, instructions)
    return counts


def is_unique_many(puzzles: Bulk, *, threads: int | None = None, instructions: str = "best") -> NDArray[np.bool_]:
    """Tell which 9×9 puzzles have exactly one solution.

    Examples
    --------
    >>> is_unique_many(["." * 81]).tolist()
    [False]
    """
    unique: NDArray[np.bool_] = count_many(puzzles, 2, threads=threads, instructions=instructions) == 1
    return unique


def _cells(puzzle: str | Puzzle, number: int) -> bytes:
    if isinstance(puzzle, str):
        cells = symbols.decode(puzzle, 9) if len(puzzle) == 81 else None
        if cells is not None:
            return cells
        puzzle = parse(puzzle)
    if puzzle.box != _BOX:
        raise PuzzleError(f"puzzle {number + 1} has boxes of {puzzle.box}, expected 3x3")
    return puzzle.cells
