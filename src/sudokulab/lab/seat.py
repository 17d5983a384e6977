"""A seat: a child process on a core of its own that makes one run after the other.

What a solver does to the child, crash, hang, or never come back, is seen from outside and becomes the outcome of the
run; the child is then replaced. Time is the CPU time of the child, so that a busy machine does not falsify it; a child
that sleeps is given up by the clock on the wall.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from sudokulab._internal.processes import children_of, cpu_seconds_of, family_of, kill, tree_cpu_seconds_of
from sudokulab.errors import SudokulabError
from sudokulab.lab.child import Reply
from sudokulab.lab.experiment import Run
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.result import Status
from sudokulab.verify import is_solution

__all__ = ["POLL_SECONDS", "Seat", "perform"]

POLL_SECONDS = 0.05
_LATE_FACTOR, _LATE_SECONDS = 1.1, 0.25  # how far over its budget an answer may come
_ASLEEP_SHARE = 0.2  # who uses less of the time on the clock than this has waited for something
_LIE_FACTOR, _LIE_SECONDS = 0.5, 0.1  # how far under what was measured a solver's own time may lie


class Seat:
    """A child process that makes runs, one at a time.

    Parameters
    ----------
    core
        The core to sit on; by default any.
    """

    def __init__(self, core: int | None = None) -> None:
        self._core = core
        self._child: subprocess.Popen[bytes] | None = None
        self.connection: Connection | None = None
        """Becomes readable when the run is over."""
        self._run: Run | None = None
        self._began = self._cpu_before = self._cpu_now = 0.0

    @property
    def is_free(self) -> bool:
        """Whether no run is under way."""
        return self._run is None

    def begin(self, run: Run) -> None:
        """Begin a run; `poll` tells when it is over."""
        if self._child is None or self._child.poll() is not None:
            self._start()
        assert self._child is not None
        assert self.connection is not None
        self._run, self._began = run, time.monotonic()
        self._cpu_before = self._cpu_now = tree_cpu_seconds_of(self._child.pid)
        self.connection.send(run)

    def poll(self) -> RunRecord | None:
        """Return what came of the run if it is over, or if it has to be ended now."""
        assert self._run is not None
        assert self._child is not None
        assert self.connection is not None
        run = self._run
        if self.connection.poll():
            try:
                reply = self.connection.recv()
            except (EOFError, OSError):
                return self._died()
            except Exception as error:  # what cannot be read is no answer
                return self._end(Outcome.ERROR, f"unreadable answer: {error}")
            self._run = None
            return _judged(run, self._with_leftovers(reply))
        if self._child.poll() is not None:
            return self._died()
        if self._is_overdue(run):
            return self._end(Outcome.KILLED, "did not stop at its budget")
        return None

    def stop(self) -> None:
        """End the child, and whatever it has started."""
        if self._child is not None:
            kill(family_of(self._child.pid))
            self._child.wait()
        if self.connection is not None:
            self.connection.close()
        self._child = self.connection = self._run = None

    def _start(self) -> None:
        self.stop()
        ours, theirs = socket.socketpair()
        code = f"from sudokulab.lab.child import sit; sit({theirs.fileno()}, {self._core})"
        self._child = subprocess.Popen(
            [sys.executable, "-c", code],
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # so that all it starts can be ended with it
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        theirs.close()
        self.connection = Connection(ours.detach())
        try:
            self.connection.recv()
        except (EOFError, OSError):
            raise SudokulabError(f"a child process could not be started: exit code {self._child.wait()}") from None

    def _is_overdue(self, run: Run) -> bool:
        if run.budget.seconds is None:
            return False
        limit = run.budget.seconds + run.budget.grace_seconds
        wall, cpu = time.monotonic() - self._began, self._cpu_seconds()
        return wall > 4 * limit + 1 or cpu > limit  # asleep or starved; busy

    def _cpu_seconds(self) -> float:
        """Return what the child and all it has started have used; the last that is known if they are no more."""
        assert self._child is not None
        self._cpu_now = max(self._cpu_now, tree_cpu_seconds_of(self._child.pid))
        return self._cpu_now - self._cpu_before

    def _with_leftovers(self, reply: Reply) -> Reply:
        """End what the solver has left running, and let its time count."""
        assert self._child is not None
        leftovers = [pid for child in children_of(self._child.pid) for pid in family_of(child)]
        if not leftovers:
            return reply
        used = sum(cpu_seconds_of(pid) or 0.0 for pid in leftovers)
        kill(leftovers)
        return replace(reply, cpu_seconds=reply.cpu_seconds + used)

    def _end(self, outcome: str, error: str) -> RunRecord:
        record = RunRecord(outcome, self._cpu_seconds(), time.monotonic() - self._began, error=error)
        self.stop()
        return record

    def _died(self) -> RunRecord:
        assert self._child is not None
        wall, cpu = time.monotonic() - self._began, self._cpu_now - self._cpu_before
        code = self._child.wait()
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self.stop()
        return RunRecord(Outcome.CRASHED, cpu, wall, error=f"the process died: {how}")


def perform(run: Run, seat: Seat) -> RunRecord:
    """Make a run on a seat, and wait for it."""
    seat.begin(run)
    while (record := seat.poll()) is None:
        wait([seat.connection], timeout=POLL_SECONDS)  # type: ignore[list-item]
    return record


def _judged(run: Run, reply: Reply) -> RunRecord:
    """Say how a run ended; an answer that makes no sense is an error of the solver, not ours."""
    try:
        return _judge(run, reply)
    except (TypeError, ValueError, AttributeError) as error:
        return RunRecord(Outcome.ERROR, reply.cpu_seconds, reply.wall_seconds, error=f"unreadable answer: {error}")


def _judge(run: Run, reply: Reply) -> RunRecord:
    """Say how a run ended. What a child says is not believed: a grid is verified here, time is what was measured."""
    result, budget = reply.result, run.budget.seconds
    wall, cpu = reply.wall_seconds, reply.cpu_seconds
    if result is None:
        return RunRecord(Outcome.WRONG if reply.is_wrong else Outcome.ERROR, cpu, wall, error=reply.error)
    record: dict[str, Any] = {
        "cpu_seconds": cpu,
        "wall_seconds": wall,
        "reported_seconds": float(result.seconds),
        "cost": None if result.cost is None else float(result.cost),
        "stats": {str(name): float(value) for name, value in result.stats.items()},
        "trace": dict(result.trace),
        "error": result.error,
    }
    if result.status is Status.SOLVED and (result.solution is None or not is_solution(result.solution, run.puzzle)):
        return RunRecord(Outcome.WRONG, **{**record, "error": "the grid is no solution"})
    if budget is not None:
        limit = _LATE_FACTOR * budget + min(_LATE_SECONDS, budget)
        is_asleep = wall > limit and cpu < _ASLEEP_SHARE * wall
        if cpu > limit or is_asleep:
            spent = f"{wall:.2f} s on the clock" if is_asleep else f"{cpu:.2f} s"
            return RunRecord(Outcome.LATE, **{**record, "error": f"{spent} for a budget of {budget:g} s"})
    if result.seconds < _LIE_FACTOR * wall - _LIE_SECONDS:
        record["error"] = result.error or f"says it took {result.seconds:.3f} s, took {wall:.3f} s"
    if result.error:
        return RunRecord(Outcome.WRONG if reply.is_wrong else Outcome.ERROR, **record)
    if result.status is Status.SOLVED:
        return RunRecord(Outcome.SOLVED, solution=str(result.solution), **record)
    return RunRecord(Outcome.UNSATISFIABLE if result.status is Status.UNSATISFIABLE else Outcome.UNSOLVED, **record)
