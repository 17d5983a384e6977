"""The memory that a call uses."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path


def most_bytes(call: Callable[[], object]) -> int:
    """Return the most memory that a call used at a time, with its result."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def peak_megabytes(*arguments: str | Path) -> tuple[subprocess.CompletedProcess[str], float]:
    """Run a command of ``sudokulab`` in a new process; return it and the most memory that it used. Linux only."""
    command = [sys.executable, "-c", _MEASURED, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines, _, last = done.stderr.rstrip("\n").rpartition("\n")
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout, f"{lines}\n"), int(last) / 1024


_MEASURED = """
import sys
from sudokulab.cli import main
try:
    main()
finally:
    sys.stdout.flush()
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    print(status["VmHWM"].split()[0], file=sys.stderr)  # unlike ru_maxrss, without the parent's memory
"""
