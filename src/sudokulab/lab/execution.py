"""The runs of an experiment, made and stored one by one, on this machine or on a cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path

from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.seat import POLL_SECONDS, Seat
from sudokulab.lab.store import RunRecord, Store

__all__ = ["Observer", "Pool", "run_experiment"]

_RENEW_SECONDS = 20

Observer = Callable[[Run, RunRecord | None], None]
"""Told of each run when it begins, without a record, and when it is over, with one."""
Pool = Callable[[Iterator[Run], Observer], Iterator[list[tuple[Run, RunRecord]]]]
"""Makes runs and yields those that are over, a few at a time, now and then none."""


def run_experiment(
    experiment: Experiment,
    store: Store,
    *,
    folder: Path = Path(),
    workers: int | None = None,
    dask: str | None = None,
    observer: Observer | None = None,
) -> int:
    """Make the runs of an experiment that the store does not have yet, and return their number.

    Parameters
    ----------
    experiment
        What to run.
    store
        Where runs go, each as soon as it is over.
    folder
        Where the experiment's files are looked for.
    workers
        How many runs at once; by default one for each core.
    dask
        The address of a dask scheduler whose workers make the runs, in the place of this machine.
    observer
        Who is told of each run.
    """
    tell = observer or (lambda *_: None)
    missing = store.missing(experiment.name, experiment.plan(folder))
    store.begin(experiment)
    try:
        with _pool(workers, dask) as make_all:
            claimed = (run for run in missing if store.claim(experiment.name, run))
            num_done, renewed = 0, time.monotonic()
            for done in make_all(claimed, tell):
                if done:
                    store.add(experiment.name, done)
                num_done += len(done)
                for run, record in done:
                    tell(run, record)
                if time.monotonic() - renewed > _RENEW_SECONDS:
                    store.renew()
                    renewed = time.monotonic()
            return num_done
    finally:
        store.release()


@contextmanager
def _pool(workers: int | None, dask: str | None) -> Iterator[Pool]:
    if dask is not None:
        from sudokulab.lab.cluster import on_cluster

        with on_cluster(dask) as pool:
            yield pool
        return
    cores = _cores()
    seats = [Seat(cores[place] if place < len(cores) else None) for place in range(workers or len(cores))]
    try:
        yield lambda runs, tell: _on_seats(seats, runs, tell)
    finally:
        for seat in seats:
            seat.stop()


def _cores() -> Sequence[int | None]:
    """Return the cores that this process may use; None for each where a process cannot be bound to one."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return [None] * (os.cpu_count() or 1)


def _on_seats(seats: list[Seat], runs: Iterable[Run], tell: Observer) -> Iterator[list[tuple[Run, RunRecord]]]:
    waiting, busy = iter(runs), dict[Seat, Run]()
    while True:
        for seat in seats:
            if seat.is_free and (run := next(waiting, None)) is not None:
                seat.begin(run)
                busy[seat] = run
                tell(run, None)
        if not busy:
            return
        wait([seat.connection for seat in busy if seat.connection is not None], timeout=POLL_SECONDS)
        polled = [(seat, seat.poll()) for seat in busy]
        yield [(busy.pop(seat), record) for seat, record in polled if record is not None]
