"""Canonical forms on a GPU."""

from __future__ import annotations

from functools import cache
from typing import Any

import cupy as cp
import numpy as np

from sudokulab import _core
from sudokulab.errors import PuzzleError
from sudokulab.gpu.arrays import NUM_CELLS, as_digits, on_device
from sudokulab.gpu.devices import like
from sudokulab.gpu.kernels import compiled, engine_of
from sudokulab.gpu.solving import Fallback, only_solutions
from sudokulab.puzzle import NINE, BoxLike

__all__ = ["canonical_forms"]

_THREADS = 128


def canonical_forms(
    puzzles: Any, box: BoxLike | None, is_through_solution: bool, device: int, num_threads: int
) -> list[Any]:
    """Return the arrays of `sudokulab.CanonicalArrays` for 9×9 puzzles on a GPU.

    Raises
    ------
    PuzzleError
        If a puzzle is not a solution grid or, through the solution, does not have exactly one solution.
    """
    with on_device(puzzles, device):
        givens = as_digits(puzzles, box)
        if is_through_solution:
            found = _forms(only_solutions(givens, device, Fallback(num_threads)), givens, device)
        else:
            is_valid = engine_of(device).score(givens, givens, None, None, NINE)[1]
            if not is_valid.all():
                raise PuzzleError(
                    f"puzzle {int(is_valid.argmin()) + 1} is not a solution grid; on a GPU, other puzzles need "
                    "through='solution'"
                )
            found = _forms(givens, None, device)
        cp.cuda.get_current_stream().synchronize()  # the puzzles may change after this call
        return [like(puzzles, array) for array in found]


def _forms(grids: Any, puzzles: Any | None, device: int) -> list[Any]:
    kernel, tables = _kernel_and_tables(device)
    number = len(grids)
    found = [
        cp.empty((number, NUM_CELLS), np.uint8),  # forms
        cp.empty(number, np.bool_),  # is_transposed
        *(cp.empty((number, 9), np.uint8) for _ in range(3)),  # rows, cols, digits
        cp.empty(number, np.uint32),  # num_automorphisms
        cp.empty(number, np.uint64),  # hashes
    ]
    if number:
        inputs = (grids, np.uint64(0) if puzzles is None else puzzles, np.uint64(number), *tables)
        kernel((-(-number // _THREADS),), (_THREADS,), (*inputs, *found))
    return found


@cache
def _kernel_and_tables(device: int) -> tuple[Any, tuple[Any, ...]]:
    triples, pairs, entries, orders = _core.second_rows()
    lines = (orders.astype(np.uint64) << (4 * np.arange(9, dtype=np.uint64))).sum(axis=1, dtype=np.uint64)
    tables = tuple(cp.asarray(table) for table in (triples, pairs, entries, lines))
    cp.cuda.get_current_stream().synchronize()  # other streams use them later
    return compiled("canonical.cu").get_function("canonical_kernel"), tables
