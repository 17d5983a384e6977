"""Other processes: their resource use, their children, and ending them together with us."""

from __future__ import annotations

import contextlib
import ctypes
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

import psutil

__all__ = [
    "adopt_orphans",
    "children_of",
    "cpu_seconds_of",
    "die_with_parent",
    "has_timers",
    "is_asleep",
    "kill_tree",
    "num_threads_of",
    "signal_name",
    "tree_of",
]


class _Prctl(Protocol):
    def __call__(self, option: int, value: int, /) -> int: ...


_prctl: _Prctl | None = None
with contextlib.suppress(AttributeError, OSError, TypeError):  # Linux only
    _prctl = cast(_Prctl, ctypes.CDLL(None).prctl)  # resolved here: nothing may be loaded after a fork
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


def cpu_seconds_of(*pids: int) -> float:
    """Return the CPU time of processes and, on Linux, of the children they have waited for; 0 for unknown processes."""
    total = 0.0
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            total += sum(psutil.Process(pid).cpu_times()[:4])
    return total


def children_of(pid: int) -> list[int]:
    """Return the children of a process; none if it is unknown.

    psutil compares the parents of all processes, which takes as long as many runs. Linux lists the children by thread.
    """
    threads = Path(f"/proc/{pid}/task")
    children: list[int] = []
    if not (threads / str(pid) / "children").exists():
        with contextlib.suppress(psutil.Error):
            children += [child.pid for child in psutil.Process(pid).children()]
        return children
    with contextlib.suppress(OSError):  # the process may end at any moment
        for thread in threads.iterdir():
            with contextlib.suppress(OSError):
                children += map(int, (thread / "children").read_text().split())
    return children


def tree_of(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    for child in children_of(pid):
        yield from tree_of(child)


def is_asleep(*pids: int) -> bool | None:
    """Return whether no thread of these processes runs, or waits for a core or disk; None if the system does not tell.

    Linux has the state of each thread. On macOS, psutil calls every process running.
    """
    if not Path("/proc/self/task").exists():
        return None
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                with contextlib.suppress(OSError):
                    if (thread / "stat").read_text().rpartition(")")[2].split()[0] in ("R", "D"):
                        return False
    return True


def kill_tree(pid: int) -> None:
    """Kill a process and all its descendants, also those that start meanwhile.

    The process is stopped first and killed last: as a parent, and on Linux as the one that adopts orphans, it still
    leads to every descendant. Those that ended stay its children until then, as zombies.
    """
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        process.suspend()
        while living := [child for child in process.children(recursive=True) if not _is_zombie(child)]:
            for child in living:
                with contextlib.suppress(psutil.Error):
                    child.kill()
        process.kill()


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def num_threads_of(pid: int) -> int | None:
    """Return the number of threads of a process; None if unknown."""
    try:
        return int(psutil.Process(pid).num_threads())
    except psutil.Error:
        return None


def has_timers(pid: int) -> bool:
    """Return whether a process has POSIX timers (Linux only)."""
    try:
        return bool(Path(f"/proc/{pid}/timers").read_text())
    except OSError:
        return False


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV; for a real-time signal, only its number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
