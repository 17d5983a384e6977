"""Convert puzzles from the forms that people pass."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from numbers import Integral
from typing import TYPE_CHECKING, TypeGuard, TypeVar

from sudokulab import _core
from sudokulab.errors import PuzzleError
from sudokulab.formats.base import size_of
from sudokulab.puzzle import NINE, BoxLike, BoxShape, Puzzle, PuzzleLike, are_cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "PuzzleLike",
    "as_integers",
    "as_many",
    "as_puzzle",
    "as_unmasked",
    "is_missing",
    "is_single",
    "one_or_many",
]

T = TypeVar("T")
_Scalar = TypeVar("_Scalar", bound="np.generic")


def as_puzzle(puzzle: PuzzleLike, box: BoxLike | None = None) -> Puzzle:
    """Return a puzzle given in any form.

    Parameters
    ----------
    puzzle
        See `PuzzleLike`. Bytes are cells (0 for a blank) if all of them are small enough, and text otherwise.
    box
        The box shape. Default: the shape that the text describes, or the most square one.

    Raises
    ------
    SudokulabError
        If the value is not a puzzle, or has another box shape.

    Examples
    --------
    >>> as_puzzle([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]) == as_puzzle("1.....3..4.....2")
    True
    """
    if isinstance(puzzle, Puzzle):
        if box is not None and puzzle.box != BoxShape.of(box):
            raise PuzzleError(f"the puzzle has boxes of {puzzle.box}; use {BoxShape.of(box)}")
        return puzzle
    if box is None:
        # far faster than a parser, and leaves other values as they are
        (puzzle,) = _core.read_nines([puzzle], Puzzle, NINE)
        if isinstance(puzzle, Puzzle):
            return puzzle
    if isinstance(puzzle, bytes | bytearray | memoryview):
        puzzle = bytes(puzzle)
        if are_cells(puzzle):
            return Puzzle(puzzle, box)
        puzzle = puzzle.decode("utf-8", errors="replace")
    if isinstance(puzzle, str):
        from sudokulab.formats import parse  # which imports this module

        return parse(puzzle, box=None if box is None else BoxShape.of(box))
    return Puzzle.from_array(as_integers(puzzle, "puzzle"), box)


def as_many(puzzles: Iterable[T]) -> Iterable[T]:
    """Return an iterable of puzzles, or raise an error if it is a single one.

    Raises
    ------
    PuzzleError
        If the value is a single puzzle, whose characters or rows would be taken for puzzles, or not iterable.
    """
    if hasattr(puzzles, "columns"):  # a pandas or polars frame, whose column names would be taken for puzzles
        raise PuzzleError("a data frame is not a list of puzzles; pass a column, such as frame['puzzle']")
    is_one = is_single(puzzles)
    if not is_one and isinstance(puzzles, Iterable):
        return puzzles
    found = "a single puzzle" if is_one else type(puzzles).__name__
    raise PuzzleError(f"pass a list of puzzles, not {found}")


def one_or_many(puzzles: PuzzleLike | Iterable[PuzzleLike]) -> Iterable[PuzzleLike]:
    """Return an iterable of puzzles, which are given as one puzzle or several."""
    return [puzzles] if is_single(puzzles) else as_many(puzzles)  # type: ignore[arg-type]  # a text is iterable too


def is_single(value: object) -> TypeGuard[PuzzleLike]:
    """Return whether a value is one puzzle rather than several.

    A list or array of 16 rows of 16 digits is taken for sixteen 4×4 puzzles, and likewise for 36 and 64.
    """
    if isinstance(value, str | bytes | bytearray | memoryview | Puzzle):
        return True
    if not (isinstance(value, list | tuple) or _is_array(value)) or len(value) == 0:
        return False
    first = value[0]
    if isinstance(first, str | Puzzle) or _ndim(first) > 1:  # numpy is not imported for lists of text
        return False
    if _ndim(first) == 0:
        return isinstance(first, Integral)
    return len(first) == len(value) and not size_of(len(first))


def _is_array(value: object) -> TypeGuard[NDArray[np.generic]]:
    """Return whether a value is an array, without importing numpy: until then, no value is one."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def _ndim(value: ArrayLike) -> int:
    import numpy as np

    try:
        return np.ndim(value)
    except ValueError:  # rows of different lengths
        return 2


def is_missing(value: object) -> TypeGuard[float | None]:
    """Return whether a value stands for a missing one: None, NaN, or the NA of pandas."""
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"


def as_unmasked(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Return an array with blanks in place of masked cells."""
    import numpy as np

    return array.filled(0) if isinstance(array, np.ma.MaskedArray) else array


def as_integers(value: ArrayLike, what: str) -> NDArray[np.integer]:
    """Return a square or flat array of integers; `what` is its name in error messages."""
    import numpy as np

    try:
        array = as_unmasked(np.asanyarray(value))
    except (ValueError, TypeError):  # rows of different lengths
        array = np.empty(0)
    is_square = array.ndim == 2 and array.shape[0] == array.shape[1]
    if array.size and array.dtype.kind in "iu" and (array.ndim == 1 or is_square):
        return array
    if is_missing(value):
        raise PuzzleError(f"the {what} is missing ({value}); pass a Puzzle, text or integers")
    kind = type(value).__name__
    found = f"{kind} of shape {array.shape} and type {array.dtype}" if isinstance(value, np.ndarray) else kind
    raise PuzzleError(
        f"cannot read a {what} from {found}; pass a Puzzle, text, or a square or flat sequence of integers"
    )
