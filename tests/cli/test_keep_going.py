"""Unreadable puzzles keep their places in the output, JSON objects their keys, and progress bars their end."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sudokulab import read
from sudokulab.cli import app
from sudokulab.cli.inputs import Inputs
from tests.cases import for_each
from tests.cli.commands import all_commands
from tests.commands import feed_until_shown
from tests.puzzles import EASY, INKALA, TINY

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
LINES = f"{EASY.line} first\nrubbish\n{'1' * 81}\n{EASY.line}x\n{TINY.line}\n"


HEAD = ("version", "row", "id", "status", "error", "solver")


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "p.txt"
    path.write_text(LINES)
    return path


@pytest.mark.parametrize("options", [[], ["-s", "backtracking"]])
def test_solved_lines_match_the_lines_of_the_input(source: Path, options: list[str]) -> None:
    done = run("solve", "--keep-going", source, *options)
    lines = done.stdout.splitlines()
    assert done.exit_code == 2
    assert lines[0] == SOLVED
    assert lines[1].startswith("# 2: unreadable, found 7 cells; use 81")
    assert lines[2].startswith("# 3: unsatisfiable, r1c1")
    assert lines[3].startswith("# 4: unreadable, found 82 cells")
    assert len(lines) == 5
    assert done.stderr.splitlines()[0] == "1 of 3 not solved"
    *errors, last = done.stderr.splitlines()[1:]
    assert [error.split(": ")[0] for error in errors] == [f"{source}:2:1", f"{source}:4:1"]
    assert last == "2 errors in the input"


@pytest.mark.parametrize("command", ["solve", "check", "rate", "canonical"])
def test_json_objects_always_have_the_same_keys(source: Path, command: str) -> None:
    objects = [json.loads(line) for line in run(command, "--json", "--keep-going", source).stdout.splitlines()]
    assert [value["id"] for value in objects] == ["first", "2", "3", "4", "5"]
    assert [value["row"] for value in objects] == [1, 2, 3, 4, 5]
    assert len({tuple(value) for value in objects}) == 1
    for bad in (objects[1], objects[3]):
        assert bad["status"] == "unreadable"
        assert f"{source}:" in bad["error"]
        others = [value for key, value in bad.items() if key not in HEAD]
        assert others == [None] * len(others)
    assert [value["error"] for value in objects[::2]] == [None] * 3
    expected = {"solve": "solved", "check": "checked", "rate": "rated", "canonical": "canonical"}
    assert objects[0]["status"] == expected[command]


def test_unknown_values_are_null() -> None:
    hard = "." * 49**2
    solved = json.loads(run("solve", "--json", "--nodes", "3", INKALA.line).stdout)
    assert (solved["status"], solved["solution"], solved["error"]) == ("unknown", None, None)
    checked = json.loads(run("check", "--json", "." * 81).stdout)
    assert (checked["solutions"], checked["minimal"], checked["redundant"]) == (2, None, None)
    rated = json.loads(run("rate", "--json", "--seconds", "0", hard).stdout)
    assert (rated["solutions"], rated["level"], rated["nodes"]) == (None, None, None)


@pytest.mark.parametrize("command", ["check", "rate"])
def test_reports_match_the_lines_of_the_input(source: Path, command: str) -> None:
    _, *lines = run(command, "--keep-going", source).stdout.splitlines()
    assert [line.split("\t")[1] for line in lines] == ["first", "2", "3", "4", "5"]
    assert "\tunreadable\t" in lines[1]
    assert "found 7 cells" in lines[1]


@pytest.mark.parametrize("command", ["hint", "explain"])
def test_steps_match_the_lines_of_the_input(source: Path, command: str) -> None:
    _, *lines = run(command, "--keep-going", source).stdout.splitlines()
    rows = {line.split("\t")[0]: line for line in lines}
    assert list(rows) == ["1", "2", "3", "4", "5"]
    assert rows["2"].split("\t")[1:5] == [
        "2",
        "",
        "",
        "unreadable, found 7 cells; use 81 (or 16, 36, 64, 256, 625, …)",
    ]
    objects = [json.loads(line) for line in run(command, "--json", "--keep-going", source).stdout.splitlines()]
    assert [value["row"] for value in objects] == [1, 2, 3, 4, 5]
    assert len({tuple(value) for value in objects}) == 1
    assert [value["ending"] == "unreadable" for value in objects] == [False, True, False, True, False]


@pytest.mark.parametrize("command", ["solve", "convert"])
@pytest.mark.parametrize("extension", ["csv", "csv.gz", "jsonl", "txt"])
def test_written_files_keep_the_places_of_unreadable_puzzles(source: Path, command: str, extension: str) -> None:
    target = source.with_name(f"out.{extension}")
    assert run(command, "--keep-going", source, "-o", target).exit_code == 2
    data = target.read_bytes()
    lines = (gzip.decompress(data) if extension.endswith("gz") else data).decode().splitlines()
    rows = lines[1:] if "csv" in extension else lines
    assert len(rows) == 5
    assert "unreadable, found 7 cells" in rows[1] or json.loads(rows[1])["status"] == "unreadable"
    if "csv" in extension:
        fields = list(csv.reader(io.StringIO("\n".join(rows))))
        assert fields[1][:3] == ["", "", ""]
        assert fields[1][3].startswith("2: unreadable, found 7 cells")


def test_grids_skip_unreadable_puzzles(source: Path) -> None:
    target = source.with_name("out.sdk")
    assert run("convert", "--keep-going", source, "-o", target).exit_code == 2
    assert len(list(read(target))) == 3


READERS = {
    "bench": [],
    "canonical": [],
    "check": [],
    "compare": ["-s", "dlx"],
    "convert": [],
    "explain": [],
    "hint": [],
    "rate": [],
    "sheet": ["-o", "sheet.svg"],
    "solve": [],
    "techniques": ["x-wing", "--find"],
    "tune": ["-s", "tabu"],
    "watch": ["-o", "run.html"],
}
"""The commands that read puzzles, with the options that they need before the file."""


@for_each("command", READERS)
def test_errors_advise_only_options_of_the_command(command: str, source: Path) -> None:
    done = run(command, *READERS[command], source)
    (note,) = [line for line in done.stderr.splitlines() if line.startswith("note: ")]
    described = dict(all_commands())[command]
    options = {name for parameter in described.params for name in parameter.opts}
    assert {word.strip(",;") for word in note.split() if word.startswith("--")} == {"--from", "--keep-going"} & options


def test_every_command_that_continues_after_errors_is_tried() -> None:
    for name, described in all_commands():
        assert name in READERS or "keep_going" not in [parameter.name for parameter in described.params]


def test_a_damaged_file_does_not_stop_the_others(tmp_path: Path, source: Path) -> None:
    damaged = tmp_path / "d.txt.gz"
    damaged.write_bytes(gzip.compress(f"{EASY.line}\n".encode() * 1000)[:-8])
    for options in ([], ["-s", "dlx"]):
        done = run("solve", "--keep-going", damaged, source, *options)
        assert done.exit_code == 2
        assert f"{damaged}: damaged or incomplete gzip file" in done.stderr
        assert done.stdout.splitlines()[-5] == SOLVED
        alone = run("solve", damaged, *options)
        assert alone.exit_code == 2
        assert f"{damaged}: damaged or incomplete gzip file" in alone.stderr


def test_progress_is_measured_in_bytes_of_the_stored_files(tmp_path: Path, source: Path) -> None:
    packed = tmp_path / "q.txt.gz"
    packed.write_bytes(gzip.compress(f"{EASY.line}\n".encode() * 100_000))
    inputs = Inputs([str(source), str(packed), EASY.line], None, None, keep_going=True)
    assert inputs.num_bytes() == source.stat().st_size + packed.stat().st_size
    positions = [inputs.position(num_done) for num_done, _ in enumerate(inputs, start=1)]
    assert positions == sorted(positions)
    assert 0 < positions[0] <= len(f"{EASY.line} first\n")
    assert inputs.position(inputs.num_read) == inputs.num_bytes()
    assert inputs.position(inputs.num_read // 2) < positions[-1] * 0.51


def test_the_size_of_a_pipe_is_unknown() -> None:
    code = "from sudokulab.cli.inputs import Inputs; print(Inputs(['-'], None, None, False).num_bytes())"
    piped = subprocess.run([sys.executable, "-c", code], input="x", capture_output=True, text=True, check=True)
    assert piped.stdout.strip() == "None"


def test_the_bar_shows_percentage_and_remaining_time(tmp_path: Path) -> None:
    code = """
