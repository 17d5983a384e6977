"""Threads that answer requests, so that the event loop never waits for a search.

Questions that take milliseconds and questions that can take seconds have separate threads: long ones never delay short
ones. Each kind has a bounded queue. If the queue is full, clients are told to try again later.

A job ends early if its client disconnects or the server stops. A job that has not started is dropped. In one that has
started, searches of the core raise KeyboardInterrupt; solvers outside the core end at their time limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, TypeVar

from fastapi import Request

from sudokulab._core import Cancellation
from sudokulab.web.problems import ProblemError
from sudokulab.web.settings import Limits

__all__ = ["DRAWING", "Job", "Jobs", "lower_priority"]

T = TypeVar("T")

DRAWING = threading.Lock()
"""Held while matplotlib draws, because it has global state."""

_PATIENCE = 0.05  # seconds after which we start to watch for a client that has gone
_SLOW_NICENESS = 5

Job = Cancellation
"""Work on a request. Its searches stop when it is cancelled; long work in Python asks `is_cancelled`."""


class _Lane:
    """Threads for one kind of question, and its queue."""

    def __init__(self, name: str, num_threads: int, max_waiting: int, retry_seconds: int, niceness: int = 0) -> None:
        self.pool = ThreadPoolExecutor(num_threads, f"sudokulab-{name}", lower_priority, (niceness,))
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
        self._quick = _Lane("quick", limits.quick_threads, limits.quick_queue, retry_seconds=1)
        self._slow = _Lane("slow", limits.slow_threads, limits.slow_queue, retry_seconds=5, niceness=_SLOW_NICENESS)
        self._open: set[Job] = set()
        self._watchers: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def run(self, request: Request, work: Callable[[Job], T], *, is_quick: bool = False) -> T:
        """Do some work in a thread; cancel it if the client disconnects.

        Raises
        ------
        ProblemError
            If too many jobs are waiting, or the server is stopping.
        """
        if self._is_closed:
            raise _stopping()
        lane = self._quick if is_quick else self._slow
        lane.enter()
        job = Job()
        self._open.add(job)

        def cancellable_work() -> T:
            with job:
                return work(job)

        try:
            future = lane.pool.submit(cancellable_work)
            future.add_done_callback(self._left(lane, asyncio.get_running_loop()))
            return await self._answer(request, job, future)
        finally:
            self._open.discard(job)

    @staticmethod
    def _left(lane: _Lane, loop: asyncio.AbstractEventLoop) -> Callable[[object], None]:
        """Return what frees the place of a job when its thread is done, even after its client has gone."""

        def leave() -> None:
            lane.num_jobs -= 1

        def on_done(future: object) -> None:
            with contextlib.suppress(RuntimeError):  # the event loop has been closed
                loop.call_soon_threadsafe(leave)

        return on_done

    async def _answer(self, request: Request, job: Job, future: Future[T]) -> T:
        answer = asyncio.wrap_future(future)
        gone: asyncio.Task[None] | None = None
        try:
            await asyncio.wait({answer}, timeout=_PATIENCE)
            if not answer.done():
                gone = asyncio.create_task(_disconnected(request))
                self._watchers.add(gone)
                waiting: set[asyncio.Future[Any]] = {answer, gone}
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

    def close(self) -> None:
        """Cancel all jobs and accept no more."""
        self._is_closed = True
        for job in list(self._open):
            job.cancel()
        for watcher in self._watchers:
            watcher.cancel()
        for lane in (self._quick, self._slow):
            lane.pool.shutdown(wait=False, cancel_futures=True)


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
