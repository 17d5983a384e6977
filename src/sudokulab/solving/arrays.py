"""Puzzles in bulk: arrays in, arrays out, on all cores.

For 9×9 grids, the engine (``cpp/bulk/bulk.h``) solves 8, 16 or 32 puzzles at once in the lanes of a vector register,
with the widest instructions the machine has. Other sizes are solved one by one in native threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from sudokulab import _core
from sudokulab._internal.lazy_numpy import np
from sudokulab._internal.native import INSTRUCTIONS, checked_instructions, checked_limit, checked_threads
from sudokulab._internal.slices import slices
from sudokulab.errors import PuzzleError, SudokulabError, WrongAnswerError
from sudokulab.formats import symbols
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle, as_unmasked
from sudokulab.puzzle import NINE, BoxLike, BoxShape, Digits, Puzzle

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["INSTRUCTIONS", "PuzzleArray", "as_array", "as_strings", "count_array", "is_unique_array", "solve_array"]

PuzzleArray: TypeAlias = "NDArray[Any] | Iterable[PuzzleLike]"
"""Puzzles of one size: integers of shape (n, cells) or (n, size, size), a text array, a pandas or polars series, or any
iterable of puzzles."""

WRONG_GRID = "the bulk engine returned an invalid solution; this is a bug in the solver"

_MAX_LIMIT = 2**32 - 2  # the core uses the next number for "undecided"


def as_array(puzzles: PuzzleArray, box: BoxLike | None = None) -> Digits:
    """Return puzzles of one size as an array of shape (n, cells), with 0 for a blank.

    Parameters
    ----------
    puzzles
        See `PuzzleArray`.
    box
        The box shape. Default: the shape of the first puzzle, or the most square one.

    Examples
    --------
    >>> as_array(["." * 80 + "1"]).shape
    (1, 81)
    """
    return _array_and_box(puzzles, box)[0]


def as_strings(puzzles: PuzzleArray) -> list[str]:
    """Return puzzles of one size as strings, one character per cell.

    Examples
    --------
    >>> as_strings(solve_array(["1.....3..4.....2"]))
    ['1324423124133142']
    """
    array, box = _array_and_box(puzzles, None)
    table = np.array(["." + symbols.alphabet(box.size)]).view("U1")
    strings: list[str] = []
    for rows in slices(len(array), box.size**2):
        strings += table[array[rows]].view(f"U{box.size**2}").ravel().tolist()
    return strings


def solve_array(
    puzzles: PuzzleArray, *, box: BoxLike | None = None, threads: int | None = None, instructions: str = "best"
) -> Digits:
    """Solve puzzles of one size. The solutions are verified.

    Parameters
    ----------
    puzzles
        See `PuzzleArray`.
    box
        The box shape. Default: the shape of the first puzzle, or the most square one.
    threads
        Number of threads (default: all cores).
    instructions
        One of `INSTRUCTIONS`, for 9×9 grids. Default: ``SUDOKULAB_INSTRUCTIONS``, or the best.

    Returns
    -------
    numpy.ndarray
        Solutions of shape (n, cells); all zeros for a puzzle without a solution.

    Examples
    --------
    >>> solve_array(["." * 81, "11" + "." * 79]).any(axis=1)
    array([ True, False])
    """
    num_threads, chosen = checked_threads(threads), checked_instructions(instructions)
    array, shape = _array_and_box(puzzles, box)
    solutions, _, are_right = _core.solve_array(array, *shape, 1, True, num_threads, chosen)
    if not are_right:
        raise WrongAnswerError(WRONG_GRID)
    return solutions


def count_array(
    puzzles: PuzzleArray,
    limit: int | None = None,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
) -> NDArray[np.uint32]:
    """Count the solutions of puzzles of one size.

    Parameters
    ----------
    limit
        Stop counting a puzzle at this number. Default: no limit, which can take forever on nearly empty grids.
    puzzles, box, threads, instructions
        See `solve_array`.

    Examples
    --------
    >>> count_array(["." * 16, "11" + "." * 14])
    array([288,   0], dtype=uint32)
    """
    bound = min(checked_limit(limit), _MAX_LIMIT)
    num_threads, chosen = checked_threads(threads), checked_instructions(instructions)
    array, shape = _array_and_box(puzzles, box)
    if bound == 0:
        return np.zeros(len(array), np.uint32)
    _, counts, _ = _core.solve_array(array, *shape, bound, False, num_threads, chosen)
    if limit is None and (counts == _MAX_LIMIT).any():
        raise PuzzleError(f"puzzle {counts.argmax() + 1} has more than {_MAX_LIMIT:,} solutions; pass a limit")
    return counts


def is_unique_array(
    puzzles: PuzzleArray, *, box: BoxLike | None = None, threads: int | None = None, instructions: str = "best"
) -> NDArray[np.bool_]:
    """Return whether each puzzle has exactly one solution; see `solve_array` for the parameters.

    Examples
    --------
    >>> is_unique_array(["." * 81]).tolist()
    [False]
    """
    unique: NDArray[np.bool_] = count_array(puzzles, 2, box=box, threads=threads, instructions=instructions) == 1
    return unique


def _array_and_box(puzzles: PuzzleArray, box: BoxLike | None) -> tuple[Digits, BoxShape]:
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
    is_cube = puzzles.ndim == 3 and puzzles.shape[1] == puzzles.shape[2]
    if puzzles.ndim != 2 and not is_cube:
        raise PuzzleError(f"the array has shape {puzzles.shape}, expected (n, cells) or (n, size, size)")
    if not np.issubdtype(puzzles.dtype, np.integer):
        raise PuzzleError(f"the array has type {puzzles.dtype}, expected integers or text")
    width = puzzles.shape[1] ** 2 if is_cube else puzzles.shape[1]
    try:
        shape = Puzzle(bytes(width), box).box  # type: ignore[arg-type]
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
    if texts.ndim != 1 or texts.dtype not in (np.dtype("S81"), np.dtype("U81")):
        return list(texts.tolist())
    codes: NDArray[Any] = np.ascontiguousarray(texts).view(np.uint8 if texts.dtype == "S81" else np.uint32)
    return np.where(codes < 128, codes, 0).astype(np.uint8).reshape(-1, 81)