import sys
from sudokulab._internal.progress import track
for _ in track(range(10_000), "working", 1_000_000, lambda num_done: 100 * num_done):
    sys.stdin.readline()
"""
    same, duration = r"[^\r\n]*", r"\d:\d\d:\d\d"  # in one drawing
    feed_until_shown(f"working{same}\\d%{same}{duration}{same}{duration}", code, tmp_path / "out.txt")


@pytest.mark.parametrize("options", [[], ["-s", "backtracking"]])
def test_comments_of_unreadable_rows_have_their_ids(tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f"id,puzzle\n7,{EASY.line}\n9,rubbish\n2,{'1' * 81}\n,rubbish\n")
    lines = run("solve", "--keep-going", path, *options).stdout.splitlines()
    assert [line[:15] for line in lines[1:]] == ["# 9: unreadable", "# 2: unsatisfia", "# 4: unreadable"]


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl", "parquet"])
def test_converted_unreadable_rows_keep_their_ids(tmp_path: Path, format: str) -> None:
    source, target = tmp_path / "in.csv", tmp_path / f"out.{format}"
    source.write_text(f"id,puzzle\n7,{EASY.line}\n9,rubbish\n")
    assert run("convert", "--keep-going", source, "-o", target).exit_code == 2
    found = run("check", "--keep-going", target, "--json", "--fields", "id,status").stdout.splitlines()
    assert [json.loads(line) for line in found] == [
        {"id": "7", "status": "checked"},
        {"id": "9", "status": "unreadable"},
    ]


@pytest.mark.parametrize("options", [[], ["-s", "backtracking"]])
def test_rows_with_misplaced_quotes_keep_their_fields(tmp_path: Path, options: list[str]) -> None:
    path, target = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = [f'8,{INKALA.line},"a"b', f'"9",{INKALA.line},"open', f"10,{EASY.line},ok"]
    path.write_text("\n".join(["id,puzzle,note", *rows, ""]))
    assert run("solve", "--keep-going", path, "-o", target, *options).exit_code == 2
    with target.open(newline="") as stream:
        found = list(csv.reader(stream))[1:]
    assert found == [
        ["8", INKALA.line, '"a"b', "", "unreadable"],
        ["9", INKALA.line, '"open', "", "unreadable"],
        ["10", EASY.line, "ok", SOLVED, "solved"],
    ]
    lines = run("solve", "--keep-going", path, "--json", "--fields", "id", *options).stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["8", "9", "10"]
