"""A live view of an experiment: done, running, failed, time left, success so far by solver."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

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
    """What has come of the runs so far, by solver."""

    counts: dict[str, _Counts] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, runs: Iterable[Run]) -> Tally:
        """Count the runs that are to be made."""
        tally = cls()
        for run in runs:
            tally.counts.setdefault(run.solver.title, _Counts()).num_all += 1
        return tally

    def __call__(self, run: Run, record: RunRecord | None) -> None:
        """Take note that a run has begun or is over."""
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
        """How many runs are over."""
        return sum(counts.num_done for counts in self.counts.values())

    def __rich__(self) -> Group:
        """Draw the view."""
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
        num_all = sum(counts.num_all for counts in self.counts.values())
        words = f"{self.num_done:,} of {num_all:,} runs, {_clock(time.monotonic() - self.began)}"
        if self.num_done:
            left = (time.monotonic() - self.began) * (num_all - self.num_done) / self.num_done
            words += f", about {_clock(left)} left"
        return Group(table, ProgressBar(total=max(1, num_all), completed=self.num_done, width=60), Text(words))


@contextmanager
def live_view(runs: Iterable[Run]) -> Iterator[Observer]:
    """Show a view on standard error, if that is a terminal; yields who is to be told of each run."""
    tally = Tally.of(runs)
    if sys.stderr is None or not sys.stderr.isatty():
        yield tally
        return
    with Live(tally, console=Console(stderr=True), refresh_per_second=4, transient=True):
        yield tally


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
