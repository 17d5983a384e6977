"""Convert many puzzles of one size to an array."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from sudokulab import _core
from sudokulab._internal.slices import slices
from sudokulab.errors import PuzzleError, SudokulabError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle, as_unmasked
from sudokulab.puzzle import NINE, BoxLike, BoxShape, Digits, Puzzle

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PuzzleArray", "array_and_box"]

PuzzleArray: TypeAlias = "NDArray[Any] | Iterable[PuzzleLike]"
"""Puzzles of one size: integers of shape (n, cells) or (n, size, size), a text array, a pandas or polars series, or any
iterable of puzzles."""


def array_and_box(puzzles: PuzzleArray, box: BoxLike | None) -> tuple[Digits, BoxShape]:
    """Return puzzles of one size as an array of shape (n, cells), with 0 for a blank, and their box shape.

    Parameters
    ----------
    puzzles
        See `PuzzleArray`.
    box
        The box shape. Default: the shape of the first puzzle, or the most square one.
    """
    import numpy as np

    shape = None if box is None else BoxShape.of(box)
    if hasattr(puzzles, "to_pylist"):  # a pyarrow array
        puzzles = puzzles.to_pylist()
    elif hasattr(puzzles, "to_numpy") and not hasattr(puzzles, "columns"):  # a pandas or polars series
        puzzles = puzzles.to_numpy()
    if isinstance(puzzles, np.ndarray) and (puzzles.dtype.kind not in "OSUT" or puzzles.ndim == 0):
        return _checked_digits(puzzles, shape)
    texts = puzzles if isinstance(puzzles, np.ndarray) else list(as_many(puzzles))
    nines = _nines(texts, shape) if shape in (None, NINE) and len(texts) else None
    if nines is not None:
        return nines, NINE
    found = [_numbered_puzzle(number, text, shape) for number, text in enumerate(texts, start=1)]
    shape = shape or (found[0].box if found else NINE)
    for number, puzzle in enumerate(found, start=1):
        if puzzle.box != shape:
            raise PuzzleError(f"puzzle {number} has boxes of {puzzle.box}, expected {shape} for all puzzles")
    cells = np.empty((len(found), shape.size**2), np.uint8)
    for rows in slices(*cells.shape):
        joined = b"".join(puzzle.cells for puzzle in found[rows])
        cells[rows] = np.frombuffer(joined, np.uint8).reshape(-1, shape.size**2)
    return cells, shape


def _numbered_puzzle(number: int, value: Any, box: BoxShape | None) -> Puzzle:
    try:
        return as_puzzle(value, box)
    except SudokulabError as error:
        raise PuzzleError(f"puzzle {number}: {error}") from None


def _checked_digits(puzzles: NDArray[Any], box: BoxShape | None) -> tuple[Digits, BoxShape]:
    import numpy as np

    is_cube = puzzles.ndim == 3 and puzzles.shape[1] == puzzles.shape[2]
    if puzzles.ndim != 2 and not is_cube:
        raise PuzzleError(f"the array has shape {puzzles.shape}, expected (n, cells) or (n, size, size)")
    if not np.issubdtype(puzzles.dtype, np.integer):
        raise PuzzleError(f"the array has type {puzzles.dtype}, expected integers or text")
    width = puzzles.shape[1] ** 2 if is_cube else puzzles.shape[1]
    try:
        shape = Puzzle(bytes(width), box).box
    except PuzzleError as error:
        raise PuzzleError(f"the array has shape {puzzles.shape}: {error}") from None
    is_plain = puzzles.dtype == np.uint8 and puzzles.flags.c_contiguous and not isinstance(puzzles, np.ma.MaskedArray)
    digits = puzzles.reshape(-1, width) if is_plain else np.empty((len(puzzles), width), np.uint8)
    for rows in slices(len(puzzles), width):
        some = as_unmasked(puzzles[rows])
        if not 0 <= some.min() <= some.max() <= shape.size:
            raise PuzzleError(f"digits from {some.min()} to {some.max()}, expected 0 to {shape.size}")
        if not is_plain:
            digits[rows] = some.reshape(-1, width)
    return digits, shape


def _nines(texts: list[Any] | NDArray[Any], box: BoxShape | None) -> Digits | None:
    """Return the cells of 9×9 puzzles; None if any has another size, or none is plain text."""
    import numpy as np

    cells = np.empty((len(texts), 81), np.uint8)
    others: list[int] = []
    for rows in slices(*cells.shape):
        some = texts[rows]
        cells[rows], unread = _core.decode_nines(_symbols(some) if isinstance(some, np.ndarray) else some)
        others += [rows.start + index for index in unread]
    if len(others) == len(texts):
        return None
    for index in others:
        puzzle = _numbered_puzzle(index + 1, texts[index], box)
        if puzzle.box != NINE:
            return None
        cells[index] = np.frombuffer(puzzle.cells, np.uint8)
    return cells


def _symbols(texts: NDArray[Any]) -> Digits | list[Any]:
    """Return texts of 81 characters as one array of ASCII codes, 0 for other characters; other texts as a list."""
    import numpy as np

    if texts.ndim != 1 or texts.dtype not in (np.dtype("S81"), np.dtype("U81")):
        return list(texts.tolist())
    codes: NDArray[Any] = np.ascontiguousarray(texts).view(np.uint8 if texts.dtype == "S81" else np.uint32)
    return np.where(codes < 128, codes, 0).astype(np.uint8).reshape(-1, 81)
