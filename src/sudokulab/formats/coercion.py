"""Puzzles in whatever form people pass them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudokulab.errors import PuzzleError
from sudokulab.puzzle import BoxShape, Puzzle

__all__ = ["PuzzleLike", "as_integers", "as_many", "as_puzzle"]

T = TypeVar("T")

PuzzleLike = Puzzle | str | bytes | ArrayLike
"""A puzzle, text in any format, or integers as a square or flat sequence with 0 for a blank."""

_FIRST_PRINTABLE = 32


def as_puzzle(puzzle: PuzzleLike, box: BoxShape | None = None) -> Puzzle:
    """Return the puzzle that a value stands for.

    Parameters
    ----------
    puzzle
        See `PuzzleLike`. Bytes are cells (0 for a blank) if they can be, else text.
    box
        The box shape, where the value leaves a choice.

    Raises
    ------
    SudokulabError
        If the value is something else.

    Examples
    --------
    >>> as_puzzle([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]) == as_puzzle("1.....3..4.....2")
    True
    """
    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, bytes | bytearray):
        if _are_cells(puzzle):
            return Puzzle(bytes(puzzle), box)  # type: ignore[arg-type]
        puzzle = puzzle.decode("utf-8", errors="replace")
    if isinstance(puzzle, str):
        from sudokulab.formats import parse  # which imports this module

        return parse(puzzle, box=box)
    return Puzzle.from_array(as_integers(puzzle, "puzzle"), box)


def as_many(puzzles: Iterable[T]) -> Iterable[T]:
    """Return puzzles to iterate over; refuses a single one, whose characters or rows nobody means.

    Raises
    ------
    PuzzleError
        If there is only one puzzle, or nothing to iterate over.
    """
    is_one = isinstance(puzzles, str | bytes | bytearray | Puzzle)
    if not is_one and isinstance(puzzles, Iterable):
        return puzzles
    found = "a single puzzle" if is_one else type(puzzles).__name__
    raise PuzzleError(f"got {found}, expected several: a list, an iterator, or the reader of a file")


def as_integers(value: Any, what: str) -> NDArray[np.integer]:
    """Return an array of integers, square or flat; `what` names it in the error."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.empty(0)
    is_square = array.ndim == 2 and array.shape[0] == array.shape[1]
    if array.size and array.dtype.kind in "iu" and (array.ndim == 1 or is_square):
        return array
    kind = type(value).__name__
    found = f"{kind} of shape {array.shape} and type {array.dtype}" if isinstance(value, np.ndarray) else kind
    raise PuzzleError(
        f"cannot read a {what} from {found}: expected a Puzzle, text, or a square or flat sequence of integers"
    )


def _are_cells(data: bytes | bytearray) -> bool:
    """Tell cells from text, whose characters are printable."""
    size = math.isqrt(len(data))
    return len(data) > 0 and size * size == len(data) and min(data) < _FIRST_PRINTABLE and max(data) <= size
