"""Faulty and cheating solvers, all of which the harness must detect."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from sudokulab import Budget, Puzzle, Result, Solver, Status
from sudokulab._internal.processes import cpu_seconds_of
from sudokulab.lab.messages import Reply, encode
from sudokulab.parameters import parameters
from sudokulab.search.trace import Trace
from sudokulab.solvers import Backtracking


@parameters
class _Cheat(Solver):
    name = "cheat"
    unit = "iterations"
    is_complete = False
    is_stochastic = True

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return self._solved(puzzle)

    def _solved(self, puzzle: Puzzle) -> Result:
        return replace(Backtracking().solve(puzzle), solver=self.name)


class WrongGrid(_Cheat):
    """Returns an invalid solution and skips the check of the package."""

    def solve(  # type: ignore[override]
        self, puzzle: Puzzle, budget: Budget | None = None, *, seed: int = 0, trace: bool = False
    ) -> Result:
        cells = bytes(digit or 1 for digit in puzzle.cells)
        return Result(Status.SOLVED, puzzle, self.name, solution=Puzzle(cells, puzzle.box), seconds=0.001)


class WrongGridChecked(_Cheat):
    """Returns an invalid solution that the package checks."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return WrongGrid().solve(puzzle)


class Busy(_Cheat):
    """Never stops and uses CPU time."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        while True:
            pass


class Asleep(_Cheat):
    """Never stops and uses no CPU time."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        time.sleep(3600)
        raise AssertionError


class Crash(_Cheat):
    """Crashes its process."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError


class Quit(_Cheat):
    """Exits its process."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        os._exit(3)


class Raise(_Cheat):
    """Raises an exception."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        raise RuntimeError("out of ideas")


class Late(_Cheat):
    """Finds the solution long after its budget and misreports its time."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        _burn(0.7)
        return replace(self._solved(puzzle), seconds=0.01)


class Liar(_Cheat):
    """Finds the solution within its budget and reports almost no time."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        _burn(0.4)
        return replace(self._solved(puzzle), seconds=1e-6)


class Steady(_Cheat):
    """Honest; needs half of a budget of 0.3 s."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        _burn(0.15)
        return self._solved(puzzle)


class Delegate(_Cheat):
    """Honest; sleeps while a process of its own needs half of a budget of 0.3 s."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.15: pass"], check=True)
        return self._solved(puzzle)


class Unpicklable(_Cheat):
    """Returns an answer that cannot be sent to another process."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), stats={"x": lambda: None})  # type: ignore[dict-item]


class Sleeper(_Cheat):
    """Sleeps for longer than its budget, as if another machine did the work."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        time.sleep(1.2)
        return self._solved(puzzle)


class Outsourcer(_Cheat):
    """Starts another process and does not wait for it."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        code = "import time\nwhile time.process_time() < 30: pass"
        worker = subprocess.Popen([sys.executable, "-c", code])
        while cpu_seconds_of(worker.pid) < 0.7:
            time.sleep(0.01)
        return replace(self._solved(puzzle), seconds=1.0)


class Odd(_Cheat):
    """Returns an invalid result."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), stats={"mode": "fast"})  # type: ignore[dict-item]


class Denier(_Cheat):
    """Reports that the puzzle has no solution."""

    is_complete = True

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return Result(Status.UNSATISFIABLE, puzzle, self.name)


class Slow(_Cheat):
    """Honest; takes a tenth of a second per puzzle."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        start = time.perf_counter()
        time.sleep(0.1)
        return replace(self._solved(puzzle), seconds=time.perf_counter() - start)


class RealTimeSignal(_Cheat):
    """Dies from a signal without a name."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        os.kill(os.getpid(), 40)
        raise AssertionError


class HugeStats(_Cheat):
    """Returns a statistic that is too large for a float."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), stats={"steps": 10**400})


class NanStats(_Cheat):
    """Returns a statistic that is not a number."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), stats={"ratio": float("nan")})


class NanSeconds(_Cheat):
    """Reports a time that is not a number."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), seconds=float("nan"))


class Surrogate(_Cheat):
    """Raises an error that cannot be encoded."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        raise RuntimeError("half of a pair: \ud800, \x1b[31mred")


class Unspeakable(_Cheat):
    """Raises an error whose message cannot be read."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        class SilentError(Exception):
            def __str__(self) -> str:
                raise RuntimeError("no comment")

        raise SilentError


class Verbose(_Cheat):
    """Raises an error with a message of 100 MB."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        raise RuntimeError("very " * 20_000_000)


class ErrorNumber(_Cheat):
    """Returns an error that is not text."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), error=5)  # type: ignore[arg-type]


class Nothing(_Cheat):
    """Returns nothing."""

    def solve(  # type: ignore[override]
        self, puzzle: Puzzle, budget: Budget | None = None, *, seed: int = 0, trace: bool = False
    ) -> Result:
        return None  # type: ignore[return-value]


