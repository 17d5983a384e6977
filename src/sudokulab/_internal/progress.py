"""A progress bar on standard error, for terminals only."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["progress_bar", "track"]

T = TypeVar("T")
Position = Callable[[int], float]
Update = Callable[..., None]
"""``update(num_done, note="")`` advances the bar; it is cheap enough for every item."""

_PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.1


def track(items: Iterable[T], label: str, total: int | None = None, position: Position | None = None) -> Iterator[T]:
    """Yield items and show a progress bar; see `progress_bar`."""
    with progress_bar(label, total, position=position) as update:
        for num_done, item in enumerate(items, start=1):
            yield item
            update(num_done)


@contextmanager
def progress_bar(
    label: str, total: int | None = None, *, position: Position | None = None, is_shown: bool = True
) -> Iterator[Update]:
    """Show a progress bar on standard error if that is a terminal and the work takes longer than a second.

    Parameters
    ----------
    label
        The text before the bar.
    total
        The number of items, or the end of `position`. Without it, the bar shows no remaining time.
    position
        Returns the progress after a number of items if it is measured in something else, such as bytes of a file.
    is_shown
        Whether to show the bar at all.
    """
    if not is_shown or not sys.stderr.isatty():
        yield lambda num_done, note="": None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    is_by_position = position is not None and total is not None
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *(
            [TaskProgressColumn(), TextColumn("{task.fields[num_done]:,}")]
            if is_by_position
            else [MofNCompleteColumn()]
        ),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=Console(stderr=True),
        transient=True,
        # output printed meanwhile goes above the bar on a terminal, and must not be touched anywhere else
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=True,
    )
    task = bar.add_task(label, total=total, note="", num_done=0)
    refreshed = time.monotonic()

    def update(num_done: int, note: str = "") -> None:
        nonlocal refreshed
        if time.monotonic() - refreshed > _REFRESH_SECONDS:
            refreshed = time.monotonic()
            completed = position(num_done) if position is not None and is_by_position else num_done
            bar.update(task, completed=completed, num_done=num_done, note=note)

    # A timer, not a check between items: the first item may be the slow one.
    start_bar = threading.Timer(_PATIENCE_SECONDS, bar.start)
    start_bar.daemon = True
    start_bar.start()
    try:
        yield update
    finally:
        start_bar.cancel()
        start_bar.join()
        bar.stop()
