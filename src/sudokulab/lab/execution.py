"""Execute the runs of an experiment and store each as it finishes, on this machine or on a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from sudokulab._internal.system import require_posix
from sudokulab.errors import SudokulabError
from sudokulab.lab.claims import HEARTBEAT_SECONDS
from sudokulab.lab.cores import cores, free_cores
from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.logs import line_of, log_beside
from sudokulab.lab.records import RunRecord
from sudokulab.lab.store import Store
from sudokulab.lab.worker import Worker, listen

__all__ = ["Observer", "Pool", "run_experiment"]

_STRETCH = 100  # runs of a solver in a row: starting a process takes longer than many runs
_OTHERS_POLLS = 10  # between two looks for claims that other processes have lost

T = TypeVar("T")

Observer = Callable[[Run, RunRecord | None], None]
"""Called when a run starts, without a record, and when it has finished, with its record."""
Pool = Callable[[Iterator[Run], Observer], Iterator[list[tuple[Run, RunRecord]]]]
"""Executes runs and yields lists of finished ones; a list can be empty."""


def run_experiment(
    experiment: Experiment,
    store: Store,
    *,
    folder: Path = Path(),
    plan: Sequence[Run] | None = None,
    workers: int | None = None,
    dask: str | None = None,
    observer: Observer | None = None,
) -> int:
    """Execute the runs of an experiment that are not in the store yet, and return their number.

    Parameters
    ----------
    experiment
        The experiment.
    store
        Receives each run as soon as it has finished. A log is written beside its file.
    folder
        The folder of the instance files.
    plan
        The runs, if ``experiment.plan(folder)`` has been called already.
    workers
        The number of concurrent runs; by default one per core.
    dask
        The address of a dask scheduler, to execute the runs there instead of on this machine.
    observer
        Called for each run; see `Observer`.
    """
    tell = observer or (lambda *_: None)
    plan = experiment.plan(folder) if plan is None else plan
    store.begin(experiment, plan)
    num_done = 0
    try:
        with log_beside(store.path, experiment.name) as log, _pool(workers, dask) as execute:
            log(f"{len(store.missing(experiment.name, plan)):,} of {len(plan):,} runs are missing")
            while missing := store.missing(experiment.name, plan):
                claimed = (run for run in _in_stretches(missing) if store.claim(experiment.name, run))
                num_new = 0
                for done in _renewing(store, execute(claimed, tell)):
                    if done:
                        store.add(experiment.name, done)
                    for run, record in done:
                        tell(run, record)
                        log(line_of(run, record))
                    num_new += len(done)
                num_done += num_new
                if num_new == 0:
                    for _ in range(_OTHERS_POLLS):  # other processes have claimed the remaining runs
                        listen([])
            return num_done
    finally:
        with suppress(SudokulabError):  # an unreleased claim expires with this process
            store.release()


def _in_stretches(runs: Sequence[Run]) -> Iterator[Run]:
    """Yield runs by solver, a part of the plan at a time: each solver has a process of its own.

    Solvers still take turns, so an unfinished experiment has runs of all of them.
    """
    solvers = {title: place for place, title in enumerate(dict.fromkeys(run.solver.title for run in runs))}
    size = _STRETCH * max(1, len(solvers))
    for start in range(0, len(runs), size):
        yield from sorted(runs[start : start + size], key=lambda run: solvers[run.solver.title])


def _renewing(store: Store, batches: Iterator[T]) -> Iterator[T]:
    """Yield the batches, and renew the claims of this process in between."""
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
    require_posix("experiments")
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
        listen(busy)
        polled = [(worker, worker.poll()) for worker in busy]
        yield [(busy.pop(worker), record) for worker, record in polled if record is not None]
