"""The runs of an experiment, made and stored one by one, on this machine or on a cluster."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import gettempdir
from typing import IO, TypeVar

from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.records import RunRecord
from sudokulab.lab.seat import POLL_SECONDS, Seat
from sudokulab.lab.store import Store

__all__ = ["Observer", "Pool", "run_experiment"]

_RENEW_SECONDS = 20
_OTHERS_SECONDS = 0.5

T = TypeVar("T")

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
    plan = experiment.plan(folder)
    store.begin(experiment, plan)
    num_done = 0
    try:
        with _pool(workers, dask) as make_all:
            while missing := store.missing(experiment.name, plan):
                claimed = (run for run in missing if store.claim(experiment.name, run))
                num_made = 0
                for done in _renewing(store, make_all(claimed, tell)):
                    if done:
                        store.add(experiment.name, done)
                    for run, record in done:
                        tell(run, record)
                    num_made += len(done)
                num_done += num_made
                if num_made == 0:
                    time.sleep(_OTHERS_SECONDS)  # another process has what is left
            return num_done
    finally:
        store.release()


def _renewing(store: Store, batches: Iterator[T]) -> Iterator[T]:
    """Pass on, and keep the claims of this process valid meanwhile."""
    renewed = time.monotonic()
    for batch in batches:
        yield batch
        if time.monotonic() - renewed > _RENEW_SECONDS:
            store.renew()
            renewed = time.monotonic()


@contextmanager
def _pool(workers: int | None, dask: str | None) -> Iterator[Pool]:
    if dask is not None:
        from sudokulab.lab.cluster import on_cluster

        with on_cluster(dask) as pool:
            yield pool
        return
    num_cores = len(_cores())
    with _free_cores(workers or num_cores) as cores:
        seats = [Seat(core) for core in cores]
        try:
            yield lambda runs, tell: _on_seats(seats, runs, tell)
        finally:
            for seat in seats:
                seat.stop()


@contextmanager
def _free_cores(number: int) -> Iterator[list[int | None]]:
    """Take so many cores that no other lab on this machine has; None, for any core, where there are no more."""
    taken: list[int | None] = []
    locks: list[IO[str]] = []
    for core in _cores():
        if core is None or len(taken) == number:
            break
        lock = (Path(gettempdir()) / f"sudokulab-{os.getuid()}-core-{core}.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        locks.append(lock)
        taken.append(core)
    try:
        yield taken + [None] * (number - len(taken))
    finally:
        for held in locks:
            held.close()


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
