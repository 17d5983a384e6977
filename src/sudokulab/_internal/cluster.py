"""Work on a dask.distributed cluster: SLURM, Kubernetes, or a few machines."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from sudokulab import _core
from sudokulab._internal.extras import require
from sudokulab.errors import SudokulabError

__all__ = ["connected", "finished"]

T = TypeVar("T")

_CONNECT_SECONDS = 30
_POLL_SECONDS = 0.05
_AHEAD = 2  # tasks submitted per thread of the cluster, running or queued
_CANCELLED = (concurrent.futures.CancelledError, asyncio.CancelledError)  # raised when the scheduler is lost


@contextmanager
def connected(address: str) -> Iterator[object]:
    """Connect to a scheduler; yields the client. A lost connection becomes a `SudokulabError`."""
    require("dask")
    from distributed import Client

    try:
        client = Client(address, timeout=_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise SudokulabError(f"no dask scheduler at {address}: {error}") from None
    try:
        with _silent_logs():
            yield client
    except (OSError, TimeoutError, *_CANCELLED):
        raise _lost(client) from None
    finally:
        with _silent_logs(), contextlib.suppress(OSError, TimeoutError, *_CANCELLED):
            client.close(timeout=5)  # type: ignore[no-untyped-call]


def finished(
    client: Any, function: Callable[[T], Any], items: Iterator[T], begun: Callable[[T], object] = lambda item: None
) -> Iterator[list[tuple[T, Any]]]:
    """Call a function on the workers for each item; yields the items with their futures as they finish.

    If a worker dies, the scheduler repeats its tasks on another one.

    Parameters
    ----------
    client
        A client of `connected`.
    function
        Called once per item.
    items
        Taken one by one, a little ahead of the workers.
    begun
        Called with an item when it has been submitted.
    """
    pending: dict[Any, T] = {}
    while True:
        room = _AHEAD * max(1, sum(client.nthreads().values())) - len(pending)
        for item in islice(items, max(0, room)):
            pending[client.submit(function, item, pure=False, retries=2)] = item
            begun(item)
        if not pending:
            return
        done = [future for future in pending if future.done()]
        if not done:
            _wait_for_any(list(pending))
            done = [future for future in pending if future.done()]
        if any(future.status in ("cancelled", "lost") for future in done):
            raise _lost(client)
        yield [(pending.pop(future), future) for future in done]


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


def _lost(client: Any) -> SudokulabError:
    address = client.scheduler.address if client.scheduler else "its address"
    return SudokulabError(f"lost the dask scheduler at {address}; the same command resumes with another one")


def _wait_for_any(futures: list[object]) -> None:
    from distributed import wait

    _core.raise_if_cancelled()
    with contextlib.suppress(TimeoutError):
        wait(futures, timeout=_POLL_SECONDS, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
