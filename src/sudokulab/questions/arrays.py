"""Puzzles in bulk: arrays in, arrays out, on all cores.

For 9×9 grids, the engine (``cpp/bulk/bulk.h``) solves 8, 16 or 32 puzzles at once in the lanes of a vector register,
with the widest instructions the machine has. Other sizes are solved one by one in native threads. 9×9 puzzles can also
be solved on a GPU (``gpu/engine.cu``).
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from sudokulab import _core
from sudokulab._internal.native import INSTRUCTIONS, checked_instructions, checked_limit, checked_threads
from sudokulab._internal.slices import slices
from sudokulab.errors import PuzzleError, WrongAnswerError
from sudokulab.formats import symbols
from sudokulab.formats.arrays import Errors, PuzzleArray, array_and_box, masked_rows, readable_rows
from sudokulab.gpu.devices import GpuArray, chosen_device, is_masking, require_device
from sudokulab.puzzle import BoxLike, Digits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    MaskedDigits: TypeAlias = np.ma.MaskedArray[Any, np.dtype[np.uint8]]
    MaskedCounts: TypeAlias = np.ma.MaskedArray[Any, np.dtype[np.uint32]]
    MaskedFlags: TypeAlias = np.ma.MaskedArray[Any, np.dtype[np.bool_]]

__all__ = ["INSTRUCTIONS", "PuzzleArray", "as_array", "as_strings", "count_array", "is_unique_array", "solve_array"]

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
    return array_and_box(puzzles, box)[0]


def as_strings(puzzles: PuzzleArray) -> list[str]:
    """Return puzzles of one size as strings, one character per cell.

    Examples
    --------
    >>> as_strings(solve_array(["1.....3..4.....2"]))
    ['1324423124133142']
    """
    import numpy as np

    array, box = array_and_box(puzzles, None)
    table = np.array(["." + symbols.alphabet(box.size)]).view("U1")
    strings: list[str] = []
    for rows in slices(len(array), box.size**2):
        strings += table[array[rows]].view(f"U{box.size**2}").ravel().tolist()
    return strings


@overload
def solve_array(
    puzzles: PuzzleArray,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["raise"] = "raise",
) -> Digits: ...
@overload
def solve_array(
    puzzles: PuzzleArray,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["mask"],
) -> MaskedDigits: ...
@overload
def solve_array(
    puzzles: GpuArray,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["raise"] = "raise",
) -> GpuArray: ...
def solve_array(
    puzzles: Any,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Errors = "raise",
) -> Any:
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
    device
        ``"cpu"``, or ``"cuda"`` or ``"cuda:N"`` for 9×9 grids on a GPU (extra ``gpu``). Default: where the puzzles are.
        Arrays of CuPy, PyTorch, JAX and other libraries with DLPack or ``__cuda_array_interface__`` are used in place.
    errors
        ``"raise"``: a missing row (None, NaN, NA) or an unreadable one raises an error. ``"mask"``: the answer is a
        masked array; such rows, and rows of another size, are masked and have zeros.

    Returns
    -------
    numpy.ndarray
        Solutions of shape (n, cells); all zeros for a puzzle without a solution. For puzzles in an array on a GPU, an
        array of the same library on the same GPU.

    Raises
    ------
    DeviceError
        If a GPU is chosen but cannot be used.

    Examples
    --------
    >>> solve_array(["." * 81, "11" + "." * 79]).any(axis=1)
    array([ True, False])
    """
    num_threads, chosen = checked_threads(threads), checked_instructions(instructions)
    gpu = chosen_device(puzzles, device)
    if is_masking(errors, puzzles):
        array, shape, rows = readable_rows(puzzles, box)
        found = solve_array(array, box=shape, threads=threads, instructions=instructions, device=device)
        return masked_rows(found, rows)
    if gpu is not None:
        on_gpu = _gpu_solving(gpu)
        grids: Digits = on_gpu.solve(puzzles, box, gpu, on_gpu.Fallback(num_threads, chosen))
        return grids
    array, shape = array_and_box(puzzles, box)
    solutions, _, are_right = _core.solve_array(array, *shape, 1, True, num_threads, chosen)
    if not are_right:
        raise WrongAnswerError(WRONG_GRID)
    return solutions


@overload
def count_array(
    puzzles: PuzzleArray,
    limit: int | None = None,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["raise"] = "raise",
) -> NDArray[np.uint32]: ...
@overload
def count_array(
    puzzles: PuzzleArray,
    limit: int | None = None,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["mask"],
) -> MaskedCounts: ...
@overload
def count_array(
    puzzles: GpuArray,
    limit: int | None = None,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["raise"] = "raise",
) -> GpuArray: ...
def count_array(
    puzzles: Any,
    limit: int | None = None,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Errors = "raise",
) -> Any:
    """Count the solutions of puzzles of one size.

    Parameters
    ----------
    limit
        Stop counting a puzzle at this number. Default: no limit, which can take forever on nearly empty grids.
    puzzles, box, threads, instructions, device, errors
        See `solve_array`. For PyTorch, the numbers are of type ``int64``.

    Examples
    --------
    >>> count_array(["." * 16, "11" + "." * 14])
    array([288,   0], dtype=uint32)
    """
    import numpy as np

    bound = min(checked_limit(limit), _MAX_LIMIT)
    num_threads, chosen = checked_threads(threads), checked_instructions(instructions)
    counts: NDArray[np.uint32]
    gpu = chosen_device(puzzles, device)
    if is_masking(errors, puzzles):
        array, shape, rows = readable_rows(puzzles, box)
        found = count_array(array, limit, box=shape, threads=threads, instructions=instructions, device=device)
        return masked_rows(found, rows)
    if gpu is not None:
        on_gpu = _gpu_solving(gpu)
        counts = on_gpu.count(puzzles, bound, box, gpu, on_gpu.Fallback(num_threads, chosen))
    else:
        array, shape = array_and_box(puzzles, box)
        if bound == 0:
            return np.zeros(len(array), np.uint32)
        counts = _core.solve_array(array, *shape, bound, False, num_threads, chosen)[1]
    if limit is None and (counts == _MAX_LIMIT).any():
        raise PuzzleError(f"puzzle {int(counts.argmax()) + 1} has more than {_MAX_LIMIT:,} solutions; pass a limit")
    return counts


@overload
def is_unique_array(
    puzzles: PuzzleArray,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["raise"] = "raise",
) -> NDArray[np.bool_]: ...
@overload
def is_unique_array(
    puzzles: PuzzleArray,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["mask"],
) -> MaskedFlags: ...
@overload
def is_unique_array(
    puzzles: GpuArray,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Literal["raise"] = "raise",
) -> GpuArray: ...
def is_unique_array(
    puzzles: Any,
    *,
    box: BoxLike | None = None,
    threads: int | None = None,
    instructions: str = "best",
    device: str | None = None,
    errors: Errors = "raise",
) -> Any:
    """Return whether each puzzle has exactly one solution; see `solve_array` for the parameters.

    Examples
    --------
    >>> is_unique_array(["." * 81]).tolist()
    [False]
    """
    options: Any = {"box": box, "threads": threads, "instructions": instructions, "device": device, "errors": errors}
    return count_array(puzzles, 2, **options) == 1


def _gpu_solving(number: int) -> ModuleType:
    """Return the functions for GPUs, if this GPU can be used."""
    require_device(number)
    from sudokulab.gpu import solving

    return solving
