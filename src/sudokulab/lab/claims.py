"""Who has claimed a run, and whether the claim still holds.

A claim carries a random token, because names of hosts and numbers of processes repeat: two containers often have the
same. Where the process of a claim can be looked up (the same boot, the same process namespace) its claim ends with it.
Elsewhere the heartbeat decides.
"""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from sudokulab._internal.processes import start_time_of

__all__ = ["HEARTBEAT_SECONDS", "Claimant", "new_claimant"]

HEARTBEAT_SECONDS = 10
"""How often a claim is renewed."""
_CLAIM_SECONDS = 120  # a claim that was not renewed for this long is void; clocks must agree better than that


class Claimant(NamedTuple):
    """An open store that may claim runs.

    Parameters
    ----------
    token
        A random identity.
    place
        Where its process number is valid: boot and process namespace. Empty where the system does not tell.
    process
        The number of its process and when that was started, which tells it from a later one with the same number.
    """

    token: str
    place: str
    process: str

    def keeps_out(self, other: Claimant, renewed: float) -> bool:
        """Tell whether a claim of this one, last renewed at that time, still holds against another claimant."""
        if self.token == other.token:
            return False
        if self.place and self.place == other.place and self.process != other.process:
            pid, _, start = self.process.partition("/")
            return pid.isdecimal() and start_time_of(int(pid)) == start
        return abs(time.time() - renewed) < _CLAIM_SECONDS


def new_claimant() -> Claimant:
    """Return an identity for a store that this process opens."""
    pid = os.getpid()
    start = start_time_of(pid)
    return Claimant(secrets.token_hex(16), _place() if start else "", f"{pid}/{start}")


def _place() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""
