"""The progress of an experiment: a live table on a terminal, a line every half minute elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sudokulab._internal.progress import is_terminal, progress_lines, progress_text
from sudokulab.formats.base import one_line
from sudokulab.lab.execution import Observer
from sudokulab.lab.experiment import Run
from sudokulab.lab.records import Outcome, RunRecord

__all__ = ["Tally", "live_view"]


@dataclass
class _Counts:
    num_all: int = 0
    num_running: int = 0
    num_done: int = 0
    num_success: int = 0
    num_faults: int = 0
    cpu_seconds: float = 0.0


@dataclass
class Tally:
    """Counts of the runs so far, by solver."""

    counts: dict[str, _Counts] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, runs: Iterable[Run]) -> Tally:
        """Count the runs to execute."""
        tally = cls()
        for run in runs:
            tally.counts.setdefault(run.solver.title, _Counts()).num_all += 1
        return tally

    def __call__(self, run: Run, record: RunRecord | None) -> None:
        """Count a run that has started (no record) or finished."""
        counts = self.counts.setdefault(run.solver.title, _Counts())
        if record is None:
            counts.num_running += 1
            return
        counts.num_running -= 1
        counts.num_done += 1
        counts.num_success += record.is_success
        counts.num_faults += record.outcome in Outcome.FAULTS
        counts.cpu_seconds += record.cpu_seconds

    @property
    def num_done(self) -> int:
        """The number of finished runs."""
        return sum(counts.num_done for counts in list(self.counts.values()))

    @property
    def num_all(self) -> int:
        """The number of runs to execute."""
        return sum(counts.num_all for counts in list(self.counts.values()))

    def __str__(self) -> str:
        return progress_text(self.num_done, self.num_all, "runs", time.monotonic() - self.began)

    def __rich__(self) -> Group:
        """Draw the live table."""
        table = Table("solver", "done", "running", "success", "failed", "mean s", box=None)
        for solver, counts in self.counts.items():
            done = max(1, counts.num_done)
            table.add_row(
                Text(one_line(solver)),
                f"{counts.num_done:,} of {counts.num_all:,}",
                str(counts.num_running or ""),
                f"{counts.num_success / done:.0%}" if counts.num_done else "",
                Text(str(counts.num_faults or ""), style="red"),
                f"{counts.cpu_seconds / done:.3f}" if counts.num_done else "",
            )
        bar = ProgressBar(total=max(1, self.num_all), completed=self.num_done, width=60)
        return Group(table, bar, Text(str(self)))


@contextmanager
def live_view(runs: Iterable[Run]) -> Iterator[Observer]:
    """Show the progress of these runs on standard error; yields the observer to notify."""
    tally = Tally.of(runs)
    if not is_terminal():
        with progress_lines(lambda: str(tally)):
            yield tally
        return
    with Live(tally, console=Console(stderr=True), refresh_per_second=4, transient=True):
        yield tally
