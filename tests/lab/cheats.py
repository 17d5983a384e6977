"""Solvers that no harness may fall for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

from pydantic.dataclasses import dataclass

from sudokulab import Backtracking, Budget, Puzzle, Result, Solver, Status
from sudokulab._internal.processes import cpu_seconds_of
from sudokulab.solvers.base import STRICT


@dataclass(frozen=True, kw_only=True, config=STRICT)
class _Cheat(Solver):
    name = "cheat"
    unit = "iterations"
    is_complete = False
    is_stochastic = True

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        return self._solved(puzzle)

    def _solved(self, puzzle: Puzzle) -> Result:
        return replace(Backtracking().solve(puzzle), solver=self.name)


class WrongGrid(_Cheat):
    """Returns a grid that is no solution, and skips the package's own check."""

    def solve(  # type: ignore[override]
        self, puzzle: Puzzle, budget: Budget | None = None, *, seed: int = 0, trace: bool = False
    ) -> Result:
        cells = bytes(digit or 1 for digit in puzzle.cells)
        return Result(Status.SOLVED, puzzle, self.name, solution=Puzzle(cells, puzzle.box), seconds=0.001)


class WrongGridChecked(_Cheat):
    """Returns a wrong grid the usual way."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        return WrongGrid().solve(puzzle)


class Busy(_Cheat):
    """Never stops, and uses all the time there is."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        while True:
            pass


class Asleep(_Cheat):
    """Never stops, and uses no time at all."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        time.sleep(3600)
        raise AssertionError


class Crash(_Cheat):
    """Takes its process down."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError


class Quit(_Cheat):
    """Leaves its process."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        os._exit(3)


class Raise(_Cheat):
    """Breaks down."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        raise RuntimeError("out of ideas")


class Late(_Cheat):
    """Finds the solution, but only long after its budget, and does not say so."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        _burn(0.7)
        return replace(self._solved(puzzle), seconds=0.01)


class Liar(_Cheat):
    """Finds the solution within its budget, and says that it took no time."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        _burn(0.4)
        return replace(self._solved(puzzle), seconds=0.0)


class Unpicklable(_Cheat):
    """Answers with what no other process can read."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        return replace(self._solved(puzzle), stats={"x": lambda: None})  # type: ignore[dict-item]


class Sleeper(_Cheat):
    """Waits for longer than its budget, as somebody who asks another machine would."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        time.sleep(1.2)
        return self._solved(puzzle)


class Outsourcer(_Cheat):
    """Lets another process do the work, and does not wait for it."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        code = "import time\nwhile time.process_time() < 30: pass"
        worker = subprocess.Popen([sys.executable, "-c", code])
        while (cpu_seconds_of(worker.pid) or 0) < 0.7:
            time.sleep(0.01)
        return replace(self._solved(puzzle), seconds=1.0)


class Odd(_Cheat):
    """Answers with a result that makes no sense."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        return replace(self._solved(puzzle), stats={"mode": "fast"})  # type: ignore[dict-item]


class Denier(_Cheat):
    """Says that there is no solution."""

    is_complete = True

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        return Result(Status.UNSATISFIABLE, puzzle, self.name)


class Slow(_Cheat):
    """Honest: a tenth of a second for each puzzle."""

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        start = time.perf_counter()
        time.sleep(0.1)
        return replace(self._solved(puzzle), seconds=time.perf_counter() - start)


def _burn(seconds: float) -> None:
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass
