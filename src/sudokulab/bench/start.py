"""The time of one command, from the start of the process to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from sudokulab.bench.throughput import Rates, Turn, Workload, take_turns
from sudokulab.errors import SudokulabError

__all__ = ["COMMANDS", "measure"]

_PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

COMMANDS: dict[str, tuple[list[str], str]] = {
    "sudokulab solve PUZZLE": (["-m", "sudokulab", "solve", _PUZZLE], _SOLUTION),
    "python -c pass": (["-c", "pass"], ""),
    "python -c 'import numpy'": (["-c", "import numpy"], ""),
}
"""The command, and two others for comparison, by name: the arguments of the interpreter, and the expected output."""


def measure(rounds: int = 7, *, progress: bool = True) -> list[Rates]:
    """Measure the start of the command line in wall time; see `throughput.take_turns`."""
    return take_turns([_Starting(name) for name in COMMANDS], 1, rounds, progress=progress)


class _Starting(Turn):
    def __init__(self, name: str) -> None:
        super().__init__(name, False, Workload.START)
        self._arguments, self._expected = COMMANDS[name]

    def prepare(self, number: int) -> None:
        pass

    def answer(self) -> tuple[str, float]:
        command = [sys.executable, *self._arguments]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        seconds = time.perf_counter() - start
        if done.returncode:
            raise SudokulabError(done.stderr.strip())
        return done.stdout.strip(), seconds

    def complaint(self, answers: str) -> str:
        return "" if answers == self._expected else f"printed {answers!r}"
