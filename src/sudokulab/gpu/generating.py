"""Generate minimal puzzles on a GPU."""

from __future__ import annotations

from threading import Lock

import cupy as cp
import numpy as np

from sudokulab import _core
from sudokulab._internal.progress import progress_bar
from sudokulab.gpu.arrays import NUM_CELLS
from sudokulab.gpu.kernels import engine_of
from sudokulab.gpu.transfers import Lane, in_lanes

__all__ = ["generate_minimal"]


def generate_minimal(
    device: int, seed: int, first: int, count: int, num_threads: int, *, progress: bool = False
) -> tuple[cp.ndarray, cp.ndarray]:
    """Return minimal 9×9 puzzles and their solutions, the same as on the CPU.

    The CPU draws full grids and orders of their cells. The GPU visits the cells in that order, and blanks each one
    unless the puzzle would have another solution.
    """
    num_done = 0
    drawing, counting = Lock(), Lock()
    with cp.cuda.Device(device), progress_bar("generating", count, is_shown=progress) as update:
        puzzles, solutions = (cp.empty((count, NUM_CELLS), np.uint8) for _ in range(2))
        cp.cuda.get_current_stream().synchronize()  # the lanes have streams of their own

        def work(rows: slice, lane: Lane) -> None:
            nonlocal num_done
            number = rows.stop - rows.start
            with drawing:  # one slice at a time uses all threads
                starts = _core.blanking_starts(seed, first + rows.start, number, num_threads)
            grids, orders = lane.send(*starts)
            engine_of(device).blank(grids, orders, puzzles[rows])
            solutions[rows] = grids
            lane.stream.synchronize()
            with counting:
                num_done += number
                update(num_done)

        in_lanes(count, device, work)
    return puzzles, solutions
