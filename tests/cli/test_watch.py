"""``sudokulab watch``: animations of searches, and searches on the terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab.publishing.animation import Animation
from sudokulab.search.frames import read_frames
from tests.cases import for_each
from tests.puzzles import ENDLESS, INKALA, TINY
from tests.timing import PATIENCE_SECONDS, command_stopping_seconds

pytestmark = pytest.mark.slow


def command(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "sudokulab", "watch", *map(str, args)]


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*args), capture_output=True, text=True, timeout=PATIENCE_SECONDS)


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_a_search_becomes_a_page(tmp_path: Path) -> None:
    output = tmp_path / "annealing.html"
    done = run(INKALA.line, "--solver", "annealing", "-p", "cooling=0.9", "--seed", "7", "-o", output)
    assert done.returncode == 0
    assert f"{output}: written" in done.stderr
    assert '"cooling":0.9' in output.read_text(encoding="utf-8")


def test_a_search_becomes_a_recording_and_the_recording_a_page(tmp_path: Path) -> None:
    recording, page = tmp_path / "ants.jsonl", tmp_path / "ants.html"
    assert run(INKALA.line, "-s", "ant-colony", "--seed", "3", "-o", recording).returncode == 0
    read = read_frames(lines_of(recording))
    assert (read.puzzle, read.header["seed"], read.frames[-1].values["cost"]) == (INKALA, 3, 0)
    done = run(recording, "-o", page)
    assert done.returncode == 0
    assert page.read_text(encoding="utf-8") == Animation(lines_of(recording)).html


def test_ctrl_c_keeps_what_was_recorded(tmp_path: Path) -> None:
    output = tmp_path / "tabu.jsonl"
    _, done = command_stopping_seconds("watch", ENDLESS.line, "--solver", "tabu", "--seconds", "50", "-o", output)
    assert done.returncode == 130
    assert "until the interruption" in done.stderr
    recording = read_frames(lines_of(output))
    assert recording.result is None
    assert len(recording.frames) > 10


def test_a_search_is_drawn_on_a_terminal() -> None:
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command(TINY.line, "-s", "backtracking"), stdout=child, env={**os.environ, "TERM": "xterm"}
    )
    os.close(child)
    shown = b""
    try:
        while chunk := os.read(parent, 65536):
            shown += chunk
    except OSError:  # the other end was closed
        pass
    os.close(parent)
    assert process.wait(PATIENCE_SECONDS) == 0
    assert b"cells fixed 16" in shown
    assert b"backtracking: solved in" in shown


@for_each(
    ("args", "message"),
    [
        ([TINY.line], "there is no terminal to draw on; name an output file, such as -o run.html"),
        ([TINY.line, "-o", "run.mp4"], "unknown output extension '.mp4'"),
        ([TINY.line, "-o", "run.html", "-s", "anealing"], "did you mean 'annealing'?"),
        ([TINY.line, "-o", "run.html", "-p", "cooling=2"], "cooling: '2'; choose a number above 0 and below 1"),
        (["36x36-0.400", "-o", "run.html"], "watch takes one puzzle, got several"),
        (["." * 36**2, "-o", "run.html"], "the grid is 36×36; `watch` supports grids up to 25×25"),
    ],
)
def test_mistakes_are_explained(args: list[str], message: str, tmp_path: Path) -> None:
    done = subprocess.run(command(*args), capture_output=True, text=True, timeout=PATIENCE_SECONDS, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_saved_run_needs_an_output_file(tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    run(TINY.line, "-s", "backtracking", "-o", recording)
    done = run(recording)
    assert done.returncode == 2
    assert "is a saved run; name an output file, such as" in done.stderr


def test_a_damaged_recording_is_refused(tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    run(TINY.line, "-s", "backtracking", "-o", recording)
    recording.write_text(recording.read_text(encoding="utf-8")[:-30] + "\n", encoding="utf-8")
    done = run(recording, "-o", tmp_path / "run.html")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{recording}:4:1: ")
    assert done.stderr.endswith("choose a recorded run\n")


def test_a_recording_with_unusual_characters_is_converted(tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    run(TINY.line, "-s", "backtracking", "-o", recording)
    recording.write_text(recording.read_text(encoding="utf-8").replace('"error":null', '"error":"a\u2028b"'), "utf-8")
    assert "\u2028" in recording.read_text(encoding="utf-8")
    assert run(recording, "-o", tmp_path / "run.html").returncode == 0
