"""Traces: samples of a search over time.

Solvers of the package use the same column names:

===============  =======================================================================
``iterations``   steps of a metaheuristic so far
``nodes``        candidates tried by a tree search so far
``cost``         cost of the current state; 0 for a solution
``best_cost``    lowest cost so far
``depth``        open decisions of a tree search
``cells_fixed``  cells that are given, deduced or decided
===============  =======================================================================

Metaheuristics record ``iterations``, ``cost`` and ``best_cost``; tree searches record ``nodes``, ``depth`` and
``cells_fixed``. A solver may add columns of its own, such as ``temperature`` or ``restarts``; its docstring lists them.
All columns have the same length. Matrices, such as the pheromone of ant colonies, are in `Result.matrices`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["CAPACITY", "Trace"]

CAPACITY = 4096
"""The largest number of rows of a trace."""


class Trace:
    """Records samples of a search; long runs keep evenly spaced samples.

    A trace that was not requested is false and ignores all samples.

    Parameters
    ----------
    is_on
        Whether the trace was requested.
    capacity
        The largest number of rows to keep.

    Examples
    --------
    >>> trace = Trace(capacity=4)
    >>> for step in range(9):
    ...     trace.record(iterations=step, cost=9 - step)
    >>> trace.columns()["iterations"]
    array([0., 4., 8.])
    """

    def __init__(self, *, is_on: bool = True, capacity: int = CAPACITY) -> None:
        self._is_on = is_on
        self._capacity = capacity
        self._rows: list[dict[str, float]] = []
        self._last: dict[str, float] = {}
        self._num_recorded = 0
        self._stride = 1

    def __bool__(self) -> bool:
        return self._is_on

    def record(self, **values: float) -> None:
        """Record one sample: a number for each column."""
        if not self._is_on:
            return
        values = {name: float(value) for name, value in values.items()}
        if self._last and values.keys() != self._last.keys():
            raise ValueError(f"trace columns {', '.join(values)}, expected {', '.join(self._last)} as before")
        if self._num_recorded % self._stride == 0:
            if len(self._rows) == self._capacity:
                del self._rows[1::2]
                self._stride *= 2
            if self._num_recorded % self._stride == 0:
                self._rows.append(values)
        self._num_recorded += 1
        self._last = values

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return the samples as one array per column; the last sample is always included."""
        rows = self._rows
        if rows and rows[-1] is not self._last:
            rows = [*rows[: self._capacity - 1], self._last]
        return {name: np.array([row[name] for row in rows], dtype=float) for name in self._last}
