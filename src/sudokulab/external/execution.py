"""Run a program within a budget, and end it with all its children.

It runs without a shell, as the leader of a process group of its own, which is ended as a whole: at the end of the
budget, on Ctrl-C, and after the program itself has ended. First it is asked (SIGTERM), after a twentieth of a second it
is made to (SIGKILL). Only a child that has left the group gets away.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sudokulab._internal.processes import die_with_parent, signal_name, tree_cpu_seconds_of
from sudokulab.clock import Clock

__all__ = ["MAX_OUTPUT_BYTES", "Execution", "execute", "last_line"]

MAX_OUTPUT_BYTES = 64 << 20
_GRACE_SECONDS = 0.05


@dataclass(frozen=True)
class Execution:
    """What became of a program."""

    exit_code: int
    wall_seconds: float
    cpu_seconds: float
    was_ended: bool
    """Whether it was stopped, and did not end by itself."""
    is_too_long: bool
    """Whether it printed more than it may."""
    output: str
    errors: str

    @property
    def stats(self) -> dict[str, int | float]:
        """What a result holds of it."""
        return {
            "wall_seconds": self.wall_seconds,
            "cpu_seconds": self.cpu_seconds,
            "exit_code": self.exit_code,
        }

    def describe_end(self) -> str:
        """Say how it ended, with the last thing it said."""
        how = f"exit code {self.exit_code}"
        if self.exit_code < 0:
            how = f"killed by {signal_name(-self.exit_code)}"
        remark = last_line(self.errors or self.output)
        return f"{how}: {remark}" if remark else how


class _Group:
    """A program and its children; it can be told to end before it has begun."""

    def __init__(self) -> None:
        self._leader: int | None = None
        self._asked_at: float | None = None
        self._is_killed = False

    @property
    def was_asked(self) -> bool:
        return self._asked_at is not None

    def begin(self, leader: int) -> None:
        """Take the process that leads the group."""
        self._leader = leader
        if self._is_killed:
            self.kill()

    def end(self) -> None:
        """Ask to end; when called again, after a while, make it end."""
        if self._asked_at is None:
            self._asked_at = time.perf_counter()
            self._send(signal.SIGTERM)
        elif time.perf_counter() - self._asked_at >= _GRACE_SECONDS:
            self.kill()

    def kill(self) -> None:
        self._is_killed = True
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        if self._leader is not None:
            with suppress(ProcessLookupError, PermissionError):  # all have ended; macOS says so in the second way
                os.killpg(self._leader, number)


def execute(words: Sequence[str], file: Path, clock: Clock) -> Execution:
    """Run a program to its end, or that of the clock. It prints into files: a pipe fills up, and children hold it.

    The thread that waits for the program also starts it. Ctrl-C reaches only the main thread, which therefore always
    knows the group that it has to end.
    """
    printed = output, errors = file.with_name("output"), file.with_name("errors")
    group = _Group()

    def run() -> tuple[int, float, float]:
        with file.open("rb") as stdin, output.open("wb") as stdout, errors.open("wb") as stderr:
            process = subprocess.Popen(
                words, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True, preexec_fn=die_with_parent
            )
        group.begin(process.pid)
        clock.count_cpu_of(partial(tree_cpu_seconds_of, process.pid))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, clock.seconds, usage.ru_utime + usage.ru_stime

    def is_too_long() -> bool:
        return any(path.exists() and path.stat().st_size > MAX_OUTPUT_BYTES for path in printed)

    try:
        exit_code, wall_seconds, cpu_seconds = clock.watch(run, group.end, is_too_long)
    finally:
        group.kill()
    is_flood = is_too_long()
    texts = ("", "") if is_flood else (path.read_text(encoding="utf-8", errors="replace") for path in printed)
    return Execution(exit_code, wall_seconds, cpu_seconds, group.was_asked, is_flood, *texts)


def last_line(text: str) -> str:
    """Return the last line that says something, cut to 200 characters."""
    lines = text.strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""
