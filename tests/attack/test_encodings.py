"""Standard output in encodings that lack some characters: no command fails, and none loses its work."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab import read
from sudokulab.cli import COMMANDS
from tests.puzzles import EASY

ENVIRONMENTS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
NAME = "Σ é × – ⁶ 🙂"
FILE = "not UTF-8 \udcff.txt"

RUNS = {
    "solve": ["named.jsonl", "--solver", "dlx"],
    "watch": [EASY.line, "-o", "run.jsonl"],
    "check": ["named.jsonl"],
    "rate": ["named.jsonl"],
    "canonical": ["named.jsonl"],
    "hint": ["named.jsonl"],
    "explain": ["named.jsonl"],
    "sheet": ["named.jsonl", "-o", "sheet.pdf", "--title", NAME],
    "generate": ["--count", "2", "--seed", "1"],
    "instances list": [],
    "instances show": ["easy"],
    "instances add": ["folder"],
    "instances remove": ["folder"],
    "instances download": ["nothing"],
    "dataset make": ["recipe.toml", "-o", "set"],
    "dataset split": ["set", "--force"],
    "dataset export": ["set", "--to", "csv", "--force"],
    "dataset audit": ["named.jsonl", "--sample", "1"],
    "dataset statistics": ["--blocks", "1000", "-o", "page.md"],
    "run": ["experiment.toml"],
    "report": ["experiment.sqlite", "-o", "report.html"],
    "compare": [FILE, "-s", "auto,dlx", "--runs", "1", "--cpu-seconds", "1", "--plot", "a.svg", "--report", "a.html"],
    "tune": ["named.jsonl", "-s", "tabu", "--trials", "2", "--cpu-seconds", "0.1"],
    "bench": ["easy", FILE, "é.txt", "-s", "auto,dlx", "-n", "20", "--rounds", "1", "--plot", "bench.svg"],
    "convert": [EASY.line, "--answer", "answer.txt"],
    "solvers": ["ant-colony"],
    "techniques": [],
    "cite": ["dlx"],
    "tour": ["--cpu-seconds", "0.1"],
    "help": ["formats"],
}
SLOW = {"reproduce", "serve", "instances download", "dataset statistics", "tour"}
EXIT_CODES = {"instances download": 2, "convert": 1, "tour": None, "tune": None, "dataset split": None}


def execute(folder: Path, environment: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    variables = {**os.environ, "XDG_DATA_HOME": str(folder / "home"), **ENVIRONMENTS[environment]}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=variables, capture_output=True, check=False)


def run(folder: Path, environment: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return execute(folder, environment, "-m", "sudokulab", *arguments)


def filled(folder: Path) -> Path:
    """Write the inputs of all commands into a folder."""
    (folder / "folder").mkdir()
    (folder / "folder" / "a.txt").write_text(f"{EASY.line}\n")
    for name in (FILE, "é.txt"):
        (folder / name).write_text(f"{EASY.line}\n")
    (folder / "named.jsonl").write_text(f'{{"puzzle": "{EASY.line}", "name": "{NAME}"}}\n', encoding="utf-8")
    (folder / "answer.txt").write_text("s UNSATISFIABLE\n")
    (folder / "recipe.toml").write_text(f'name = "{NAME}"\nseed = 1\n[[parts]]\ncount = 20\n', encoding="utf-8")
    (folder / "experiment.toml").write_text(
        f'name = "{NAME}"\nruns = 1\n[budget]\ncpu_seconds = 1\n'
        '[[instances]]\nset = "named.jsonl"\n[[solvers]]\nname = "auto"\n[[solvers]]\nname = "dlx"\n',
        encoding="utf-8",
    )
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path)


RUN_ALL = """
import json, sys
from pathlib import Path
from sudokulab.cli import main
codes = {}
for name, arguments in json.loads(sys.argv[1]).items():
    sys.argv[1:] = [*name.split(), *arguments]
    try:
        main()
    except SystemExit as end:
        codes[name] = end.code or 0
    else:
        codes[name] = 0
