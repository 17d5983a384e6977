"""Run a program within a budget, and terminate it with all its children.

The program runs without a shell, as the leader of its own process group. The whole group is terminated at the end of
the budget, on Ctrl-C, and after the program itself has exited: SIGTERM first, SIGKILL 50 ms later. Only children that
leave the group survive.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sudokulab._internal.processes import cpu_seconds_of, die_with_parent, signal_name, tree_of
from sudokulab._internal.system import require_posix
from sudokulab.search.clock import Clock

__all__ = ["MAX_OUTPUT_BYTES", "Execution", "execute", "last_line"]

MAX_OUTPUT_BYTES = 64 << 20
_GRACE_SECONDS = 0.05


@dataclass(frozen=True)
class Execution:
    """The outcome of running a program."""

    exit_code: int
    wall_seconds: float
    cpu_seconds: float
    was_ended: bool
    """Whether it was stopped before it exited."""
    is_too_long: bool
    """Whether it printed more than MAX_OUTPUT_BYTES."""
    output: str
    errors: str

    @property
    def stats(self) -> dict[str, int | float]:
        """The statistics for a result."""
        return {
            "wall_seconds": self.wall_seconds,
            "cpu_seconds": self.cpu_seconds,
            "exit_code": self.exit_code,
        }

    def describe_end(self) -> str:
        """Describe how the program ended, with the last line it printed."""
        how = f"exit code {self.exit_code}"
        if self.exit_code < 0:
            how = f"killed by {signal_name(-self.exit_code)}"
        remark = last_line(self.errors or self.output)
        return f"{how}: {remark}" if remark else how


class _Group:
    """A program and its children. It can be killed even before it has started."""

    def __init__(self) -> None:
        self._leader: int | None = None
        self._asked_at: float | None = None
        self._is_killed = False

    @property
    def was_asked(self) -> bool:
        return self._asked_at is not None

    def begin(self, leader: int) -> None:
        """Set the process that leads the group."""
        self._leader = leader
        if self._is_killed:
            self.kill()

    def end(self) -> None:
        """Send SIGTERM; if called again after the grace period, send SIGKILL."""
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
            with suppress(ProcessLookupError, PermissionError):  # no process left; macOS raises the second
                os.killpg(self._leader, number)


def execute(words: Sequence[str], file: Path, clock: Clock) -> Execution:
    """Run a program until it exits or the clock stops it.

    Output goes to files, because a pipe could fill up or be held open by children. The thread that waits for the
    program also starts it: Ctrl-C interrupts only the main thread, which therefore always knows which group to
    terminate.
    """
    require_posix("programs as solvers")
    printed = output, errors = file.with_name("output"), file.with_name("errors")
    group = _Group()

    def run() -> tuple[int, float, float]:
        with file.open("rb") as stdin, output.open("wb") as stdout, errors.open("wb") as stderr:
            process = subprocess.Popen(
                words, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True, preexec_fn=die_with_parent
            )
        group.begin(process.pid)
        clock.count_cpu_of(lambda: cpu_seconds_of(*tree_of(process.pid)))
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
    """Return the last non-blank line, cut to 200 characters."""
    lines = text.strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""
