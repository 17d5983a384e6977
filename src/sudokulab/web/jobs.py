"""Threads that answer requests, so that the event loop never waits for a search.

Questions have separate threads by how long they can take (see `Lane`): long ones never delay short ones. Each lane has
a bounded queue. If the queue is full, clients are told to try again later.

A job ends early if its client disconnects or the server stops. A job that has not started is dropped. In one that has
started, searches of the core raise CancelledError, and long work in Python ends at the next `Deadline.check`;
solvers outside the core end at their time limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import Enum
from http import HTTPStatus
from typing import TypeVar

from fastapi import Request

from sudokulab.errors import BudgetError
from sudokulab.search import Cancellation
from sudokulab.web.problems import ProblemError
from sudokulab.web.settings import Limits

__all__ = ["Deadline", "Job", "Jobs", "Lane", "lower_priority"]

T = TypeVar("T")

_PATIENCE = 0.05  # seconds after which we start to watch for a client that has gone
_SLOW_NICENESS = 5

Job = Cancellation
"""Work on a request. Its searches stop when it is cancelled; long work in Python checks its `Deadline`."""


class Lane(Enum):
    """A kind of question. Each has its own threads and queue."""

    QUICK = "quick"
    """Takes milliseconds."""
    SHORT = "short"
    """Takes a second at most."""
    SLOW = "slow"
    """Takes up to the time limit of the request."""
    READING = "reading"
    """Reads links and long texts. One thread, because reading needs the interpreter, which the event loop shares."""
    DRAWING = "drawing"
    """Draws with matplotlib. It has only one thread, for the same reason, and because matplotlib has global state."""


class Deadline:
    """The end of a job: its time limit, or its cancellation if that comes first."""

    def __init__(self, job: Job, seconds: float) -> None:
        self._job = job
        self._end = time.monotonic() + seconds

    @property
    def seconds_left(self) -> float:
        """The time until the limit, at least 0."""
        return max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raise an error if the job must end.

        Raises
        ------
        BudgetError
            If the time is up, or the job has been cancelled.
        """
        if self._job.is_cancelled or self.seconds_left == 0:
            raise BudgetError("the time ran out")


class _Threads:
    """The threads of a lane, and its queue."""

    def __init__(self, lane: Lane, num_threads: int, max_waiting: int, retry_seconds: int, niceness: int = 0) -> None:
        self.pool = ThreadPoolExecutor(num_threads, f"sudokulab-{lane.value}", lower_priority, (niceness,))
        self.max_jobs = num_threads + max_waiting
        self.retry_seconds = retry_seconds
        self.num_jobs = 0

    def enter(self) -> None:
        if self.num_jobs >= self.max_jobs:
            raise ProblemError(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "the server is busy with other requests; try again in a few seconds",
                {"Retry-After": str(self.retry_seconds)},
            )
        self.num_jobs += 1


class Jobs:
    """The threads of a server and the jobs they work on. All methods are called from the event loop."""

    def __init__(self, limits: Limits) -> None:
        threads = (
            _Threads(Lane.QUICK, limits.quick_threads, limits.quick_queue, 1),
            _Threads(Lane.SHORT, limits.short_threads, limits.short_queue, 1),
            _Threads(Lane.SLOW, limits.slow_threads, limits.slow_queue, 5, _SLOW_NICENESS),
            _Threads(Lane.READING, 1, limits.reading_queue, 5, _SLOW_NICENESS),
            _Threads(Lane.DRAWING, 1, limits.drawing_queue, 5, _SLOW_NICENESS),
        )
        self._threads = dict(zip(Lane, threads, strict=True))
        self._open: set[Job] = set()
        self._watchers: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def run(self, request: Request | None, work: Callable[[Job], T], lane: Lane = Lane.SLOW) -> T:
        """Do some work in a thread; cancel it if the client of the request disconnects.

        Raises
        ------
        ProblemError
            If too many jobs are waiting, or the server is stopping.
        """
        if self._is_closed:
            raise _stopping()
        threads = self._threads[lane]
        threads.enter()
        job = Job()
        self._open.add(job)

        def cancellable_work() -> T:
            with job:
                return work(job)

        try:
            future = threads.pool.submit(cancellable_work)
            future.add_done_callback(self._left(threads, asyncio.get_running_loop()))
            return await self._answer(request, job, future)
        finally:
            self._open.discard(job)

    @staticmethod
    def _left(threads: _Threads, loop: asyncio.AbstractEventLoop) -> Callable[[object], None]:
        """Return what frees the place of a job when its thread is done, even after its client has gone."""

        def leave() -> None:
            threads.num_jobs -= 1

        def on_done(future: object) -> None:
            with contextlib.suppress(RuntimeError):  # the event loop has been closed
                loop.call_soon_threadsafe(leave)

        return on_done

    async def _answer(self, request: Request | None, job: Job, future: Future[T]) -> T:
        answer = asyncio.wrap_future(future)
        gone: asyncio.Task[None] | None = None
        try:
            await asyncio.wait({answer}, timeout=_PATIENCE if request else None)
            if request and not answer.done():
                gone = asyncio.create_task(_disconnected(request))
                self._watchers.add(gone)
                waiting: set[asyncio.Future[T] | asyncio.Future[None]] = {answer, gone}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if answer.done() and not job.is_cancelled:
                return answer.result()
            raise _stopping()  # or nobody reads it
        finally:
            if gone is not None:
                self._watchers.discard(gone)
                gone.cancel()
            if not answer.done():
                job.cancel()
                answer.cancel()  # drops the job if it has not started

    def num_jobs(self, lane: Lane) -> int:
        """Return the number of jobs in a lane, waiting or running."""
        return self._threads[lane].num_jobs

    def close(self) -> None:
        """Cancel all jobs and accept no more."""
        self._is_closed = True
        for job in list(self._open):
            job.cancel()
        for watcher in self._watchers:
            watcher.cancel()
        for threads in self._threads.values():
            threads.pool.shutdown(wait=False, cancel_futures=True)


def _stopping() -> ProblemError:
    return ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, "the server is stopping")


async def _disconnected(request: Request) -> None:
    """Wait until the client has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def lower_priority(niceness: int) -> None:
    """Lower the priority of the calling thread, so that the event loop goes first; only Linux can."""
    if niceness and sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
