"""A worker process, pinned to one core, that executes runs one at a time.

Crashes and hangs are detected from outside, recorded as the outcome of the run, and the process is replaced. It is also
replaced if a solver leaves threads, timers or processes behind, so that they cannot disturb the next run, and before a
run of another solver: trace functions, patched modules and resource limits stay with the solver that set them. Times
and budgets are CPU times, which do not depend on the load of the machine. A process that waits for a core keeps its
run; only time in which none of its threads could run counts as sleeping, and ends a run that hangs.
"""

from __future__ import annotations

import os
import pickle
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Any

from sudokulab import _core
from sudokulab._internal.processes import (
    children_of,
    cpu_seconds_of,
    has_timers,
    is_asleep,
    kill_tree,
    num_threads_of,
    signal_name,
    tree_of,
)
from sudokulab.errors import PuzzleError, SudokulabError
from sudokulab.lab.experiment import Run, SolverSpec
from sudokulab.lab.messages import READY, Inbox, Reply, decode, escaped
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.puzzle import Puzzle
from sudokulab.search.result import Status
from sudokulab.verify import is_solution

__all__ = ["Worker", "listen", "perform"]

_POLL_SECONDS = 0.05
_NUM_STARTS, _START_SECONDS = 4, 60.0  # attempts to start a worker, and the time for each
_SEND_SECONDS = 10.0
_LATE_FACTOR, _LATE_SECONDS = 1.1, 0.25  # tolerance of the budget
_HANG_FACTOR, _HANG_SECONDS = 4, 1  # sleep before a run counts as hanging
_LIE_FACTOR, _LIE_SECONDS = 0.5, 0.1  # tolerance of reported times below the measured time

_PROGRAM = """
import sys
sys.path[:] = {path!r}
try:
    from sudokulab.lab.child import serve
except BaseException as error:
    import os
    text = f"{{type(error).__name__}}: {{error}}".encode("utf-8", "replace")[:1000]
    os.write({descriptor}, len(text).to_bytes(8, "big") + text)
    sys.exit(1)
serve({descriptor}, {core})
"""


