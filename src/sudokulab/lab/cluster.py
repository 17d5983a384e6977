"""Runs on a dask.distributed cluster: SLURM, Kubernetes, or a few machines.

Each task executes its run in a child process, so a faulty solver cannot harm the dask worker.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sudokulab._internal.cluster import connected, finished
from sudokulab.lab.experiment import Run
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.worker import Worker, perform

if TYPE_CHECKING:
    from sudokulab.lab.execution import Observer, Pool

__all__ = ["on_cluster"]

_own = threading.local()


@contextmanager
def on_cluster(address: str) -> Iterator[Pool]:
    """Connect to a scheduler; yields a pool that executes runs on its workers."""
    with connected(address) as client:
        yield lambda runs, tell: _on_client(client, runs, tell)


def _on_client(client: object, runs: Iterator[Run], tell: Observer) -> Iterator[list[tuple[Run, RunRecord]]]:
    for done in finished(client, _perform, runs, lambda run: tell(run, None)):
        yield [(run, _record(future)) for run, future in done]


def _record(future: Any) -> RunRecord:
    if future.status == "finished":
        record = future.result()
        assert isinstance(record, RunRecord)
        return record
    return RunRecord(Outcome.ERROR, 0.0, 0.0, error=f"the cluster failed to execute the run: {future.exception()}")


def _perform(run: Run) -> RunRecord:
    """Execute a run on this machine, in the worker process of this thread."""
    if not hasattr(_own, "worker"):
        _own.worker = Worker()
    return perform(run, _own.worker)
