"""Compile the kernels for a GPU, and launch them."""

from __future__ import annotations

from importlib.resources import files
from threading import Lock

import cupy as cp
import numpy as np

__all__ = ["MAX_ITEMS", "GpuEngine", "compiled", "engine_of"]

MAX_ITEMS = 1 << 22
"""Puzzles per launch: few enough that one ends soon, and that 32 bits count their bytes."""

_MAX_GUESSES = 4096  # per puzzle; a single search on one group of lanes is slower than on a core of the CPU
_MAX_CHUNK = 32  # puzzles that a warp takes at once
_CHUNKS_PER_WARP = 4  # enough that warps end together
_PUZZLES_PER_WARP = 3
_WARP = 32
_ENOUGH_BLOCKS = 6  # per multiprocessor; more are hardly faster
_SCORING_THREADS = 256


class GpuEngine:
    """The compiled kernels of one GPU, which must be the current device in all calls."""

    def __init__(self, number: int) -> None:
        search = compiled("engine.cu")
        self._solve, self._blank = search.get_function("solve_kernel"), search.get_function("blank_kernel")
        self._score = compiled("scoring.cu").get_function("score_kernel")
        layout = cp.ndarray(2, np.uint32, search.get_global("layout")).get()
        self._threads_per_block, self._stack_words_per_block = map(int, layout)
        self._num_processors = cp.cuda.Device(number).attributes["MultiProcessorCount"]

    def solve(self, puzzles: cp.ndarray, limit: int, solutions: cp.ndarray | None, counts: cp.ndarray) -> None:
        """Count the solutions of up to `MAX_ITEMS` puzzles, and write the first ones.

        `solutions` must be zero; it stays so where there is no solution. The count of a puzzle that is given up is
        2³² - 1.
        """
        output = np.uint64(0) if solutions is None else solutions
        self._launch(self._solve, len(puzzles), (puzzles,), (np.uint32(limit), np.uint32(_MAX_GUESSES), output, counts))

    def blank(self, grids: cp.ndarray, orders: cp.ndarray, puzzles: cp.ndarray) -> None:
        """Blank the cells of up to `MAX_ITEMS` full grids in these orders, as long as the solution stays unique."""
        self._launch(self._blank, len(grids), (grids, orders), (puzzles,))

    def _launch(
        self, kernel: cp.RawKernel, number: int, inputs: tuple[cp.ndarray, ...], others: tuple[object, ...]
    ) -> None:
        warps_per_block = self._threads_per_block // _WARP
        num_blocks = min(self._most_blocks(kernel), -(-number // (warps_per_block * _PUZZLES_PER_WARP)))
        chunk = number // (num_blocks * warps_per_block * _CHUNKS_PER_WARP)
        stacks = cp.empty(num_blocks * self._stack_words_per_block, np.uint32)
        num_taken = cp.zeros(1, np.uint32)
        own_chunk = np.uint32(max(1, min(chunk, _MAX_CHUNK)))
        arguments = (*inputs, np.uint32(number), *others, num_taken, own_chunk, stacks)
        kernel((num_blocks,), (self._threads_per_block,), arguments)

    def _most_blocks(self, kernel: cp.RawKernel) -> int:
        """Return how many blocks of a kernel fit on the GPU, within reason: each needs memory for its stacks."""
        fitting = cp.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor
        per_processor = min(fitting(kernel.kernel.ptr, self._threads_per_block, 0), _ENOUGH_BLOCKS)
        return int(per_processor * self._num_processors)

    def score(
        self,
        grids: cp.ndarray,
        puzzles: cp.ndarray,
        solutions: cp.ndarray | None,
        rows: cp.ndarray | None,
        box: tuple[int, int],
    ) -> tuple[cp.ndarray, cp.ndarray, cp.ndarray, cp.ndarray, cp.ndarray]:
        """Return the first five arrays of `sudokulab.learn.Scores`.

        `rows` are the indices of the puzzles; by default, grid i belongs to puzzle i.
        """
        number = len(grids)
        flags = [cp.empty(number, np.bool_) for _ in range(3)]
        numbers = [cp.empty(number, np.int32) for _ in range(2)]
        if number:
            pointers = [np.uint64(0) if array is None else array for array in (solutions, rows)]
            shape = (np.uint64(number), np.uint32(box[0]), np.uint32(box[1]))
            num_blocks = -(-number // _SCORING_THREADS)
            self._score((num_blocks,), (_SCORING_THREADS,), (grids, puzzles, *pointers, *shape, *flags, *numbers))
        return flags[0], flags[1], flags[2], numbers[0], numbers[1]


_ENGINES: dict[int, GpuEngine] = {}
_LOCK = Lock()


def engine_of(number: int) -> GpuEngine:
    """Return the engine of a GPU, compiled in its first call."""
    with _LOCK:
        if number not in _ENGINES:
            with cp.cuda.Device(number):
                _ENGINES[number] = GpuEngine(number)
        return _ENGINES[number]


def compiled(name: str) -> cp.RawModule:
    """Return the module of a source file of this package, compiled for the current device."""
    code = files("sudokulab.gpu").joinpath(name).read_text(encoding="utf-8")
    return cp.RawModule(code=code, options=("-std=c++17",))
