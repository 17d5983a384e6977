"""Execute the runs of an experiment and store each as it finishes, on this machine or on a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from pathlib import Path
from typing import TypeVar

from sudokulab.errors import SudokulabError
from sudokulab.lab.claims import HEARTBEAT_SECONDS
from sudokulab.lab.cores import cores, free_cores
from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.records import RunRecord
from sudokulab.lab.store import Store
from sudokulab.lab.worker import POLL_SECONDS, Worker

__all__ = ["Observer", "Pool", "run_experiment"]

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
        with suppress(SudokulabError):  # a claim that cannot be released ends with this process
            store.release()


def _renewing(store: Store, batches: Iterator[T]) -> Iterator[T]:
    """Pass on, and keep the claims of this process valid meanwhile."""
    renewed = time.monotonic()
    for batch in batches:
        yield batch
        if time.monotonic() - renewed > HEARTBEAT_SECONDS:
            store.renew()
            renewed = time.monotonic()


@contextmanager
def _pool(workers: int | None, dask: str | None) -> Iterator[Pool]:
    if dask is not None:
        from sudokulab.lab.cluster import on_cluster

        with on_cluster(dask) as pool:
            yield pool
        return
    with free_cores(workers or len(cores())) as taken:
        pool_workers = [Worker(core) for core in taken]
        try:
            yield lambda runs, tell: _on_workers(pool_workers, runs, tell)
        finally:
            for worker in pool_workers:
                worker.stop()


def _on_workers(workers: list[Worker], runs: Iterable[Run], tell: Observer) -> Iterator[list[tuple[Run, RunRecord]]]:
    waiting, busy = iter(runs), dict[Worker, Run]()
    while True:
        for worker in workers:
            if worker.is_free and (run := next(waiting, None)) is not None:
                worker.begin(run)
                busy[worker] = run
                tell(run, None)
        if not busy:
            return
        wait([worker.connection for worker in busy if worker.connection is not None], timeout=POLL_SECONDS)
        polled = [(worker, worker.poll()) for worker in busy]
        yield [(busy.pop(worker), record) for worker, record in polled if record is not None]