class Worker:
    """A child process that executes runs, one at a time; each solver gets a process of its own.

    Parameters
    ----------
    core
        The core to pin it to; by default any.
    """

    def __init__(self, core: int | None = None) -> None:
        self._core = core
        self._process: subprocess.Popen[bytes] | None = None
        self.connection: socket.socket | None = None
        """Readable once the run has finished."""
        self._inbox: Inbox | None = None
        self._run: Run | None = None
        self._solver: SolverSpec | None = None
        self._token = ""
        self._num_threads: int | None = None
        self._began = self._cpu_before = self._cpu_now = 0.0
        self._looked = self._asleep_seconds = 0.0

    @property
    def is_free(self) -> bool:
        """Whether the worker can accept a run."""
        return self._run is None

    def begin(self, run: Run) -> None:
        """Start a run; `poll` returns its record once it has finished."""
        token = secrets.token_hex(16)
        request = pickle.dumps((token, run))
        if run.solver != self._solver:
            self.stop()
        for _ in range(_NUM_STARTS):
            if not self._is_idle():
                self._start()
            assert self._process is not None
            self._began = self._looked = time.monotonic()
            self._asleep_seconds = 0.0
            self._cpu_before = self._cpu_now = cpu_seconds_of(*tree_of(self._process.pid))
            self._num_threads = num_threads_of(self._process.pid)
            if self._send(request):
                self._run, self._solver, self._token = run, run.solver, token
                return
            self.stop()  # it has died or closed its connection since the last run
        raise SudokulabError(f"worker processes exit before their first run ({_NUM_STARTS} attempts)")

    def poll(self) -> RunRecord | None:
        """Return the record of the run if it has finished or must be killed; otherwise None."""
        assert self._run is not None
        assert self._process is not None
        assert self._inbox is not None
        try:
            message = self._inbox.read()
        except EOFError:
            return self._died()
        except ValueError as error:
            return self._end(Outcome.ERROR, f"unreadable answer: {error}")
        if message is not None:
            return self._finished(message)
        if self._process.poll() is not None:
            return self._died()
        self._look()
        if self._is_overdue(self._run):
            return self._end(Outcome.KILLED, "did not stop at its budget")
        return None

    def stop(self) -> None:
        """Kill the process and its descendants."""
        if self._process is not None:
            kill_tree(self._process.pid)
            self._process.wait()
        if self.connection is not None:
            self.connection.close()
        self._process = self.connection = self._inbox = self._run = None

    def _is_idle(self) -> bool:
        """Return whether the process is running and waiting for a run."""
        if self._process is None or self._process.poll() is not None:
            return False
        # without a request, readable data means a closed connection or a solver that writes to it
        assert self.connection is not None
        return not wait([self.connection], timeout=0)

    def _send(self, request: bytes) -> bool:
        assert self.connection is not None
        try:
            self.connection.settimeout(_SEND_SECONDS)
            self.connection.sendall(request)
        except OSError:
            return False
        self.connection.setblocking(False)
        return True

    def _start(self) -> None:
        problem = ""
        for _ in range(_NUM_STARTS):
            self.stop()
            self._spawn()
            problem = self._problem_of_start()
            if not problem:
                return
        self.stop()
        raise SudokulabError(f"no worker process could be started ({_NUM_STARTS} attempts): {problem}")

    def _spawn(self) -> None:
        ours, theirs = socket.socketpair()
        path = [entry for entry in sys.path if isinstance(entry, str)]
        program = _PROGRAM.format(path=path, descriptor=theirs.fileno(), core=self._core)
        with theirs:
            self.connection = ours
            self._process = subprocess.Popen(
                [sys.executable, *_interpreter_options(), "-c", program],
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # its children can then be killed with it
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        ours.setblocking(False)
        self._inbox = Inbox(ours)

    def _problem_of_start(self) -> str:
        """Wait until the process is ready; returns an error message, empty on success."""
        assert self._process is not None
        assert self._inbox is not None
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            try:
                message = self._inbox.read()
            except EOFError:
                return self._how_it_ended()
            except ValueError as error:
                return str(error)
            if message is not None:
                return "" if message == READY else escaped(message.decode("utf-8", "replace"))
            listen([self])
        return f"not ready after {_START_SECONDS:g} s"

    def _is_overdue(self, run: Run) -> bool:
        if run.budget.cpu_seconds is None:
            return False
        limit = run.budget.cpu_seconds + run.budget.grace_seconds
        return self._cpu_seconds > limit or self._asleep_seconds > _HANG_FACTOR * limit + _HANG_SECONDS

    def _look(self) -> None:
        """Measure the CPU time of the process and its descendants, and how long they have slept."""
        assert self._process is not None
        tree = list(tree_of(self._process.pid))
        now, cpu = time.monotonic(), cpu_seconds_of(*tree)
        idle = max(0.0, now - self._looked - max(0.0, cpu - self._cpu_now))
        is_quiet = is_asleep(*tree)
        if is_quiet is None:  # a process that waits for a core looks asleep, more often the more others want one
            self._asleep_seconds += idle / max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        elif is_quiet:
            self._asleep_seconds += idle
        self._looked, self._cpu_now = now, max(self._cpu_now, cpu)

    @property
    def _cpu_seconds(self) -> float:
        return self._cpu_now - self._cpu_before

    def _finished(self, message: bytes) -> RunRecord:
        assert self._run is not None
        run = self._run
        try:
            reply = decode(message, self._token)
        except Exception as error:  # any unreadable answer is the outcome of the run
            return self._end(Outcome.ERROR, f"unreadable answer: {escaped(str(error), 200)}")
        self._run = None
        seconds, is_clean = self._leftovers()
        if not (is_clean and reply.is_clean):
            self.stop()
        return _judge(run, replace(reply, cpu_seconds=reply.cpu_seconds + seconds), self._asleep_seconds)

    def _leftovers(self) -> tuple[float, bool]:
        """Return the CPU time of processes left running by the solver, and whether it left nothing behind."""
        assert self._process is not None
        pid = self._process.pid
        left = [member for child in children_of(pid) for member in tree_of(child)]
        return cpu_seconds_of(*left), not (left or has_timers(pid) or self._has_more_threads(pid))

    def _has_more_threads(self, pid: int) -> bool:
        for _ in range(5):
            number = num_threads_of(pid)
            if number is None or self._num_threads is None or number <= self._num_threads:
                return False
            time.sleep(0.002)  # a joined thread takes a moment to disappear
        return True

    def _end(self, outcome: str, error: str) -> RunRecord:
        record = RunRecord(outcome, self._cpu_seconds, time.monotonic() - self._began, error=error)
        self.stop()
        return record

    def _died(self) -> RunRecord:
        wall, how = time.monotonic() - self._began, self._how_it_ended()
        self.stop()
        return RunRecord(Outcome.CRASHED, self._cpu_seconds, wall, error=how)

    def _how_it_ended(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the process closed its connection"
        return f"the process died: {signal_name(-code) if code < 0 else f'exit code {code}'}"


def perform(run: Run, worker: Worker) -> RunRecord:
    """Execute a run on a worker and wait for it."""
    worker.begin(run)
    while (record := worker.poll()) is None:
        listen([worker])
    return record


def listen(workers: Iterable[Worker]) -> None:
    """Wait for a message of a worker, but not for long; raise CancelledError if this thread has been cancelled."""
    _core.raise_if_cancelled()
    wait([worker.connection for worker in workers if worker.connection is not None], timeout=_POLL_SECONDS)


def _interpreter_options() -> list[str]:
    """Return the options that make a child import the same modules, never from its current folder first."""
    if sys.flags.isolated:
        return ["-I"]
    chosen = {"-E": sys.flags.ignore_environment, "-s": sys.flags.no_user_site}
    return ["-P", *(option for option, is_set in chosen.items() if is_set)]


def _judge(run: Run, reply: Reply, asleep_seconds: float) -> RunRecord:
    """Return the record of a run. The worker is not trusted: the grid is verified and the measured time is used."""
    budget, wall, cpu = run.budget.cpu_seconds, reply.wall_seconds, reply.cpu_seconds
    if reply.status is None:
        return RunRecord(Outcome.WRONG if reply.is_wrong else Outcome.ERROR, cpu, wall, error=reply.error)
    record: dict[str, Any] = {
        "cpu_seconds": cpu,
        "wall_seconds": wall,
        "reported_seconds": reply.seconds,
        "cost": reply.cost,
        "stats": reply.stats,
        "trace": reply.trace,
        "error": reply.error,
    }
    solution = _verified(run.puzzle, reply.solution) if reply.status is Status.SOLVED else None
    if reply.status is Status.SOLVED and solution is None:
        return RunRecord(Outcome.WRONG, **{**record, "error": "the solver returned an invalid solution"})
    if budget is not None:
        limit = _LATE_FACTOR * budget + min(_LATE_SECONDS, budget)
        if max(cpu, asleep_seconds) > limit:
            spent = f"{cpu:.2f} s" if cpu > limit else f"slept {asleep_seconds:.2f} s"
            return RunRecord(Outcome.LATE, **{**record, "error": f"{spent} for a budget of {budget:g} s"})
    measured = min(cpu, wall)  # solvers report either; several threads use more CPU time
    if reply.seconds < _LIE_FACTOR * measured - _LIE_SECONDS:
        record["error"] = reply.error or f"reported {reply.seconds:.3f} s, took {measured:.3f} s"
    if reply.error:
        return RunRecord(Outcome.ERROR, **record)
    if solution is not None:
        return RunRecord(Outcome.SOLVED, solution=solution.line, **record)
    return RunRecord(Outcome.UNSATISFIABLE if reply.status is Status.UNSATISFIABLE else Outcome.UNSOLVED, **record)


def _verified(puzzle: Puzzle, cells: bytes | None) -> Puzzle | None:
    """Return the grid if it solves the puzzle, otherwise None."""
    try:
        grid = Puzzle(cells or b"", puzzle.box)
    except PuzzleError:
        return None
    return grid if is_solution(grid, puzzle) else None
