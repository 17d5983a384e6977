"""Solve puzzles and count solutions on a GPU.

The CPU finishes the puzzles that the GPU gives up: one long search would keep the whole GPU waiting.
"""

from __future__ import annotations

from dataclasses import dataclass

import cupy as cp
import numpy as np

from sudokulab import _core
from sudokulab.errors import PuzzleError, WrongAnswerError
from sudokulab.formats.arrays import PuzzleArray, array_and_box
from sudokulab.gpu.arrays import NUM_CELLS, as_digits, check_box, on_device
from sudokulab.gpu.devices import cuda_device_of, like
from sudokulab.gpu.kernels import MAX_ITEMS, engine_of
from sudokulab.gpu.transfers import Lane, in_lanes
from sudokulab.puzzle import NINE, BoxLike, Digits

__all__ = ["Fallback", "array_of_nines", "count", "only_solutions", "solve"]

_UNDECIDED = 2**32 - 1
_WRONG_GRID = "the GPU engine returned an invalid solution; this is a bug in the solver"


@dataclass(frozen=True)
class Fallback:
    """How the CPU finishes puzzles.

    Parameters
    ----------
    num_threads
        Number of threads.
    instructions
        The instruction set of the bulk engine.
    """

    num_threads: int
    instructions: str = "best"

    def finish(self, puzzles: Digits, limit: int, wants_grids: bool) -> tuple[Digits, cp.ndarray]:
        """Return the first solutions and the numbers of solutions."""
        solutions, counts, are_right = _core.solve_array(
            puzzles, *NINE, limit, wants_grids, self.num_threads, self.instructions
        )
        if not are_right:
            raise WrongAnswerError(_WRONG_GRID)
        return solutions, counts


def solve(puzzles: PuzzleArray | cp.ndarray, box: BoxLike | None, device: int, fallback: Fallback) -> cp.ndarray:
    """Return the solutions of 9×9 puzzles, where the puzzles are; zeros if there is none."""
    if cuda_device_of(puzzles) is None:
        return _search_from_host(array_of_nines(puzzles, box), 1, True, device, fallback)[0]
    with on_device(puzzles, device):
        return like(puzzles, _search(as_digits(puzzles, box), 1, True, device, fallback)[0])


def count(
    puzzles: PuzzleArray | cp.ndarray, limit: int, box: BoxLike | None, device: int, fallback: Fallback
) -> cp.ndarray:
    """Return the numbers of solutions of 9×9 puzzles, where the puzzles are."""
    if cuda_device_of(puzzles) is None:
        return _search_from_host(array_of_nines(puzzles, box), limit, False, device, fallback)[1]
    with on_device(puzzles, device):
        return like(puzzles, _search(as_digits(puzzles, box), limit, False, device, fallback)[1])


def only_solutions(puzzles: cp.ndarray, device: int, fallback: Fallback) -> cp.ndarray:
    """Return the solutions of puzzles in a CuPy array that have exactly one; raise PuzzleError for others."""
    solutions, counts = _search(puzzles, 2, True, device, fallback)
    is_other = counts != 1
    if is_other.any():
        index = int(is_other.argmax())
        found = "several solutions" if counts[index] else "no solution"
        raise PuzzleError(f"puzzle {index + 1} has {found}; use puzzles with exactly one")
    return solutions


def array_of_nines(puzzles: PuzzleArray, box: BoxLike | None) -> Digits:
    """Return 9×9 puzzles in host memory as an array; raise PuzzleError for other sizes."""
    array, shape = array_and_box(puzzles, box)
    check_box(shape)
    return array


def _search(
    puzzles: cp.ndarray, limit: int, wants_grids: bool, device: int, fallback: Fallback
) -> tuple[cp.ndarray, cp.ndarray]:
    """Return the first solutions, if wanted, and the numbers of solutions, up to the limit."""
    solutions, counts = _try(puzzles, limit, wants_grids, device)
    left = cp.flatnonzero(counts == _UNDECIDED)
    if left.size:
        found, numbers = fallback.finish(puzzles[left].get(), limit, wants_grids)
        counts[left] = cp.asarray(numbers)
        if wants_grids:
            solutions[left] = cp.asarray(found)
    return solutions, counts


def _search_from_host(
    puzzles: Digits, limit: int, wants_grids: bool, device: int, fallback: Fallback
) -> tuple[Digits, cp.ndarray]:
    """Do the same for puzzles in host memory. The fallback runs in this thread, where Ctrl-C can stop it."""
    solutions = np.empty((len(puzzles) if wants_grids else 0, NUM_CELLS), np.uint8)
    counts = np.empty(len(puzzles), np.uint32)

    def work(rows: slice, lane: Lane) -> None:
        (sent,) = lane.send(puzzles[rows])
        found, numbers = _try(sent, limit, wants_grids, device)
        if wants_grids:
            lane.receive(found, solutions[rows])
        lane.receive(numbers, counts[rows])

    in_lanes(len(puzzles), device, work)
    left = np.flatnonzero(counts == _UNDECIDED)
    if left.size:
        found, counts[left] = fallback.finish(puzzles[left], limit, wants_grids)
        if wants_grids:
            solutions[left] = found
    return solutions, counts


def _try(puzzles: cp.ndarray, limit: int, wants_grids: bool, device: int) -> tuple[cp.ndarray, cp.ndarray]:
    """Search on the GPU, and check the solutions. Puzzles that are given up have `_UNDECIDED` solutions."""
    solutions = cp.zeros(puzzles.shape, np.uint8) if wants_grids else None
    counts = cp.zeros(len(puzzles), np.uint32)
    engine = engine_of(device)
    for first in range(0, len(puzzles) if limit else 0, MAX_ITEMS):
        rows = slice(first, first + MAX_ITEMS)
        engine.solve(puzzles[rows], limit, None if solutions is None else solutions[rows], counts[rows])
        cp.cuda.get_current_stream().synchronize()  # a chance for Ctrl-C
    if solutions is not None:
        _, is_valid, keeps_givens, _, _ = engine.score(solutions, puzzles, None, None, NINE)
        if not (is_valid & keeps_givens | (counts == 0) | (counts == _UNDECIDED)).all():
            raise WrongAnswerError(_WRONG_GRID)
    return solutions, counts
