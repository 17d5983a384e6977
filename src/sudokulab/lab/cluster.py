"""The same runs on a dask.distributed cluster: SLURM, Kubernetes, or a few machines.

Each task executes its run in a child process of the dask worker, which a solver therefore cannot harm. If a dask worker
dies, the scheduler repeats its tasks elsewhere.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from sudokulab.errors import SudokulabError
from sudokulab.lab.experiment import Run
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.worker import Worker, perform

if TYPE_CHECKING:
    from sudokulab.lab.execution import Observer, Pool

__all__ = ["on_cluster"]

_AHEAD = 2  # tasks for each thread of the cluster that wait there
_own = threading.local()


@contextmanager
def on_cluster(address: str) -> Iterator[Pool]:
    """Connect to a scheduler; yields a pool that makes runs there."""
    try:
        from distributed import Client
    except ImportError:
        raise SudokulabError("--dask needs dask.distributed: pip install 'sudokulab[dask]'") from None
    try:
        client = Client(address, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise SudokulabError(f"no dask scheduler at {address}: {error}") from None
    try:
        yield lambda runs, tell: _on_client(client, runs, tell)
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _on_client(client: Any, runs: Iterator[Run], tell: Observer) -> Iterator[list[tuple[Run, RunRecord]]]:
    pending: dict[Any, Run] = {}
    while True:
        room = _AHEAD * max(1, sum(client.nthreads().values())) - len(pending)
        for run in islice(runs, max(0, room)):
            pending[client.submit(_perform, run, pure=False, retries=2)] = run
            tell(run, None)
        if not pending:
            return
        done = [future for future in pending if future.done()]
        if not done:
            _wait_for_any(list(pending))
            done = [future for future in pending if future.done()]
        yield [(pending.pop(future), _record(future)) for future in done]


def _wait_for_any(futures: list[Any]) -> None:
    from distributed import wait

    with contextlib.suppress(TimeoutError):
        wait(futures, timeout=1, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]


def _record(future: Any) -> RunRecord:
    if future.status == "finished":
        record = future.result()
        assert isinstance(record, RunRecord)
        return record
    return RunRecord(Outcome.ERROR, 0.0, 0.0, error=f"the cluster gave it up: {future.exception()}")


def _perform(run: Run) -> RunRecord:
    """Execute a run on this machine; each thread of the dask worker keeps a worker process."""
    if not hasattr(_own, "worker"):
        _own.worker = Worker()
    return perform(run, _own.worker)
