"""Processes that start and end while others look at them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from sudokulab._internal.processes import kill_tree, tree_of
from tests.timing import wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")

RESTLESS = "while :; do /bin/true; done"
GROWING = """
import os, time
from sudokulab._internal.processes import adopt_orphans

adopt_orphans()
for _ in range(60):  # each process starts one, which leaves the session
    if os.fork():
        time.sleep(600)
        break
    os.setsid()
"""


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command) as process:
        try:
            yield process
        finally:
            process.kill()


def test_processes_may_end_while_their_tree_is_listed() -> None:
    with started("/bin/sh", "-c", RESTLESS) as shell:
        for _ in range(5000):
            assert next(tree_of(shell.pid)) == shell.pid


def test_a_tree_that_grows_is_killed(tmp_path: Path) -> None:
    mark = str(tmp_path)
    with started(sys.executable, "-c", GROWING, mark) as process:
        wait_until(lambda: len(psutil.Process(process.pid).children(recursive=True)) >= 3)
        kill_tree(process.pid)
        process.wait()
        assert not [one.pid for one in psutil.process_iter(["cmdline"]) if mark in (one.info["cmdline"] or [])]