class FileTrace(_Cheat):
    """Uses parameter names of numpy and mathematical markup as names of trace columns."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        names = ("file", r"b$\frac$", "allow_pickle", "x/../y", "\ud800")
        return replace(self._solved(puzzle), trace={name: np.arange(3.0) for name in names})


class ObjectTrace(_Cheat):
    """Returns a trace of objects."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), trace={"x": np.array([object(), {}], dtype=object)})


class UnevenTrace(_Cheat):
    """Returns columns of different lengths."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), trace={"x": np.arange(3.0), "y": np.arange(5.0)})


class HugeTrace(_Cheat):
    """Returns a trace of 80 MB, which takes no memory in the worker."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), trace={"x": np.broadcast_to(np.float64(1), (10_000_000,))})


class Hangup(_Cheat):
    """Closes the connection of its worker and keeps running."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        os.closerange(3, 256)
        time.sleep(3600)
        raise AssertionError


class Bomb(_Cheat):
    """Returns an object that runs code when it is unpickled."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), stats={"steps": _Explosive()})


class _Explosive(float):
    """Creates a file when it is unpickled."""

    def __reduce__(self) -> Any:
        return Path.touch, (Path(os.environ["SUDOKULAB_TEST_MARK"]),)


class _Forger(_Cheat):
    """Writes to every open descriptor, including the connection."""

    def _message(self) -> bytes:
        raise NotImplementedError

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        message = self._message()
        for descriptor in range(3, 64):
            with suppress(OSError):
                os.write(descriptor, message)
        time.sleep(3600)
        raise AssertionError


class PickleForger(_Forger):
    """Answers with a pickle."""

    def _message(self) -> bytes:
        data = pickle.dumps(_Explosive(1))
        return len(data).to_bytes(8, "big") + data


class HalfForger(_Forger):
    """Announces 100 bytes and sends one."""

    def _message(self) -> bytes:
        return (100).to_bytes(8, "big") + b"x"


class EndlessForger(_Forger):
    """Announces an impossible number of bytes."""

    def _message(self) -> bytes:
        return (1 << 62).to_bytes(8, "big") + b"x"


class StaleForger(_Forger):
    """Answers a request that was never made."""

    def _message(self) -> bytes:
        data = encode(Reply(Status.SOLVED, 0.0, 0.0), "0" * 32)
        return len(data).to_bytes(8, "big") + data


class Alarm(_Cheat):
    """Leaves a timer behind that kills the process."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        return self._solved(puzzle)


class Handler(_Cheat):
    """Leaves a handler that raises, and a blocked signal, behind."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        def refuse(*_: object) -> None:
            raise RuntimeError("not my run")

        signal.signal(signal.SIGCHLD, refuse)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        return self._solved(puzzle)


class Thread(_Cheat):
    """Leaves a thread behind that exits the process."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        threading.Timer(0.05, os._exit, [9]).start()
        return self._solved(puzzle)


class Deserter(_Cheat):
    """Leaves a detached process behind that stops the worker."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        code = (
            f"import os, time\nif os.fork(): os._exit(0)\ntime.sleep(0.05)\nos.kill({os.getpid()}, 19)\ntime.sleep(60)"
        )
        subprocess.run([sys.executable, "-c", code], start_new_session=True, check=True)
        return self._solved(puzzle)


class Tracer(_Cheat):
    """Leaves a trace function that fails in the next run."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        def complain(frame: FrameType, event: str, argument: object) -> None:
            if frame.f_code.co_name == "run":
                raise RuntimeError("a leftover trace function")

        result = self._solved(puzzle)
        sys.settrace(complain)
        return result


class Patcher(_Cheat):
    """Leaves a changed function of the package."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        result = self._solved(puzzle)
        Backtracking.solve = lambda *_, **__: None  # type: ignore[assignment, method-assign]
        return result


class Limiter(_Cheat):
    """Leaves a limit on the number of open files."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        result = self._solved(puzzle)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
        return result


class Reader(_Cheat):
    """Opens a file."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        Path(os.devnull).read_bytes()
        return self._solved(puzzle)


class Counted(_Cheat):
    """Reports the number of its process."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return replace(self._solved(puzzle), stats={"pid": os.getpid()})


class Patient(_Cheat):
    """Honest; needs a working child process and a working alarm."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        start = time.perf_counter()
        is_late = threading.Event()
        before = signal.signal(signal.SIGALRM, lambda *_: is_late.set())
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        subprocess.run(["true"], check=True)
        is_late.wait()
        signal.signal(signal.SIGALRM, before)
        return replace(self._solved(puzzle), seconds=time.perf_counter() - start)


def _burn(seconds: float) -> None:
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass
