"""Without the modules and flags that only POSIX has, everything but experiments and programs works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab import SudokulabError
from sudokulab._internal.system import require_posix

WITHOUT_POSIX = """
import asyncio, os, subprocess, sys, tempfile  # the standard library is that of this system
for module in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[module] = None
for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_TMPFILE", "fchmod", "getuid", "sched_getaffinity"):
    delattr(os, name)
import select
del select.poll

class Msvcrt:
    LK_NBLCK = 1
    locked = set()

    @classmethod
    def locking(cls, descriptor, mode, size):
        if (key := os.fstat(descriptor).st_ino) in cls.locked:
            raise PermissionError(13, "locked")
        cls.locked.add(key)

sys.modules["msvcrt"] = Msvcrt
"""


def run_without_posix(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX + code], cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "1.....3..4.....2"],
        ["solve", "easy", "-o", "solved.csv"],
        ["generate", "--count", "3", "--seed", "1", "-o", "made.txt"],
        ["rate", "1.....3..4.....2"],
        ["convert", "easy", "easy.sdm"],
        ["bench", "--help"],
        ["solvers"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_work(arguments: list[str], tmp_path: Path) -> None:
    done = run_without_posix(f"sys.argv[1:] = {arguments!r}\nfrom sudokulab.cli import main\nmain()", tmp_path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr.startswith("Traceback")


@pytest.mark.parametrize("extra", ["lab", "bench.throughput", "web.app"])
def test_parts_can_be_imported(extra: str, tmp_path: Path) -> None:
    done = run_without_posix(f"import importlib\nimportlib.import_module('sudokulab.{extra}')", tmp_path)
    assert done.returncode == 0, done.stderr


def test_experiments_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "name", "nt")
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SudokulabError, match="experiments need Linux or macOS, not win32; on Windows, use"):
        require_posix("experiments")
