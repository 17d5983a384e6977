"""Who has claimed a run, and whether the claim still holds."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from sudokulab._internal.machine import machine

__all__ = ["Claimant", "this_process"]

_CLAIM_SECONDS = 120  # a claim from another machine that was not renewed for so long is void


class Claimant(NamedTuple):
    """A process that may claim runs: its host, its number and when it was started."""

    host: str
    process: str

    def holds(self, renewed: float) -> bool:
        """Tell whether its claim keeps this process out.

        On this machine it does while the process is there; on another one while it renews the claim.
        """
        if self == this_process():
            return False
        if self.host != machine().host:
            return time.time() - renewed < _CLAIM_SECONDS
        pid, _, began = self.process.partition("/")
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return _began(int(pid)) == began


def this_process() -> Claimant:
    """Return this process, told from a later one with the same number by when it was started."""
    return Claimant(machine().host, f"{os.getpid()}/{_began(os.getpid())}")


def _began(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "?"
