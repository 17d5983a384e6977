"""Progress on standard error: a bar on a terminal, or a line every half minute elsewhere."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["LINE_SECONDS", "duration_text", "is_terminal", "progress_bar", "progress_lines", "progress_text", "track"]

T = TypeVar("T")
Position = Callable[[int], float]
Update = Callable[..., None]
"""``update(num_done, note="")`` advances the bar; frequent calls are cheap."""

LINE_SECONDS = 30.0
"""The interval of `progress_lines`."""
_PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.1


def is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def track(items: Iterable[T], label: str, total: int | None = None, position: Position | None = None) -> Iterator[T]:
    """Yield the items and show a progress bar; see `progress_bar`."""
    with progress_bar(label, total, position=position) as update:
        for num_done, item in enumerate(items, start=1):
            yield item
            update(num_done)


@contextmanager
def progress_lines(describe: Callable[[], str], interval: float | None = None) -> Iterator[None]:
    """Print a progress line at regular intervals until the block ends, for logs and other non-terminals.

    Parameters
    ----------
    describe
        Returns the current line; called in another thread.
    interval
        Seconds between lines; by default `LINE_SECONDS`.
    """
    is_over = threading.Event()
    seconds = LINE_SECONDS if interval is None else interval

    def print_lines() -> None:
        while not is_over.wait(seconds):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # broken, closed or missing
                sys.stderr.write(f"{describe()}\n")
                sys.stderr.flush()

    printer = threading.Thread(target=print_lines, daemon=True)
    printer.start()
    try:
        yield
    finally:
        is_over.set()
        printer.join()


def progress_text(num_done: int, num_all: int, unit: str, seconds: float) -> str:
    """Return the state of a job in words.

    Examples
    --------
    >>> progress_text(30, 120, "runs", 90)
    '30 of 120 runs, 1:30 elapsed, about 4:30 left'
    """
    words = f"{num_done:,} of {num_all:,} {unit}, {duration_text(seconds)} elapsed"
    return f"{words}, about {duration_text(seconds * (num_all - num_done) / num_done)} left" if num_done else words


def duration_text(seconds: float) -> str:
    """Return a duration as minutes and seconds, with hours if there are any.

    Examples
    --------
    >>> duration_text(75), duration_text(3675)
    ('1:15', '1:01:15')
    """
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@contextmanager
def progress_bar(
    label: str, total: int | None = None, *, position: Position | None = None, is_shown: bool = True
) -> Iterator[Update]:
    """Show a bar if standard error is a terminal and the work takes longer than a second.

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
    if not is_shown or not is_terminal():
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
        # On a terminal, output appears above the bar; piped output must not be touched.
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=True,
    )
    task = bar.add_task(label, total=total, note="", num_done=0)
    refreshed = time.monotonic()

    def update(num_done: int, note: str = "") -> None:
        nonlocal refreshed
        if num_done == total or time.monotonic() - refreshed > _REFRESH_SECONDS:
            refreshed = time.monotonic()
            completed = position(num_done) if position is not None and is_by_position else num_done
            bar.update(task, completed=completed, num_done=num_done, note=note)

    # A timer rather than a check between items: the first item can be the slow one.
    start_bar = threading.Timer(_PATIENCE_SECONDS, bar.start)
    start_bar.daemon = True
    start_bar.start()
    try:
        yield update
    finally:
        start_bar.cancel()
        start_bar.join()
        bar.stop()
