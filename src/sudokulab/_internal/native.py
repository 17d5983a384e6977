"""The border to the native core, seen from Python."""

from __future__ import annotations

import os
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab.budget import Budget
from sudokulab.errors import ParameterError
from sudokulab.puzzle import Puzzle

__all__ = ["MAX_THREADS", "candidate_array", "checked_seed", "checked_threads", "native_budget", "native_puzzle"]

MAX_THREADS = 1024


def native_puzzle(puzzle: Puzzle) -> _core.Puzzle:
    """Return the puzzle as the core sees it."""
    return _core.Puzzle(puzzle.box.rows, puzzle.box.cols, puzzle.cells)


def native_budget(budget: Budget | None) -> _core.Budget:
    """Return the budget as the core sees it."""
    if budget is None:
        return _core.Budget()
    return _core.Budget(budget.seconds, budget.iterations, budget.nodes, budget.is_cpu_time)


def checked_seed(seed: int) -> int:
    """Return the seed if it is one."""
    if not isinstance(seed, Integral) or not 0 <= seed < 2**64:
        raise ParameterError(f"seed: {seed!r}, expected an integer from 0 to 2**64 - 1")
    return int(seed)


def checked_threads(threads: int | None) -> int:
    """Return the number of threads, one for each core if none is given."""
    if threads is not None and (not isinstance(threads, Integral) or not 1 <= threads <= MAX_THREADS):
        raise ParameterError(f"threads: {threads!r}, expected an integer from 1 to {MAX_THREADS}")
    return threads or os.cpu_count() or 1


def candidate_array(masks: list[int], size: int) -> NDArray[np.bool_]:
    """Return the core's bit sets, one for each cell, as size × size × size, ``[row, col, digit - 1]``."""
    bits = np.array(masks, dtype=np.uint64)[:, np.newaxis] >> np.arange(size, dtype=np.uint64) & np.uint64(1)
    return bits.astype(np.bool_).reshape(size, size, size)
