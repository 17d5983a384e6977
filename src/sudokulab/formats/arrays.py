"""Convert many puzzles of one size to an array."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudokulab import _core
from sudokulab._internal.slices import slices
from sudokulab.errors import PuzzleError, SudokulabError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle, as_unmasked, is_missing
from sudokulab.puzzle import NINE, BoxLike, BoxShape, Digits, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Errors", "PuzzleArray", "array_and_box", "masked_rows", "readable_rows"]

PuzzleArray: TypeAlias = "NDArray[Any] | Iterable[PuzzleLike]"
"""Puzzles of one size: integers of shape (n, cells) or (n, size, size), a text array, a pandas or polars series, or any
iterable of puzzles."""

Errors: TypeAlias = Literal["raise", "mask"]
"""What a function does with rows that are missing or unreadable: it raises an error, or masks them in its answer."""


_ADVICE = '; drop such rows, or pass errors="mask" to solve_array and similar functions'


def array_and_box(puzzles: PuzzleArray, box: BoxLike | None) -> tuple[Digits, BoxShape]:
    """Return puzzles of one size as an array of shape (n, cells), with 0 for a blank, and their box shape.

    Parameters
    ----------
    puzzles
        See `PuzzleArray`.
    box
        The box shape. Default: the shape of the first puzzle, or the most square one.
    """
    return _read(puzzles, box, None)


def readable_rows(puzzles: PuzzleArray, box: BoxLike | None) -> tuple[Digits, BoxShape, NDArray[np.intp]]:
    """Return an array, a box shape, and the indexes of the rows that are missing, unreadable or of another size.

    The array has full grids in these rows, which every question answers at once; `masked_rows` masks the answers.
    """
    import numpy as np

    unread: set[int] = set()
    cells, shape = _read(puzzles, box, unread)
    rows = np.array(sorted(unread), np.intp)
    if len(rows):
        cells = cells if cells.base is None else cells.copy()  # never change the caller's array
        cells[rows] = np.frombuffer(_full_grid(shape), np.uint8)
    return cells, shape, rows


def masked_rows(answers: NDArray[Any], rows: NDArray[np.intp]) -> np.ma.MaskedArray[Any, Any]:
    """Return answers as a masked array, whose rows with these indexes are zeros and masked."""
    import numpy as np

    mask = np.zeros(answers.shape, np.bool_)
    answers[rows], mask[rows] = 0, True
    return np.ma.MaskedArray(answers, mask)


def _full_grid(box: BoxShape) -> bytes:
    rows, cols = box
    return bytes(
        (cols * (row % rows) + row // rows + col) % box.size + 1 for row in range(box.size) for col in range(box.size)
    )


def _read(puzzles: PuzzleArray, box: BoxLike | None, unread: set[int] | None) -> tuple[Digits, BoxShape]:
    """Read puzzles; add the indexes of those that cannot be read to a set, or without one raise an error."""
    import numpy as np

    shape = None if box is None else BoxShape.of(box)
    if hasattr(puzzles, "to_pylist"):  # a pyarrow array
        puzzles = puzzles.to_pylist()
    elif hasattr(puzzles, "to_numpy") and not hasattr(puzzles, "columns"):  # a pandas or polars series
        puzzles = puzzles.to_numpy()
    if isinstance(puzzles, np.ndarray) and (puzzles.dtype.kind not in "OSUT" or puzzles.ndim == 0):
        return _checked_digits(puzzles, shape, unread)
    texts = puzzles if isinstance(puzzles, np.ndarray) else list(as_many(puzzles))
    nines = _nines(texts, shape, unread) if shape in (None, NINE) and len(texts) else None
    if nines is not None:
        return nines, NINE
    found: list[Puzzle | None] = []
    given = shape
    for index, text in enumerate(texts):
        _core.raise_if_cancelled()
        puzzle = _puzzle_at(index, text, given, unread)
        shape = shape or (puzzle.box if puzzle else None)
        if puzzle and puzzle.box != shape:
            _reject(index, f" has boxes of {puzzle.box}; use {shape} for all puzzles", unread)
            puzzle = None
        found.append(puzzle)
    shape = shape or NINE
    cells = np.empty((len(found), shape.size**2), np.uint8)
    blank = bytes(shape.size**2)
    for rows in slices(*cells.shape):
        joined = b"".join(puzzle.cells if puzzle else blank for puzzle in found[rows])
        cells[rows] = np.frombuffer(joined, np.uint8).reshape(-1, shape.size**2)
    return cells, shape


def _puzzle_at(index: int, value: Any, box: BoxShape | None, unread: set[int] | None) -> Puzzle | None:
    """Return the puzzle at an index; None if it cannot be read."""
    if is_missing(value):
        _reject(index, f" is missing ({value}){_ADVICE}", unread)
        return None
    try:
        return as_puzzle(value, box)
    except SudokulabError as error:
        _reject(index, f": {error}", unread)
        return None


def _reject(index: int, problem: str, unread: set[int] | None) -> None:
    if unread is None:
        raise PuzzleError(f"puzzle {index + 1}{problem}") from None
    unread.add(index)


def _checked_digits(puzzles: NDArray[Any], box: BoxShape | None, unread: set[int] | None) -> tuple[Digits, BoxShape]:
    import numpy as np

    is_cube = puzzles.ndim == 3 and puzzles.shape[1] == puzzles.shape[2]
    if puzzles.ndim != 2 and not is_cube:
        raise PuzzleError(f"the array has shape {puzzles.shape}; use (n, cells) or (n, size, size)")
    if not np.issubdtype(puzzles.dtype, np.integer):
        raise PuzzleError(f"the array has type {puzzles.dtype}; pass integers or text")
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
            if unread is None:
                raise PuzzleError(f"digits from {some.min()} to {some.max()}; use 0 to {shape.size}")
            are_wrong = ((some < 0) | (some > shape.size)).reshape(len(some), -1).any(axis=1)
            unread.update((rows.start + np.flatnonzero(are_wrong)).tolist())
        if not is_plain:
            digits[rows] = some.reshape(-1, width)
    return digits, shape


def _nines(texts: list[Any] | NDArray[Any], box: BoxShape | None, unread: set[int] | None) -> Digits | None:
    """Return the cells of 9×9 puzzles; None if any has another size, or none is plain text."""
    import numpy as np

    cells = np.empty((len(texts), 81), np.uint8)
    others: list[int] = []
    for rows in slices(*cells.shape):
        some = texts[rows]
        cells[rows], strange = _core.decode_nines(_symbols(some) if isinstance(some, np.ndarray) else some)
        others += [rows.start + index for index in strange]
    if len(others) == len(texts):
        return None
    for index in others:
        puzzle = _puzzle_at(index, texts[index], box, unread)
        if puzzle and puzzle.box != NINE:
            return None
        if puzzle:
            cells[index] = np.frombuffer(puzzle.cells, np.uint8)
    return cells


def _symbols(texts: NDArray[Any]) -> Digits | list[Any]:
    """Return texts of 81 characters as one array of ASCII codes, 0 for other characters; other texts as a list."""
    import numpy as np

    if texts.ndim != 1 or texts.dtype not in (np.dtype("S81"), np.dtype("U81")):
        return list(texts.tolist())
    codes: NDArray[Any] = np.ascontiguousarray(texts).view(np.uint8 if texts.dtype == "S81" else np.uint32)
    return np.where(codes < 128, codes, 0).astype(np.uint8).reshape(-1, 81)
