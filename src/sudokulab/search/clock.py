"""The clock of a solver written in Python: it counts steps and checks the budget."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextvars import ContextVar
from threading import Event
from typing import TypeVar

from sudokulab import _core
from sudokulab.errors import ParameterError
from sudokulab.search.budget import Budget

__all__ = ["LISTENING_SECONDS", "VIEWER", "Clock"]

VIEWER: ContextVar[_core.Viewer | None] = ContextVar("VIEWER", default=None)
"""The viewer of the run in this thread. It may keep the run waiting, and can stop it."""

T = TypeVar("T")

LISTENING_SECONDS = 0.02
"""The longest wait for another thread: Ctrl-C does not end a wait that begins just after it."""


class Clock:
    """Counts the steps and the time of a run, and says when its budget is used up.

    Parameters
    ----------
    budget
        The limits of the run. CPU time is that of this process.
    stop
        An event that ends the run early when another thread sets it.

    Examples
    --------
    >>> clock = Clock(Budget(iterations=3))
    >>> while clock.step():
    ...     pass
    >>> clock.steps
    3
    """

    def __init__(self, budget: Budget, stop: Event | None = None) -> None:
        if not isinstance(budget, Budget):
            raise ParameterError(f"budget: {budget!r}; pass a Budget such as Budget(seconds=5)")
        self.steps = 0
        """The number of steps so far."""
        self._max_steps = min(math.inf if limit is None else limit for limit in (budget.iterations, budget.nodes))
        self._limit = math.inf if budget.seconds is None else budget.seconds
        self._stop = stop or Event()
        self._is_halted = False
        self._viewer = VIEWER.get()
        self._start = time.perf_counter() - self._seconds_waited
        self.cpu_seconds: Callable[[], float] | None = time.process_time if budget.is_cpu_time else None
        """Measures the CPU time used, if the budget limits CPU time."""
        self._cpu_start = time.process_time()

    def step(self) -> bool:
        """Begin the next step, and count it; return False if the budget is used up.

        Raises
        ------
        CancelledError
            If the run has been cancelled.
        """
        _core.raise_if_cancelled()
        if self.steps >= self._max_steps or self.is_over:
            return False
        self.steps += 1
        return True

    @property
    def seconds(self) -> float:
        """The wall time since the start, without pauses."""
        return time.perf_counter() - self._start - self._seconds_waited

    @property
    def _seconds_waited(self) -> float:
        return 0.0 if self._viewer is None else self._viewer.seconds_waited

    @property
    def seconds_left(self) -> float:
        """The time until the budget ends; infinite without a limit."""
        used = self.seconds if self.cpu_seconds is None else self.cpu_seconds() - self._cpu_start
        return max(0.0, self._limit - used)

    def count_cpu_of(self, cpu_seconds: Callable[[], float]) -> None:
        """Measure the CPU time of another process instead, if the budget limits CPU time."""
        if self.cpu_seconds is not None:
            self.cpu_seconds, self._cpu_start = cpu_seconds, 0.0

    @property
    def is_over(self) -> bool:
        """Whether the time is up or the run was halted."""
        is_stopped = self._stop.is_set() or (self._viewer is not None and self._viewer.is_stopped)
        return self._is_halted or is_stopped or self.seconds_left == 0

    def halt(self) -> None:
        """Request the end of the run."""
        self._is_halted = True

    def watch(
        self,
        work: Callable[[], T],
        halt: Callable[[], None],
        is_too_much: Callable[[], bool] = lambda: False,
        *,
        patience: float = math.inf,
    ) -> T:
        """Run work in another thread and return its result.

        Python runs signal handlers only on the main thread and only between bytecodes, so a long call into a library
        would block Ctrl-C. Here the main thread stays responsive. When the time is up, or `is_too_much` returns true,
        `halt` is called until the work ends. After Ctrl-C it is called once, and the work is abandoned.

        Raises
        ------
        TimeoutError
            If the work has not ended `patience` seconds after the first call of `halt`. Its thread keeps running, and
            the interpreter waits for it at exit.
        """
        from concurrent.futures import ThreadPoolExecutor, wait  # native solvers do without

        pool = ThreadPoolExecutor(1)
        told_at: float | None = None
        try:
            future = pool.submit(work)
            while not wait([future], LISTENING_SECONDS).done:
                _core.raise_if_cancelled()
                if self.is_over or is_too_much():
                    halt()
                    told_at = self.seconds if told_at is None else told_at
                    if self.seconds - told_at > patience:
                        raise TimeoutError("the work did not halt")
            return future.result()
        except BaseException:
            self.halt()
            halt()
            raise
        finally:
            pool.shutdown(wait=False)
