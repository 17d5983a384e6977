"""The clock of a run outside the core: its budget, Ctrl-C and stop requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

from sudokulab.budget import Budget

__all__ = ["Clock"]

T = TypeVar("T")

_LISTENING_SECONDS = 0.02


class Clock:
    """The elapsed time of a run, and whether the run must stop.

    Parameters
    ----------
    budget
        The budget of the run. If its seconds are CPU time, the CPU time of this process counts.
    stop
        Event that ends the run early.
    """

    def __init__(self, budget: Budget, stop: Event | None = None) -> None:
        self._limit = float("inf") if budget.seconds is None else budget.seconds
        self._stop = stop or Event()
        self._is_halted = False
        self._start = time.perf_counter()
        self.cpu_seconds: Callable[[], float] | None = time.process_time if budget.is_cpu_time else None
        """Function that returns the CPU time used; None if the budget limits wall time."""
        self._cpu_start = time.process_time()

    @property
    def seconds(self) -> float:
        """The wall time since the start."""
        return time.perf_counter() - self._start

    @property
    def seconds_left(self) -> float:
        """The time left in the budget; infinite without a limit."""
        used = self.seconds if self.cpu_seconds is None else self.cpu_seconds() - self._cpu_start
        return max(0.0, self._limit - used)

    def count_cpu_of(self, cpu_seconds: Callable[[], float]) -> None:
        """Measure the CPU time of another process, if CPU time is limited."""
        if self.cpu_seconds is not None:
            self.cpu_seconds, self._cpu_start = cpu_seconds, 0.0

    @property
    def is_over(self) -> bool:
        """Whether the run must stop. A run that sleeps under a CPU budget ends by wall time."""
        is_asleep = self.cpu_seconds is not None and self.seconds > 2 * self._limit + 1
        return self._is_halted or self._stop.is_set() or is_asleep or self.seconds_left == 0

    def halt(self) -> None:
        """Request the end of the run."""
        self._is_halted = True

    def watch(
        self,
        work: Callable[[], T],
        halt: Callable[[], None],
        is_too_much: Callable[[], bool] = lambda: False,
        *,
        patience: float = float("inf"),
    ) -> T:
        """Run work in a separate thread and return its result.

        Python runs signal handlers on the main thread, between bytecode instructions, so never during a long call into
        a library. Here the main thread stays free. When the run is over, or `is_too_much` returns true, `halt` is
        called repeatedly until the work ends. Ctrl-C also calls `halt`, but does not wait for the work to end.

        Raises
        ------
        TimeoutError
            If the work is still running `patience` seconds after the first call of `halt`. It continues in its thread,
            which the interpreter joins at exit.
        """
        pool = ThreadPoolExecutor(1)
        future = pool.submit(work)
        told_at: float | None = None
        try:
            while not wait([future], _LISTENING_SECONDS).done:
                if self.is_over or is_too_much():
                    halt()
                    told_at = self.seconds if told_at is None else told_at
                    if self.seconds - told_at > patience:
                        raise TimeoutError("the work does not halt")
            return future.result()
        except BaseException:
            self.halt()
            halt()
            raise
        finally:
            pool.shutdown(wait=False)
