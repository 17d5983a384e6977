"""The clock of a run outside the core: its budget, Ctrl-C, and the order to stop."""

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
    """The time of one run, and whether it is over.

    Parameters
    ----------
    budget
        What the run may cost. Where its seconds are CPU time, that of this process is meant.
    stop
        Set by others to end the run earlier.
    """

    def __init__(self, budget: Budget, stop: Event | None = None) -> None:
        self._limit = float("inf") if budget.seconds is None else budget.seconds
        self._stop = stop or Event()
        self._is_halted = False
        self._start = time.perf_counter()
        self.cpu_seconds: Callable[[], float] | None = time.process_time if budget.is_cpu_time else None
        """What tells the CPU time used, if that is what is limited."""
        self._cpu_start = time.process_time()

    @property
    def seconds(self) -> float:
        """The time since the start."""
        return time.perf_counter() - self._start

    @property
    def seconds_left(self) -> float:
        """The time until the budget ends, infinite without one."""
        used = self.seconds if self.cpu_seconds is None else self.cpu_seconds() - self._cpu_start
        return max(0.0, self._limit - used)

    def count_cpu_of(self, cpu_seconds: Callable[[], float]) -> None:
        """Let the CPU time of another process count, if CPU time is what is limited."""
        if self.cpu_seconds is not None:
            self.cpu_seconds, self._cpu_start = cpu_seconds, 0.0

    @property
    def is_over(self) -> bool:
        """Whether to stop. With a CPU budget, a sleeping run ends by wall time."""
        is_asleep = self.cpu_seconds is not None and self.seconds > 2 * self._limit + 1
        return self._is_halted or self._stop.is_set() or is_asleep or self.seconds_left == 0

    def halt(self) -> None:
        """End the run."""
        self._is_halted = True

    def watch(
        self,
        work: Callable[[], T],
        halt: Callable[[], None],
        is_too_much: Callable[[], bool] = lambda: False,
        *,
        patience: float = float("inf"),
    ) -> T:
        """Run work in a thread of its own and return what comes of it.

        Python runs its signal handlers on the main thread between two of its own instructions, hence never during a
        long call into a library. Here the main thread is free. Work that is over, or too much, is told to halt until it
        does; after Ctrl-C it is told as well, and nobody waits for it.

        Raises
        ------
        TimeoutError
            If the work has not halted `patience` seconds after it was first told. It goes on in its thread, which the
            interpreter waits for when it exits.
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
