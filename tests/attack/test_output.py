"""Attacks on output files: the input as output, kills during writing, full disks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab.instances import find
from tests.cases import for_each
from tests.puzzles import EASY, INKALA
from tests.timing import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
LINES = f"{EASY.line}\n{INKALA.line}\n" * 50

linux = pytest.mark.skipif(sys.platform != "linux", reason="uses /dev and /proc")


def run(*args: str | Path, stdin: Path | None = None, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_DATA_HOME": str(home)} if home else None
    with open(stdin or os.devnull, "rb") as stream:
        return subprocess.run(
            [sys.executable, "-m", "sudokulab", *map(str, args)],
            stdin=stream,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
            env=environment,
        )


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "x.txt"
    path.write_text(LINES)
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("output", ["link.txt", "hard.txt"])
@pytest.mark.parametrize("options", [[], ["--solver", "dlx"]], ids=["lines", "one by one"])
def test_solve_never_overwrites_its_input(puzzles: Path, output: str, options: list[str]) -> None:
    folder = puzzles.parent
    (folder / "link.txt").symlink_to(puzzles)
    (folder / "hard.txt").hardlink_to(puzzles)
    for arguments, stdin in (([puzzles], None), ([], puzzles), (["-"], puzzles)):
        done = run("solve", *arguments, "-o", folder / output, *options, stdin=stdin)
        assert done.returncode == 2
        assert "is also the input" in done.stderr
        assert puzzles.read_text() == LINES


@pytest.mark.thorough
def test_solve_never_overwrites_its_input_collection(tmp_path: Path) -> None:
    folder, home = tmp_path / "mine", tmp_path / "home"
    folder.mkdir()
    (folder / "a.txt").write_text(LINES)
    assert run("instances", "add", folder, home=home).returncode == 0
    done = run("solve", "a", "-o", folder / "a.txt", home=home)
    assert done.returncode == 2
    assert "is also the input" in done.stderr
    assert (folder / "a.txt").read_text() == LINES
    bundled = find("famous")
    assert bundled
    assert "is also the input" in run("solve", "famous", "-o", bundled.files[0]).stderr


@pytest.mark.thorough
@linux
@pytest.mark.timing
@for_each("extension", ["txt", "csv"])
@for_each("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_kill_never_leaves_a_partial_file(tmp_path: Path, extension: str, end: signal.Signals) -> None:
    target = tmp_path / f"out.{extension}"
    target.write_text("old\n")
    source = subprocess.Popen(["yes", EASY.line], stdout=subprocess.PIPE)
    process = subprocess.Popen(
        [sys.executable, "-m", "sudokulab", "solve", "-o", str(target), "-"],
        stdin=source.stdout,
        stderr=subprocess.DEVNULL,
    )
    # `make attack` tries other moments
    wait_until(lambda: any(path.stat().st_size for path in tmp_path.iterdir() if path != target))
    process.send_signal(end)
    process.wait(timeout=PATIENCE_SECONDS)
    source.kill()
    source.communicate()
    assert target.read_text() == "old\n"


@linux
def test_a_full_disk_is_reported(puzzles: Path, tmp_path: Path) -> None:
    target = tmp_path / "full"
    target.symlink_to("/dev/full")
    done = run("solve", puzzles, "-o", target)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    with Path("/dev/full").open("w") as stdout:
        done = subprocess.run(
            [sys.executable, "-m", "sudokulab", "solve", str(puzzles)],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@linux
def test_devices_and_pipes_are_written_in_place(puzzles: Path, tmp_path: Path) -> None:
    assert run("solve", puzzles, "-o", "/dev/null").returncode == 0
    assert run("solve", EASY.line, "-o", "/dev/stdout").stdout == f"{SOLVED}\n"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen([sys.executable, "-m", "sudokulab", "solve", EASY.line, "-o", str(pipe)])
    assert pipe.read_text() == f"{SOLVED}\n"
    assert process.wait(timeout=PATIENCE_SECONDS) == 0
