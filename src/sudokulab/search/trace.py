"""Traces: samples of a search over time.

Solvers of the package use the same column names:

===============  =======================================================================
``iterations``   steps of a metaheuristic so far
``nodes``        candidates tried by a tree search so far
``cost``         cost of the current state; 0 for a solution
``best_cost``    lowest cost so far
``evaluations``  states whose cost was computed so far, neighbours included
``moves``        changes of the state so far: swaps, new individuals or placed digits
``depth``        open decisions of a tree search
``cells_fixed``  cells that are given, deduced or decided
``seconds``      search time so far, in the unit of the budget
===============  =======================================================================

Metaheuristics record ``iterations``, ``cost``, ``best_cost``, ``evaluations`` and ``moves``; tree searches record
``nodes``, ``depth`` and ``cells_fixed``. A solver may add columns of its own, such as ``temperature`` or ``restarts``;
its docstring lists them. Rows are evenly spaced, with a further row for each fall of ``best_cost``.
All columns have the same length. Matrices, such as the pheromone of ant colonies, are in `Result.matrices`. Frames
(`sudokulab.search.frames`) show the same values together with the grid.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from sudokulab import _core
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CAPACITY", "Trace"]

CAPACITY = 4096
"""The largest number of evenly spaced rows of a trace."""


class Trace:
    """Records samples of a search; long runs keep evenly spaced samples, and each fall of ``best_cost``.

    A trace that was not requested is false and ignores all samples. Samples with a grid also become the frames of
    people who watch the run; see `sudokulab.search.frames`.

    Parameters
    ----------
    is_on
        Whether the columns were requested.
    capacity
        The largest number of evenly spaced rows to keep.
    viewer, puzzle
        The viewer of the run, if there is one, and the puzzle.
    is_cpu_time
        Whether the column ``seconds`` is the CPU time of this process, instead of wall time.

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
        is_cpu_time: bool = False,
    ) -> None:
        self.is_on = is_on
        """Whether to record columns."""
        self.viewer = viewer
        """Receives the frames; None if nobody watches."""
        self._shape = None if puzzle is None else (puzzle.size, puzzle.size)
        self._cells = b"" if puzzle is None else puzzle.cells
        self._clock = time.process_time if is_cpu_time else time.perf_counter
        self._start = self._clock()
        self._capacity = capacity
        self._rows: list[tuple[dict[str, float], bool]] = []  # and whether they are improvements, which are kept
        self._last: dict[str, float] = {}
        self._best_cost = math.inf
        self._num_even = 0
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
        seconds = self._clock() - self._start - (self.viewer.seconds_waited if self.viewer is not None else 0.0)
        row = {**values, "seconds": values.get("seconds", seconds)}
        if self._last and row.keys() != self._last.keys():
            names = [name for name in self._last if name != "seconds"]
            raise ValueError(f"trace columns {', '.join(values)}; use {', '.join(names)} as before")
        if self.viewer is not None:
            self._show(self.viewer, grid, values, seconds)
        if self.is_on:
            self._sample(row)
        self._num_recorded += 1
        self._last = row

    def _show(self, viewer: _core.Viewer, grid: object, values: dict[str, float], seconds: float) -> None:
        if grid is not None:
            self._cells = self._checked_cells(grid)
        step = next((int(values[name]) for name in ("iterations", "nodes") if name in values), self._num_recorded)
        viewer.offer(step, seconds, list(values), list(values.values()), self._cells)

    def _checked_cells(self, grid: object) -> bytes:
        import numpy as np

        if isinstance(grid, Puzzle | bytes):
            grid = np.frombuffer(grid if isinstance(grid, bytes) else grid.cells, np.uint8)
        cells = np.asarray(grid)
        if self._shape is None or cells.size != self._shape[0] ** 2 or cells.min() < 0 or cells.max() > self._shape[0]:
            raise ValueError(f"grid: pass an array of shape {self._shape} with digits of the puzzle")
        return cells.astype(np.uint8).tobytes()

    def _sample(self, row: dict[str, float]) -> None:
        if row.get("best_cost", math.inf) < self._best_cost:
            self._best_cost = row["best_cost"]
            self._rows.append((row, True))
        elif self._num_recorded % self._stride == 0:
            if self._num_even == self._capacity:
                self._halve()
            if self._num_recorded % self._stride == 0:
                self._rows.append((row, False))
                self._num_even += 1

    def _halve(self) -> None:
        """Drop every second one of the evenly spaced rows."""
        even = [row for row, is_improvement in self._rows if not is_improvement]
        dropped = set(map(id, even[1::2]))
        self._rows = [pair for pair in self._rows if id(pair[0]) not in dropped]
        self._num_even = len(even) - len(dropped)
        self._stride *= 2

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return the samples as one array per column; the last sample is always included."""
        if not self.is_on:
            return {}
        import numpy as np

        rows = [row for row, _ in self._rows]
        if rows and rows[-1] is not self._last:
            rows.append(self._last)
        return {name: np.array([row[name] for row in rows], dtype=float) for name in self._last}