Path("codes.json").write_text(json.dumps(codes))
"""
"""Runs commands in one process, which takes a third of the CPU time."""


def check_all(folder: Path, environment: str, runs: dict[str, list[str]]) -> None:
    done = execute(folder, environment, "-c", RUN_ALL, json.dumps(runs))
    errors = done.stderr.decode("ascii", "replace")
    assert done.returncode == 0, errors
    assert "codec" not in errors
    assert "Traceback" not in errors
    codes = json.loads((folder / "codes.json").read_text())
    expected = {name: EXIT_CODES.get(name, 0) for name in runs}
    assert codes == {name: codes[name] if code is None else code for name, code in expected.items()}, errors


def check(folder: Path, environment: str, *arguments: str) -> bytes:
    done = run(folder, environment, *arguments)
    errors = done.stderr.decode("ascii", "replace")
    assert "codec" not in errors
    assert "Traceback" not in errors
    name = " ".join(arguments[: 2 if arguments[0] in ("instances", "dataset") else 1])
    expected = EXIT_CODES.get(name, 0)
    assert expected is None or done.returncode == expected, errors
    return done.stdout


@pytest.mark.slow
def test_compare_and_bench_print_their_results(folder: Path) -> None:
    assert b"auto" in check(folder, "C", "compare", *RUNS["compare"])
    assert b"per second" in check(folder, "C", "bench", *RUNS["bench"])


@pytest.mark.slow
def test_missing_characters_are_replaced_by_similar_ones(folder: Path) -> None:
    assert b"? e x - 6 ?" in check(folder, "ascii", "check", "named.jsonl")
    assert "? é × - 6 ?".encode("latin-1") in check(folder, "latin-1", "check", "named.jsonl")
    assert "? é × – 6 ?".encode("cp1252") in check(folder, "cp1252", "check", "named.jsonl")


@pytest.mark.slow
def test_converted_files_keep_their_names(folder: Path) -> None:
    for environment, format in itertools.product(("ascii", "cp1252"), ("line", "opensudoku")):
        done = run(folder, environment, "convert", "named.jsonl", "--to", format)
        assert done.returncode == 0, done.stderr
        (folder / "converted").write_bytes(done.stdout)
        assert [puzzle.name for puzzle in read(folder / "converted")] == [NAME], (environment, format)


@pytest.mark.slow
def test_collections_keep_their_names(folder: Path) -> None:
    check(folder, "ascii", "instances", "add", ".")
    assert NAME in check(folder, "cp1252", "instances", "show", "named").decode("utf-8")


@pytest.mark.slow
def test_data_sets_can_have_names_that_are_not_utf8(folder: Path) -> None:
    name = "set \udcff"
    check(folder, "ascii", "dataset", "make", "recipe.toml", "-o", name)
    check(folder, "ascii", "dataset", "make", "recipe.toml", "-o", name)  # finds it complete
    assert run(folder, "ascii", "dataset", "split", name).returncode == 0
    for format in ("csv", "huggingface"):
        check(folder, "ascii", "dataset", "export", name, "--to", format)
    check(folder, "ascii", "dataset", "audit", name, "--sample", "1")


@pytest.mark.slow
def test_every_command_runs(folder: Path) -> None:
    check_all(folder, "ascii", {name: arguments for name, arguments in RUNS.items() if name not in SLOW})


@pytest.mark.thorough
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_command_and_its_help_run_in_every_encoding(folder: Path, environment: str) -> None:
    for name, arguments in RUNS.items():
        check(folder, environment, *name.split(), *arguments)
    for name in COMMANDS:
        done = run(folder, environment, name, "--help")
        assert (done.returncode, done.stderr) == (0, b"")


def test_every_command_is_tried() -> None:
    assert {name.split()[0] for name in RUNS} | SLOW >= set(COMMANDS)
