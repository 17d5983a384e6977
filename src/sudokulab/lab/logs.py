"""The log of an experiment: a text file beside the store, with a line for each event."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sudokulab._internal.machine import machine
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.lab.experiment import Run
from sudokulab.lab.records import RunRecord

__all__ = ["line_of", "log_beside"]

Log = Callable[[str], None]


@contextmanager
def log_beside(store: Path, title: str) -> Iterator[Log]:
    """Append to the log of a store, whose name ends with ``.log``; yields a function that writes a line.

    The first line names the version and the machine, the last one how the experiment ended. Several processes can write
    the same log. A full disk does not end the experiment.

    Raises
    ------
    SudokulabError
        If the file cannot be opened.
    """
    from sudokulab import __version__

    path = store.with_name(f"{store.name}.log")
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "a", encoding="utf-8", errors="replace", buffering=1))  # by line
        except OSError as error:
            raise SudokulabError(f"{path}: cannot write the log: {error.strerror}") from None

        def log(text: str) -> None:
            with suppress(OSError):
                stream.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {one_line(text)}\n")

        where = machine()
        log(f"begin {title}: sudokulab {__version__}, Python {where.python}, {where.system}, {where.processor}")
        try:
            yield log
        except BaseException as error:
            log(f"stopped by {type(error).__name__}: {error}".removesuffix(": "))
            raise
        log(f"end {title}")


def line_of(run: Run, record: RunRecord) -> str:
    """Return the line of a finished run."""
    times = f"{record.cpu_seconds:.3f} s CPU time, {record.wall_seconds:.3f} s wall time"
    words = f"{record.outcome} {run.solver.title} on {run.instance}, run {run.number}, seed {run.seed}: {times}"
    return f"{words}; {record.error}" if record.error else words
