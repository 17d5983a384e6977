"""Score predicted grids on a GPU."""

from __future__ import annotations

from collections.abc import Callable

import cupy as cp
import numpy as np
from numpy.typing import NDArray

from sudokulab.gpu.arrays import as_cupy, on_device
from sudokulab.gpu.devices import like
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
            cp.cuda.get_current_stream().synchronize()  # other streams use them later

    def score(
        self, predictions: cp.ndarray, rows: NDArray[np.int64] | None, check: Callable[[cp.ndarray], None]
    ) -> list[cp.ndarray]:
        """Return the arrays of `sudokulab.learn.Scores` for integers on this GPU; others than digits are blanks.

        `check` gets the predictions as a CuPy array, and raises an error if they cannot be scored.
        """
        size = self._box.size
        with on_device(predictions, self._device):
            array = as_cupy(predictions)
            check(array)
            digits = cp.where((array >= 1) & (array <= size), array, 0).astype(np.uint8)
            grids = cp.ascontiguousarray(digits.reshape(-1, size**2))
            indices = None if rows is None else cp.asarray(rows)
            found = engine_of(self._device).score(grids, self._puzzles, self._solutions, indices, self._box)
            num_blanks = self._num_blanks.copy() if indices is None else self._num_blanks[indices]
            cp.cuda.get_current_stream().synchronize()  # the predictions may change after this call
            return [like(predictions, scores) for scores in (*found, num_blanks)]
