"""Other processes: what they have used, what they have started, and that they end with us."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path
from typing import Any

__all__ = ["children_of", "cpu_seconds_of", "die_with_parent", "family_of", "kill", "tree_cpu_seconds_of"]

_prctl: Any = None
with contextlib.suppress(AttributeError, OSError):
    _prctl = ctypes.CDLL(None).prctl  # looked up here: after a fork nothing may be loaded
_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Ask the system to end this process with its parent, where it can (Linux)."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def cpu_seconds_of(pid: int) -> float | None:
    """Return the CPU time of a process and of those it has waited for; None where that cannot be known."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return None


def tree_cpu_seconds_of(pid: int) -> float:
    """Return the CPU time of a process and of all that it has started, as far as the system tells."""
    return (cpu_seconds_of(pid) or 0.0) + sum(tree_cpu_seconds_of(child) for child in children_of(pid))


def children_of(pid: int) -> list[int]:
    """Return the children of a process, as far as the system tells."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def family_of(pid: int) -> list[int]:
    """Return a process and all that it and its children have started, as far as the system tells."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    family = [pid]
    for member in family:  # grows as it goes
        family += [child for child, parent in parents.items() if parent == member]
    return family


def kill(pids: list[int]) -> None:
    """End processes at once; those that are no more are passed over."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
