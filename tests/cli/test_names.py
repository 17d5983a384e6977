"""Names and comments are untrusted: none may send control characters to the terminal or stop a command."""

from __future__ import annotations

import io
import json
import stat
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from sudokulab import parse, read
from sudokulab.cli import app
from sudokulab.lab.live import Tally, _Counts
from tests.cli.test_cli import SOLVED
from tests.puzzles import EASY

EVIL = "\x1b[2J\x1b]0;owned\x07evil\x9b31m\r\u202ename\ud800"
UNSAFE = set("\x1b\x07\x9b\r\u202e\ud800")


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    path = tmp_path / "evil.jsonl"
    path.write_text(json.dumps({"puzzle": EASY.line, "name": EVIL, "comment": EVIL}) + "\n")
    return path


@pytest.mark.parametrize("command", ["check", "rate", "hint", "explain", "solve", "canonical", "convert"])
def test_no_command_prints_control_characters_from_names(evil: Path, command: str) -> None:
    done = run(command, evil)
    assert (done.exit_code, done.stderr) == (0, "")
    assert not UNSAFE & set(done.stdout)
    assert "evil" in done.stdout or command in ("solve", "canonical", "convert")


@pytest.mark.parametrize("extension", ["jsonl", "csv", "xml", "sdk", "svg", "cnf", "col", "cover", "dzn"])
def test_conversions_remove_control_characters_from_names(evil: Path, extension: str) -> None:
    path = evil.with_name(f"out.{extension}")
    assert run("convert", evil, "-o", path).exit_code == 0
    assert not UNSAFE & set(path.read_text(encoding="utf-8"))
    assert "evil" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("extension", ["jsonl", "csv", "txt"])
def test_hostile_names_do_not_stop_the_solver(evil: Path, extension: str) -> None:
    path = evil.with_name(f"out.{extension}")
    done = run("solve", evil, "-o", path)
    assert (done.exit_code, done.stderr) == (0, "")
    if extension != "txt":
        assert [puzzle.solution for puzzle in read(path)] == [parse(SOLVED)]


def test_errors_show_file_names_without_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "\x07\x9b2Jevil\udcff.txt"
    path.write_text("not a puzzle\n" * 20)
    for args in (["solve", path], ["solve", "--verbose", path], ["check", tmp_path / "\x07evil.txt"]):
        done = run(*args)
        assert done.exit_code == 2
        assert "evil" in done.stderr
        assert not UNSAFE & set(done.stderr)


@pytest.mark.slow
def test_collections_are_listed_without_control_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "\x1b[2Jevil\udcff.txt").write_text(f"{EASY.line}\n")
    for args in (["instances", "add", folder], ["instances", "list"]):
        done = run(*args)
        assert done.exit_code == 0
        assert "evil" in done.stdout
        assert not UNSAFE & set(done.stdout)


EXPERIMENT = r"""
name = "evil"
runs = 1
[budget]
cpu_seconds = 2
[[instances]]
set = "famous"
limit = 1
[[solvers]]
name = "backtracking"
label = "\u001b[2Jevil\u009b one"
[[solvers]]
name = "dlx"
label = "\u001b[2Jevil\u009b two"
"""


def test_experiments_show_labels_without_control_characters(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    for args in (["run", tmp_path / "e.toml"], ["report", "--list", tmp_path / "e.sqlite"]):
        done = run(*args)
        assert done.exit_code == 0, done.stderr
        assert "evil\N{REPLACEMENT CHARACTER} one" in done.stdout
        assert "evil\N{REPLACEMENT CHARACTER} two" in done.stdout
        assert not UNSAFE & set(done.stdout)


def test_the_live_view_shows_labels_without_control_characters() -> None:
    shown = io.StringIO()
    Console(file=shown, width=160).print(Tally({EVIL: _Counts(num_all=1)}))
    assert "evil" in shown.getvalue()
    assert not UNSAFE & set(shown.getvalue())


def test_a_converted_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.touch(mode=0o600)
    assert run("convert", EASY.line, "-o", path).exit_code == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_damaged_folder_list_does_not_prevent_solving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "sudokulab").mkdir()
    (tmp_path / "sudokulab" / "folders.json").write_text("{")
    done = run("solve", EASY.line)
    assert (done.exit_code, done.stderr) == (0, "")
