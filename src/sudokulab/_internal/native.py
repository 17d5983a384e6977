"""Conversions between Python and the native core."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

from sudokulab import _core
from sudokulab._internal.lazy_numpy import np
from sudokulab._internal.machine import num_cores
from sudokulab.budget import MAX_COUNT, UNLIMITED, Budget
from sudokulab.errors import ParameterError
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "MAX_THREADS",
    "candidate_array",
    "checked_limit",
    "checked_range",
    "checked_seed",
    "checked_threads",
    "native_budget",
    "native_puzzle",
]

MAX_THREADS = 1024
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
    if not _is_integer(seed) or not 0 <= seed < 2**64:
        raise ParameterError(f"seed: {seed!r}, expected an integer from 0 to 2**64 - 1")
    return int(seed)


def checked_limit(limit: int | None) -> int:
    """Return the number of solutions to count to, by default as many as the core can count."""
    if limit is not None and (not _is_integer(limit) or limit < 0):
        raise ParameterError(f"limit: {limit!r}, expected an integer at least 0")
    return MAX_COUNT if limit is None else min(int(limit), MAX_COUNT)


def checked_range(first: int, count: int) -> tuple[int, int]:
    """Return the first index and the number of items, or raise ParameterError if they are out of range."""
    for name, number in (("first", first), ("count", count)):
        if not _is_integer(number) or number < 0:
            raise ParameterError(f"{name}: {number!r}, expected an integer at least 0")
    if first + count > 2**64:
        raise ParameterError(f"first + count: {first + count}, expected at most 2**64")
    return int(first), int(count)


def checked_threads(threads: int | None) -> int:
    """Return the number of threads, by default one per core; raise ParameterError if it is out of range."""
    if threads is not None and (not _is_integer(threads) or not 1 <= threads <= MAX_THREADS):
        raise ParameterError(f"threads: {threads!r}, expected an integer from 1 to {MAX_THREADS}")
    return threads or num_cores()


def _is_integer(value: object) -> bool:
    return type(value) is int or isinstance(value, Integral)  # the first is far faster


def candidate_array(masks: list[int] | NDArray[np.uint64], size: int) -> NDArray[np.bool_]:
    """Convert the core's bit sets, one per cell, to shape (size, size, size), indexed by ``[row, col, digit - 1]``."""
    bits = np.array(masks, dtype=np.uint64)[:, np.newaxis] >> np.arange(size, dtype=np.uint64) & np.uint64(1)
    return bits.astype(np.bool_).reshape(size, size, size)
