"""Solve puzzles and count solutions on a GPU."""

from __future__ import annotations

from typing import Any

import cupy as cp
import numpy as np

from sudokulab import _core
from sudokulab.errors import WrongAnswerError
from sudokulab.formats.arrays import PuzzleArray, array_and_box
from sudokulab.gpu.arrays import NUM_CELLS, as_digits, check_box
from sudokulab.gpu.devices import cuda_device_of, like
from sudokulab.gpu.kernels import MAX_ITEMS, engine_of
from sudokulab.gpu.transfers import Lane, in_lanes
from sudokulab.puzzle import NINE, BoxLike, Digits

__all__ = ["count", "solve"]

_UNDECIDED = 2**32 - 1
_WRONG_GRID = "the GPU engine returned an invalid solution; this is a bug in the solver"


def solve(puzzles: Any, box: BoxLike | None, device: int, num_threads: int) -> Any:
    """Return the solutions of 9×9 puzzles, where the puzzles are; zeros if there is none."""
    with cp.cuda.Device(device):
        if cuda_device_of(puzzles) is not None:
            return like(puzzles, _solutions(as_digits(puzzles, box), device, num_threads))
        array = _nines(puzzles, box)
        solutions = np.empty((len(array), NUM_CELLS), np.uint8)

        def work(rows: slice, lane: Lane) -> None:
            (sent,) = lane.send(array[rows])
            lane.receive(_solutions(sent, device, num_threads), solutions[rows])

        in_lanes(len(array), device, work)
    return solutions


def count(puzzles: Any, limit: int, box: BoxLike | None, device: int, num_threads: int) -> Any:
    """Return the numbers of solutions of 9×9 puzzles, where the puzzles are."""
    with cp.cuda.Device(device):
        if cuda_device_of(puzzles) is not None:
            return like(puzzles, _counts(as_digits(puzzles, box), limit, device, num_threads))
        array = _nines(puzzles, box)
        counts = np.empty(len(array), np.uint32)

        def work(rows: slice, lane: Lane) -> None:
            (sent,) = lane.send(array[rows])
            lane.receive(_counts(sent, limit, device, num_threads), counts[rows])

        in_lanes(len(array), device, work)
    return counts


def _nines(puzzles: PuzzleArray, box: BoxLike | None) -> Digits:
    array, shape = array_and_box(puzzles, box)
    check_box(shape)
    return array


def _solutions(puzzles: Any, device: int, num_threads: int) -> Any:
    solutions = cp.zeros(puzzles.shape, np.uint8)
    counts = cp.empty(len(puzzles), np.uint32)
    _search(puzzles, 1, solutions, counts, device, num_threads)
    _, is_valid, keeps_givens, _, _ = engine_of(device).score(solutions, puzzles, None, None, NINE)
    if not (is_valid & keeps_givens | (counts == 0)).all():
        raise WrongAnswerError(_WRONG_GRID)
    return solutions


def _counts(puzzles: Any, limit: int, device: int, num_threads: int) -> Any:
    counts = cp.zeros(len(puzzles), np.uint32)
    if limit:
        _search(puzzles, limit, None, counts, device, num_threads)
    return counts


def _search(puzzles: Any, limit: int, solutions: Any | None, counts: Any, device: int, num_threads: int) -> None:
    """Search on the GPU. The CPU completes what was given up: one long search would keep the GPU waiting."""
    for first in range(0, len(puzzles), MAX_ITEMS):
        rows = slice(first, first + MAX_ITEMS)
        own = None if solutions is None else solutions[rows]
        engine_of(device).solve(puzzles[rows], limit, own, counts[rows])
    left = cp.flatnonzero(counts == _UNDECIDED)
    if not left.size:
        return
    found, numbers, _ = _core.solve_array(puzzles[left].get(), *NINE, limit, solutions is not None, num_threads, "best")
    counts[left] = cp.asarray(numbers)
    if solutions is not None:
        solutions[left] = cp.asarray(found)
