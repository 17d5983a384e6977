"""A progress bar, shown only on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["progress_bar", "track"]

T = TypeVar("T")
Update = Callable[..., None]
"""``update(num_done, note="")`` advances the bar; calls are cheap, so make them as often as you like."""

_PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.1


def track(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Yield the items; after one second, show progress on standard error if it is a terminal."""
    with progress_bar(label, total) as update:
        for num_done, item in enumerate(items, start=1):
            yield item
            update(num_done)


@contextmanager
def progress_bar(label: str, total: int | None = None, *, is_shown: bool = True) -> Iterator[Update]:
    """Show a bar on standard error, if that is a terminal and the work takes longer than a second."""
    if not is_shown or not sys.stderr.isatty():
        yield lambda num_done, note="": None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=Console(stderr=True),
        transient=True,
        # on a terminal, printed output goes above the bar; anywhere else it must not be touched
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=True,
    )
    task = bar.add_task(label, total=total, note="")
    refreshed = time.monotonic()

    def update(num_done: int, note: str = "") -> None:
        nonlocal refreshed
        if time.monotonic() - refreshed > _REFRESH_SECONDS:
            refreshed = time.monotonic()
            bar.update(task, completed=num_done, note=note)

    # A timer, rather than checking the clock between items: the first item may be the slow one.
    start_bar = threading.Timer(_PATIENCE_SECONDS, bar.start)
    start_bar.daemon = True
    start_bar.start()
    try:
        yield update
    finally:
        start_bar.cancel()
        start_bar.join()
        bar.stop()
