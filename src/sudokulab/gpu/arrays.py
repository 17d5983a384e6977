"""Use arrays of PyTorch, JAX and others as CuPy arrays, without copying them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import cupy as cp
import numpy as np

from sudokulab.errors import PuzzleError
from sudokulab.puzzle import NINE, BoxLike, BoxShape

__all__ = ["NUM_CELLS", "as_cupy", "as_digits", "check_box", "on_device"]

NUM_CELLS = 81


@contextmanager
def on_device(array: object, number: int) -> Iterator[None]:
    """Work on a GPU, for an array that may be there; for PyTorch, on its current stream.

    Other libraries order their work by DLPack. So does PyTorch, but its tensors return their memory to CuPy as soon as
    they are deleted, even if their stream still uses it.
    """
    torch = sys.modules.get("torch")
    with cp.cuda.Device(number):
        if torch is None or not isinstance(array, torch.Tensor) or not array.is_cuda:
            yield
            return
        handle = torch.cuda.current_stream(number).cuda_stream
        with cp.cuda.Stream.from_external(_ForeignStream(handle)) if handle else cp.cuda.Stream.null:
            yield


class _ForeignStream:
    """A stream of another library, by the protocol for CUDA streams."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle


def as_cupy(array: object) -> cp.ndarray:
    """Return an array on a GPU as a CuPy array that shares its memory. Work on the current stream waits for it."""
    if isinstance(array, cp.ndarray):
        return array
    return cp.from_dlpack(array) if hasattr(array, "__dlpack__") else cp.asarray(array)


def check_box(box: BoxLike | None) -> None:
    """Raise PuzzleError unless the boxes are 3×3."""
    if box is not None and BoxShape.of(box) != NINE:
        raise PuzzleError(f"boxes of {BoxShape.of(box)}; use {NINE}: a GPU solves only 9×9 puzzles, a CPU all others")


def as_digits(array: object, box: BoxLike | None = None) -> cp.ndarray:
    """Return 9×9 puzzles on a GPU as bytes of shape (n, 81), copied only if they have another type or layout.

    Raises
    ------
    PuzzleError
        If the shape, the type or a digit is wrong, or the boxes are not 3×3.
    """
    check_box(box)
    puzzles = as_cupy(array)
    if puzzles.shape[1:] not in ((NUM_CELLS,), (9, 9)):
        raise PuzzleError(f"the array has shape {puzzles.shape}; use (n, 81) or (n, 9, 9) on a GPU")
    if puzzles.dtype.kind not in "iu":
        raise PuzzleError(f"the array has type {puzzles.dtype}; pass integers")
    if puzzles.size:
        low = 0 if puzzles.dtype.kind == "u" else int(puzzles.min())
        high = int(puzzles.max())
        if low < 0 or high > 9:
            raise PuzzleError(f"digits from {low} to {high}; use 0 to 9")
    return cp.ascontiguousarray(puzzles.reshape(-1, NUM_CELLS), dtype=np.uint8)
