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
All columns have the same length. Matrices, such as the pheromone of ant colonies, are in `Result.matrices`. Frames
(`sudokulab.search.frames`) show the same values together with the grid.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sudokulab import _core
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CAPACITY", "Trace"]

CAPACITY = 4096
"""The largest number of rows of a trace."""


class Trace:
    """Records samples of a search; long runs keep evenly spaced samples.

    A trace that was not requested is false and ignores all samples. Samples with a grid also become the frames of
    people who watch the run; see `sudokulab.search.frames`.

    Parameters
    ----------
    is_on
        Whether the columns were requested.
    capacity
        The largest number of rows to keep.
    viewer, puzzle
        The viewer of the run, if there is one, and the puzzle.

    Examples
    --------
    >>> trace = Trace(capacity=4)
    >>> for step in range(9):
    ...     trace.record(iterations=step, cost=9 - step)
    >>> trace.columns()["iterations"]
    array([0., 4., 8.])
    """

    def __init__(
        self,
        *,
        is_on: bool = True,
        capacity: int = CAPACITY,
        viewer: _core.Viewer | None = None,
        puzzle: Puzzle | None = None,
    ) -> None:
        self.is_on = is_on
        """Whether to record columns."""
        self.viewer = viewer
        """Receives the frames; None if nobody watches."""
        self._shape = None if puzzle is None else (puzzle.size, puzzle.size)
        self._cells = b"" if puzzle is None else puzzle.cells
        self._start = time.perf_counter()
        self._capacity = capacity
        self._rows: list[dict[str, float]] = []
        self._last: dict[str, float] = {}
        self._num_recorded = 0
        self._stride = 1

    def __bool__(self) -> bool:
        return self.is_on or self.viewer is not None

    def record(self, *, grid: object = None, **values: float) -> None:
        """Record one sample: a number for each column and, for people who watch, the current grid.

        Parameters
        ----------
        grid
            A `Puzzle`, bytes, nested lists or an array of digits, 0 for a blank. Default: the same grid as before.
        values
            The columns. ``iterations`` or ``nodes`` is the number of the step.
        """
        if not self:
            return
        values = {name: float(value) for name, value in values.items()}
        if self._last and values.keys() != self._last.keys():
            raise ValueError(f"trace columns {', '.join(values)}, expected {', '.join(self._last)} as before")
        if self.viewer is not None:
            self._show(self.viewer, grid, values)
        if self.is_on:
            self._sample(values)
        self._num_recorded += 1
        self._last = values

    def _show(self, viewer: _core.Viewer, grid: object, values: dict[str, float]) -> None:
        if grid is not None:
            self._cells = self._checked_cells(grid)
        step = next((int(values[name]) for name in ("iterations", "nodes") if name in values), self._num_recorded)
        seconds = time.perf_counter() - self._start - viewer.seconds_waited
        viewer.offer(step, seconds, list(values), list(values.values()), self._cells)

    def _checked_cells(self, grid: object) -> bytes:
        import numpy as np

        if isinstance(grid, Puzzle | bytes):
            grid = np.frombuffer(grid if isinstance(grid, bytes) else grid.cells, np.uint8)
        cells = np.asarray(grid)
        if self._shape is None or cells.size != self._shape[0] ** 2 or cells.min() < 0 or cells.max() > self._shape[0]:
            raise ValueError(f"grid: expected an array of {self._shape} with digits of the puzzle")
        return cells.astype(np.uint8).tobytes()

    def _sample(self, values: dict[str, float]) -> None:
        if self._num_recorded % self._stride == 0:
            if len(self._rows) == self._capacity:
                del self._rows[1::2]
                self._stride *= 2
            if self._num_recorded % self._stride == 0:
                self._rows.append(values)

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return the samples as one array per column; the last sample is always included."""
        if not self.is_on:
            return {}
        import numpy as np

        rows = self._rows
        if rows and rows[-1] is not self._last:
            rows = [*rows[: self._capacity - 1], self._last]
        return {name: np.array([row[name] for row in rows], dtype=float) for name in self._last}
