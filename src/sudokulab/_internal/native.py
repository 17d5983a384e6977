"""Conversions between Python and the native core."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

from sudokulab import _core
from sudokulab._internal.arguments import is_integer
from sudokulab._internal.machine import num_cores
from sudokulab.errors import ParameterError
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import MAX_COUNT, UNLIMITED, Budget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "INSTRUCTIONS",
    "MAX_THREADS",
    "candidate_array",
    "candidate_masks",
    "checked_instructions",
    "checked_limit",
    "checked_range",
    "checked_seed",
    "checked_shape",
    "checked_threads",
    "native_budget",
    "native_puzzle",
]

INSTRUCTIONS: tuple[str, ...] = tuple(_core.instructions())
"""The instruction sets that the 9×9 engine can use on this machine, best last.

The environment variable ``SUDOKULAB_INSTRUCTIONS`` selects the set for the whole package. Default: ``best``.
"""

MAX_THREADS = 1024
_MAX_INDEX = 2**64 - 1
_UNLIMITED = _core.Budget()


def native_puzzle(puzzle: Puzzle) -> _core.Puzzle:
    """Convert a puzzle to its native form."""
    return _core.Puzzle(puzzle.box.rows, puzzle.box.cols, puzzle.cells)


def native_budget(budget: Budget | None) -> _core.Budget:
    """Convert a budget to its native form."""
    if budget is None or budget is UNLIMITED:
        return _UNLIMITED
    return _core.Budget(budget.seconds, budget.iterations, budget.nodes, budget.is_cpu_time)


def checked_seed(seed: int) -> int:
    """Return the seed, or raise ParameterError if it is out of range."""
    if not is_integer(seed) or not 0 <= seed <= _MAX_INDEX:
        raise ParameterError(f"seed: {seed!r}; choose an integer from 0 to 2**64 - 1")
    return int(seed)


def checked_limit(limit: int | None) -> int:
    """Return the number of solutions to count to, by default as many as the core can count."""
    if limit is not None and (not is_integer(limit) or limit < 0):
        raise ParameterError(f"limit: {limit!r}; choose an integer of at least 0")
    return MAX_COUNT if limit is None else min(int(limit), MAX_COUNT)


def checked_range(first: int, count: int) -> tuple[int, int]:
    """Return the first index and the number of items, or raise ParameterError if they are out of range."""
    for name, number in (("first", first), ("count", count)):
        if not is_integer(number) or not 0 <= number <= _MAX_INDEX:
            raise ParameterError(f"{name}: {number!r}; choose an integer from 0 to 2**64 - 1")
    first, count = int(first), int(count)  # the sum of numpy's integers may overflow
    if first + count > 2**64:
        raise ParameterError(f"first + count: {first + count}; choose at most 2**64")
    return first, count


def checked_shape(count: int, num_cells: int) -> tuple[int, int]:
    """Return the shape of an array of grids, or raise ParameterError if no machine can address it."""
    if count * num_cells > sys.maxsize:
        raise ParameterError(f"count: {count}; choose at most {sys.maxsize // num_cells} grids of {num_cells} cells")
    return count, num_cells


def checked_threads(threads: int | None) -> int:
    """Return the number of threads, by default one per core; raise ParameterError if it is out of range."""
    if threads is not None and (not is_integer(threads) or not 1 <= threads <= MAX_THREADS):
        raise ParameterError(f"threads: {threads!r}; choose an integer from 1 to {MAX_THREADS}")
    return threads or num_cores()


def checked_instructions(name: str, setting: str = "instructions") -> str:
    """Return the name of an instruction set, or raise ParameterError if this machine does not have it.

    The core calls this function when it cannot use the value of ``SUDOKULAB_INSTRUCTIONS``.
    """
    known = ("best", *INSTRUCTIONS)
    if name not in known:
        raise ParameterError(f"{setting}: {name!r}; choose one of {', '.join(known)} on this machine")
    return name


def candidate_array(masks: list[int] | NDArray[np.uint64], size: int) -> NDArray[np.bool_]:
    """Convert the core's bit sets, one per cell, to shape (size, size, size), indexed by ``[row, col, digit - 1]``."""
    import numpy as np

    bits = np.array(masks, dtype=np.uint64)[:, np.newaxis] >> np.arange(size, dtype=np.uint64) & np.uint64(1)
    return bits.astype(np.bool_).reshape(size, size, size)


def candidate_masks(candidates: NDArray[np.bool_]) -> list[int]:
    """Convert an array as returned by `candidate_array` to one bit set per cell."""
    size = len(candidates)
    masks: list[int] = candidates.reshape(size**2, size).dot(_powers(size)).tolist()
    return masks


@cache
def _powers(size: int) -> NDArray[np.uint64]:
    import numpy as np

    return np.uint64(1) << np.arange(size, dtype=np.uint64)
