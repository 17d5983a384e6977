"""Runs on a dask.distributed cluster: SLURM, Kubernetes, or a few machines.

Each task executes its run in a child process, so a faulty solver cannot harm the dask worker. If a dask worker dies,
the scheduler repeats its tasks on another one.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from sudokulab._internal.extras import require
from sudokulab.errors import SudokulabError
from sudokulab.lab.experiment import Run
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.worker import Worker, perform

if TYPE_CHECKING:
    from sudokulab.lab.execution import Observer, Pool

__all__ = ["on_cluster"]

_CONNECT_SECONDS = 30

_AHEAD = 2  # tasks submitted per thread of the cluster, running or queued
_CANCELLED = (concurrent.futures.CancelledError, asyncio.CancelledError)  # raised when the scheduler is lost
_own = threading.local()


@contextmanager
def on_cluster(address: str) -> Iterator[Pool]:
    """Connect to a scheduler; yields a pool that executes runs on its workers."""
    require("dask")
    from distributed import Client

    try:
        client = Client(address, timeout=_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise SudokulabError(f"no dask scheduler at {address}: {error}") from None
    try:
        with _silent_logs():
            yield lambda runs, tell: _on_client(client, runs, tell)
    except (OSError, TimeoutError, *_CANCELLED):
        raise _lost(client) from None
    finally:
        with _silent_logs(), contextlib.suppress(OSError, TimeoutError, *_CANCELLED):
            client.close(timeout=5)  # type: ignore[no-untyped-call]


@contextmanager
def _silent_logs() -> Iterator[None]:
    """Suppress the tracebacks that dask logs for a lost connection, which becomes a single error here."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _on_client(client: Any, runs: Iterator[Run], tell: Observer) -> Iterator[list[tuple[Run, RunRecord]]]:
    pending: dict[Any, Run] = {}
    while True:
        room = _AHEAD * max(1, sum(client.nthreads().values())) - len(pending)
        for run in islice(runs, max(0, room)):
            pending[client.submit(_perform, run, pure=False, retries=2)] = run
            tell(run, None)
        if not pending:
            return
        done = [future for future in pending if future.done()]
        if not done:
            _wait_for_any(list(pending))
            done = [future for future in pending if future.done()]
        if any(future.status in ("cancelled", "lost") for future in done):
            raise _lost(client)
        yield [(pending.pop(future), _record(future)) for future in done]


def _lost(client: Any) -> SudokulabError:
    address = client.scheduler.address if client.scheduler else "its address"
    return SudokulabError(f"lost the dask scheduler at {address}; the same command resumes with another one")


def _wait_for_any(futures: list[Any]) -> None:
    from distributed import wait

    with contextlib.suppress(TimeoutError):
        wait(futures, timeout=1, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]


def _record(future: Any) -> RunRecord:
    if future.status == "finished":
        record = future.result()
        assert isinstance(record, RunRecord)
        return record
    return RunRecord(Outcome.ERROR, 0.0, 0.0, error=f"the cluster failed to execute the run: {future.exception()}")


def _perform(run: Run) -> RunRecord:
    """Execute a run on this machine, in the worker process of this thread."""
    if not hasattr(_own, "worker"):
        _own.worker = Worker()
    return perform(run, _own.worker)
