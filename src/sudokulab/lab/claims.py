"""Claims on runs, and their expiry.

A claim carries a random token because host names and process IDs are not unique: containers often share them. On the
same machine (same boot, same process namespace) a claim expires with its process. On other machines it expires when it
has not been renewed for some time.
"""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path
from typing import NamedTuple

__all__ = ["CLAIM_SECONDS", "HEARTBEAT_SECONDS", "Claimant", "new_claimant"]

HEARTBEAT_SECONDS = 10
"""The interval at which claims are renewed."""
CLAIM_SECONDS = 120
"""The time after which a claim expires without renewal; clocks must agree better than that."""


class Claimant(NamedTuple):
    """The identity of an open store that claims runs.

    Parameters
    ----------
    token
        A random identifier.
    place
        The boot and the process namespace, within which a process ID is unique; empty if unknown.
    process
        The process ID and the start time, which distinguishes processes that reuse an ID.
    """

    token: str
    place: str
    process: str

    def keeps_out(self, other: Claimant, renewed: float) -> bool:
        """Return whether a claim of this claimant, renewed at the given time, blocks another claimant."""
        if self.token == other.token:
            return False
        if self.place and self.place == other.place and self.process != other.process:
            pid, _, start = self.process.partition("/")
            return pid.isdecimal() and _start_time_of(int(pid)) == start
        return abs(time.time() - renewed) < CLAIM_SECONDS


def new_claimant() -> Claimant:
    """Return a new identity for a store opened by this process."""
    pid = os.getpid()
    start = _start_time_of(pid)
    return Claimant(secrets.token_hex(16), _place() if start else "", f"{pid}/{start}")


def _start_time_of(pid: int) -> str | None:
    """Return the start time of a process in ticks since boot, which no change of the clock affects.

    Returns None if the process has ended, or on systems other than Linux.
    """
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if state in ("Z", "X") else fields[18]


def _place() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""
