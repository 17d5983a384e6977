"""Other processes: their resource use, their children, and ending them together with us."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path
from typing import Any

__all__ = [
    "adopt_orphans",
    "children_of",
    "cpu_seconds_of",
    "die_with_parent",
    "family_of",
    "has_timers",
    "kill",
    "num_threads_of",
    "signal_name",
    "start_time_of",
    "tree_cpu_seconds_of",
]

_prctl: Any = None
with contextlib.suppress(AttributeError, OSError):
    _prctl = ctypes.CDLL(None).prctl  # resolved here: nothing may be loaded after a fork
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def die_with_parent() -> None:
    """Ask the system to kill this process when its parent ends (Linux only)."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends (Linux only)."""
    if _prctl is not None:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def cpu_seconds_of(pid: int) -> float | None:
    """Return the CPU time of a process and of the children it has waited for; None if unknown."""
    try:
        return sum(int(ticks) for ticks in _stat_of(pid)[11:15]) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return None


def tree_cpu_seconds_of(pid: int) -> float:
    """Return the CPU time of a process and all its descendants, as far as the system tells."""
    return (cpu_seconds_of(pid) or 0.0) + sum(tree_cpu_seconds_of(child) for child in children_of(pid))


def children_of(pid: int) -> list[int]:
    """Return the children of all threads of a process, as far as the system tells."""
    children: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            children += map(int, (thread / "children").read_text().split())
    return children


def family_of(pid: int) -> list[int]:
    """Return a process and all its descendants, as far as the system tells."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(entry.name)] = int(_stat_of(int(entry.name))[1])
    family = [pid]
    for member in family:  # the list grows during iteration
        family += [child for child, parent in parents.items() if parent == member]
    return family


def num_threads_of(pid: int) -> int | None:
    """Return the number of threads of a process; None if unknown."""
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return None


def has_timers(pid: int) -> bool:
    """Return whether a process has POSIX timers, as far as the system tells."""
    try:
        return bool(Path(f"/proc/{pid}/timers").read_text())
    except OSError:
        return False


def start_time_of(pid: int) -> str | None:
    """Return the start time of a process in ticks since boot; None if it has ended or the time is unknown."""
    try:
        fields = _stat_of(pid)
    except OSError:
        return None
    return None if fields[0] in ("Z", "X") else fields[19]


def kill(pids: list[int]) -> None:
    """Kill processes; skip those that have already ended."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV; for a real-time signal, only its number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _stat_of(pid: int) -> list[str]:
    """Return the fields of ``/proc/PID/stat`` after the name: state, parent, and so on."""
    fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    if len(fields) < 20:
        raise ProcessLookupError(pid)
    return fields
