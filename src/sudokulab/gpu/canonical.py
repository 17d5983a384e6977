"""Canonical forms on a GPU."""

from __future__ import annotations

from functools import cache

import cupy as cp
import numpy as np

from sudokulab import _core
from sudokulab.errors import PuzzleError
from sudokulab.formats.arrays import PuzzleArray
from sudokulab.gpu.arrays import NUM_CELLS, as_digits, on_device
from sudokulab.gpu.devices import cuda_device_of, like
from sudokulab.gpu.kernels import MAX_ITEMS, compiled, engine_of
from sudokulab.gpu.solving import Fallback, array_of_nines, only_solutions
from sudokulab.puzzle import NINE, BoxLike, Digits

__all__ = ["canonical_forms"]

_THREADS = 128


def canonical_forms(
    puzzles: PuzzleArray | cp.ndarray, box: BoxLike | None, is_through_solution: bool, device: int, num_threads: int
) -> list[cp.ndarray]:
    """Return the arrays of `sudokulab.equivalence.CanonicalArrays` for 9×9 puzzles, computed on a GPU.

    Raises
    ------
    PuzzleError
        If a puzzle is not a solution grid or, through the solution, does not have exactly one solution.
    """
    if cuda_device_of(puzzles) is None:
        return _from_host(array_of_nines(puzzles, box), is_through_solution, device, num_threads)
    with on_device(puzzles, device):
        found = _on_device(as_digits(puzzles, box), is_through_solution, device, num_threads)
        cp.cuda.get_current_stream().synchronize()  # the puzzles may change after this call
        return [like(puzzles, array) for array in found]


def _from_host(puzzles: Digits, is_through_solution: bool, device: int, num_threads: int) -> list[cp.ndarray]:
    parts = []
    with cp.cuda.Device(device):
        for first in range(0, max(1, len(puzzles)), MAX_ITEMS):
            try:
                some = cp.asarray(puzzles[first : first + MAX_ITEMS])
                parts.append([array.get() for array in _on_device(some, is_through_solution, device, num_threads)])
            except PuzzleError as error:
                raise PuzzleError(f"among the puzzles from {first + 1} on: {error}" if first else str(error)) from None
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]


def _on_device(givens: cp.ndarray, is_through_solution: bool, device: int, num_threads: int) -> list[cp.ndarray]:
    if is_through_solution:
        return _forms(only_solutions(givens, device, Fallback(num_threads)), givens, device)
    is_valid = engine_of(device).score(givens, givens, None, None, NINE)[1]
    if not is_valid.all():
        raise PuzzleError(
            f"puzzle {int(is_valid.argmin()) + 1} is not a solution grid; on a GPU, others need through='solution'"
        )
    return _forms(givens, None, device)


def _forms(grids: cp.ndarray, puzzles: cp.ndarray | None, device: int) -> list[cp.ndarray]:
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
def _kernel_and_tables(device: int) -> tuple[cp.RawKernel, tuple[cp.ndarray, ...]]:
    triples, pairs, entries, orders = _core.second_rows()
    lines = (orders.astype(np.uint64) << (4 * np.arange(9, dtype=np.uint64))).sum(axis=1, dtype=np.uint64)
    tables = tuple(cp.asarray(table) for table in (triples, pairs, entries, lines))
    cp.cuda.get_current_stream().synchronize()  # other streams use them later
    return compiled("canonical.cu").get_function("canonical_kernel"), tables
