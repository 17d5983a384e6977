"""Score predicted grids on a GPU."""

from __future__ import annotations

from typing import Any

import cupy as cp
import numpy as np
from numpy.typing import NDArray

from sudokulab.gpu.arrays import as_cupy
from sudokulab.gpu.kernels import engine_of
from sudokulab.puzzle import BoxShape, Digits

__all__ = ["GpuVerifier"]


class GpuVerifier:
    """The puzzles of a `Verifier` on one GPU."""

    def __init__(
        self, puzzles: Digits, solutions: Digits, num_blanks: NDArray[np.uint16], box: BoxShape, device: int
    ) -> None:
        self._box = box
        self._device = device
        with cp.cuda.Device(device):
            self._puzzles, self._solutions = cp.asarray(puzzles), cp.asarray(solutions)
            self._num_blanks = cp.asarray(num_blanks.astype(np.int32))

    def array(self, predictions: Any) -> Any:
        """Return predictions on this GPU as a CuPy array."""
        with cp.cuda.Device(self._device):
            return as_cupy(predictions)

    def score(self, predictions: Any, rows: NDArray[np.int64] | None) -> list[Any]:
        """Return the arrays of `sudokulab.learn.Scores` for a CuPy array of integers; others than digits are blanks."""
        size = self._box.size
        with cp.cuda.Device(self._device):
            is_digit = (predictions >= 1) & (predictions <= size)
            grids = cp.where(is_digit, predictions, 0).astype(np.uint8).reshape(-1, size**2)
            indices = None if rows is None else cp.asarray(rows)
            found = engine_of(self._device).score(grids, self._puzzles, self._solutions, indices, self._box)
            return [*found, self._num_blanks.copy() if indices is None else self._num_blanks[indices]]
