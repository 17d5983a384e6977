"""Overlap transfers between host memory and a GPU with its work."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock

import cupy as cp
import cupyx
import numpy as np
from numpy.typing import NDArray

__all__ = ["Lane", "in_lanes"]

_ROWS = 1 << 17  # per slice: enough to fill the GPU
_NUM_LANES = 4
_ROW_BYTES = 2 * 81  # two grids


class Lane:
    """A stream with a pinned buffer, which the GPU copies from and to while the CPU does something else."""

    def __init__(self) -> None:
        self.stream = cp.cuda.Stream(non_blocking=True)
        self._buffer = cupyx.empty_pinned(0, np.uint8)

    def reserve(self, num_rows: int) -> None:
        """Make the buffer large enough for slices of this size."""
        if self._buffer.size < num_rows * _ROW_BYTES:
            self._buffer = cupyx.empty_pinned(num_rows * _ROW_BYTES, np.uint8)

    def send(self, *arrays: NDArray[np.uint8]) -> list[cp.ndarray]:
        """Copy the rows of a slice to the GPU, up to `_ROW_BYTES` per row in all arrays together."""
        sent = []
        start = 0
        for rows in arrays:
            part = self._part(start, rows)
            np.copyto(part, rows)
            sent.append(cp.empty(rows.shape, rows.dtype))
            sent[-1].set(part, self.stream)
            start += rows.nbytes
        return sent

    def receive(self, array: cp.ndarray, target: NDArray[np.generic]) -> None:
        """Wait for an array on the GPU, and copy it to the host."""
        part = self._part(0, target)
        array.get(self.stream, out=part)
        self.stream.synchronize()
        np.copyto(target, part)

    def _part(self, start: int, array: NDArray[np.generic]) -> NDArray[np.generic]:
        """Return a part of the buffer for an array."""
        part: NDArray[np.generic] = self._buffer[start : start + array.nbytes].view(array.dtype)
        return part.reshape(array.shape)


_LANES: dict[int, SimpleQueue[Lane]] = {}
_LOCK = Lock()


def _lanes_of(device: int) -> SimpleQueue[Lane]:
    """Return the lanes of a GPU. They are kept: CuPy keeps the memory of a stream even after its end."""
    with _LOCK:
        if device not in _LANES:
            _LANES[device] = SimpleQueue()
            with cp.cuda.Device(device):
                for _ in range(_NUM_LANES):
                    _LANES[device].put(Lane())
        return _LANES[device]


def in_lanes(number: int, device: int, work: Callable[[slice, Lane], None]) -> None:
    """Call `work` for slices of `number` rows in several threads, each on the stream of its lane."""
    slices = [slice(first, min(first + _ROWS, number)) for first in range(0, number, _ROWS)]
    lanes = _lanes_of(device)

    def work_in_lane(rows: slice) -> None:
        lane = lanes.get()
        try:
            with cp.cuda.Device(device), lane.stream:
                lane.reserve(rows.stop - rows.start)
                work(rows, lane)
        finally:
            lanes.put(lane)

    pool = ThreadPoolExecutor(_NUM_LANES)
    try:
        for _ in pool.map(work_in_lane, slices):
            pass
    finally:  # after an error or Ctrl-C, slices that have not started are dropped
        pool.shutdown(cancel_futures=True)
