"""Without the modules and flags that only POSIX has, everything but experiments and programs works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab import SudokulabError, lab
from sudokulab._internal import system
from sudokulab.external import CommandSolver
from tests.cases import for_each
from tests.puzzles import TINY
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

WITHOUT_POSIX = """
import asyncio, os, psutil, subprocess, sys, tempfile  # the standard library and psutil are those of this system
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
        if os.lseek(descriptor, 0, os.SEEK_CUR) < os.fstat(descriptor).st_size:
            raise OSError("others could not read the file")
        if (key := os.fstat(descriptor).st_ino) in cls.locked:
            raise PermissionError(13, "locked")
        cls.locked.add(key)

sys.modules["msvcrt"] = Msvcrt
import sudokulab._internal.system
sudokulab._internal.system.IS_POSIX = False

def refuse_open(change):  # as Windows does
    def checked(path, *others, **options):
        files = [entry.path for entry in os.scandir("/proc/self/fd")]
        if os.path.realpath(path) in [os.path.realpath(file) for file in files]:
            raise PermissionError(13, "the file is open", str(path))
        return change(path, *others, **options)

    return checked

for name in ("unlink", "remove", "replace", "rename"):
    setattr(os, name, refuse_open(getattr(os, name)))
"""


def run_without_posix(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX + code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )


@for_each(
    "arguments",
    [
        ["solve", "1.....3..4.....2"],
        ["solve", "easy", "-o", "solved.csv"],
        ["generate", "--count", "3", "--seed", "1", "-o", "made.txt"],
        ["rate", "1.....3..4.....2"],
        ["convert", "easy", "-o", "easy.sdm"],
        ["bench", "--help"],
        ["solvers"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_work(arguments: list[str], tmp_path: Path) -> None:
    done = run_without_posix(f"sys.argv[1:] = {arguments!r}\nfrom sudokulab.cli import main\nmain()", tmp_path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr.startswith("Traceback")


@for_each("extra", ["lab", "bench.throughput", "web.app"])
def test_parts_can_be_imported(extra: str, tmp_path: Path) -> None:
    done = run_without_posix(f"import importlib\nimportlib.import_module('sudokulab.{extra}')", tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "IS_POSIX", False)


def test_comparisons_say_what_they_need(windows: None) -> None:
    with pytest.raises(SudokulabError, match=r"experiments need Linux or macOS, not .*; on Windows, use"):
        lab.compare(["dlx"], [TINY])


def test_programs_say_what_they_need(windows: None) -> None:
    with pytest.raises(SudokulabError, match=r"programs as solvers need Linux or macOS, not .*; on Windows, use"):
        CommandSolver.parse("mine=./mine {file}").solve(TINY)


@pytest.mark.parametrize(
    "arguments", [["compare", "famous", "-s", "dlx"], ["solve", TINY.line, "--command", "mine=./mine {file}"]]
)
def test_commands_say_what_they_need(arguments: list[str], tmp_path: Path) -> None:
    done = run_without_posix(f"sys.argv[1:] = {arguments!r}\nfrom sudokulab.cli import main\nmain()", tmp_path)
    assert done.returncode in (1, 2)
    assert "need Linux or macOS" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_files_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "solved.csv").write_text("before")
    done = run_without_posix(
        "sys.argv[1:] = ['solve', 'easy', '-o', 'solved.csv']\nfrom sudokulab.cli import main\nmain()", tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["solved.csv"]
    assert len((tmp_path / "solved.csv").read_text().splitlines()) == 101


def test_the_package_contains_no_symbolic_links() -> None:
    package = Path(system.__file__).parents[1]
    assert [path for path in package.rglob("*") if path.is_symlink()] == []  # Windows checks them out as text
