"""The machine: its description, and pinning to one core for measurements."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["Machine", "first_core", "machine", "num_cores", "one_core"]


@dataclass(frozen=True)
class Machine:
    """The machine that executed runs."""

    host: str
    processor: str
    num_cores: int
    system: str
    python: str


@cache
def machine() -> Machine:
    """Return a description of this machine."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        models = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        processor = models[0] if models else processor
    return Machine(socket.gethostname(), processor, os.cpu_count() or 1, platform.platform(), platform.python_version())


def num_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def first_core() -> int | None:
    """Return the number of the first core this thread may use; None if the system does not tell."""
    return min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


@contextmanager
def one_core() -> Iterator[None]:
    """Pin this thread, and everything it starts in the meantime, to its first core, if the system supports it."""
    core = first_core()
    if core is None:
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
