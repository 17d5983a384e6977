"""A program that embeds the package may set a locale with a decimal comma: numbers are read and written as before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.puzzles import EASY, INKALA

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="compiles a locale")]

LOCALE = "de_DE.UTF-8"
PROGRAM = """
import json, locale, sys
locale.setlocale(locale.LC_ALL, "")
point, commands = json.loads(sys.argv[1])
assert locale.localeconv()["decimal_point"] == point
from sudokulab.cli import main
for number, sys.argv[1:] in enumerate(commands):
    with open(f"{number} {sys.argv[1]}.out", "w", encoding="utf-8") as sys.stdout:
        try:
            main()
        except SystemExit as end:
            assert end.code in (None, 0, 1), (sys.argv, end.code)
"""
"""Runs all commands in one process; each prints into a file."""
COMMANDS = [
    ["solve", EASY.line, "--solver", "tabu", "-p", "tabu_size=3", "--iterations", "2000", "--trace", "trace.csv"],
    ["solve", EASY.line, "--solver", "ant-colony", "-p", "q0=0.5", "-p", "evaporation=0.125", "--iterations", "20"],
    ["solve", "puzzles.csv", "-o", "solved.csv"],
    ["rate", INKALA.line, "--scale", "se", "--json"],
    ["rate", EASY.line, "--json"],
    ["generate", "--count", "3", "--seed", "7", "--fixed", "0.45", "--size", "16", "-o", "fixed.txt"],
    ["generate", "--count", "2", "--seed", "7", "--se", "1.2-2.6", "-o", "rated.jsonl"],
    ["convert", EASY.line, "-o", "drawn.svg"],
    ["convert", EASY.line, "--to", "dzn"],
    ["explain", EASY.line, "--svg", "steps"],
    ["sheet", "puzzles.csv", "-o", "sheet.svg", "--ratings", "se,hodoku"],
    ["solvers", "annealing"],
    ["bench", "--size", "16", "--fixed", "0.9", "-n", "1", "-s", "dlx", "--json"],
    ["dataset", "make", "recipe.toml", "-o", "set"],
    ["dataset", "export", "set", "--to", "csv", "-o", "exported"],
]
TIMED = "bench"
"""The command whose output has times; it must still be valid JSON."""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return compiled_locale(tmp_path_factory.mktemp("locales"))


def compiled_locale(folder: Path) -> dict[str, str]:
    """Return the environment of the locale, compiled into a folder."""
    compiler = shutil.which("localedef")
    if compiler is None:
        pytest.skip("NO LOCALE: localedef is missing, so decimal commas are not tested; install the package locales")
    command = [compiler, "-c", "-i", "de_DE", "-f", "UTF-8", str(folder / LOCALE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not (folder / LOCALE / "LC_NUMERIC").exists():
        pytest.skip(f"NO LOCALE: decimal commas are not tested; install the package locales: {done.stderr}")
    return {**os.environ, "LOCPATH": str(folder), "LC_ALL": LOCALE, "COLUMNS": "120"}


def results(folder: Path, environment: dict[str, str], point: str) -> dict[str, bytes]:
    """Run all commands in a folder; return what they print and write, by the name of the file."""
    folder.mkdir()
    (folder / "puzzles.csv").write_text(f"puzzle\n{EASY.line}\n{INKALA.line}\n")
    (folder / "recipe.toml").write_text('name = "x"\nseed = 1\nratings = ["se"]\n[[parts]]\ncount = 20\n')
    program = [sys.executable, "-c", PROGRAM, json.dumps([point, COMMANDS])]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for path in folder.glob(f"* {TIMED}.out"):
        json.loads(path.read_bytes())
        path.unlink()
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".parquet")
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    found["trace.csv"] = b"\n".join(row.rpartition(b",")[0] for row in found["trace.csv"].splitlines())  # seconds
    return found


def test_a_decimal_comma_changes_nothing(german: dict[str, str], tmp_path: Path) -> None:
    plain = {**german, "LC_ALL": "C.UTF-8"}
    expected = results(tmp_path / "plain", plain, ".")
    found = results(tmp_path / "german", german, ",")
    assert found.keys() == expected.keys()
    assert {name for name in found if found[name] != expected[name]} == set()


def test_native_numbers_ignore_the_locale(german: dict[str, str]) -> None:
    code = """
import locale
locale.setlocale(locale.LC_ALL, "")
assert locale.localeconv()["decimal_point"] == ","
import json
from sudokulab import Budget, generate, rate, solve
from sudokulab.drawing import svg
result = solve("1.....3..4.....2", "annealing", budget=Budget(iterations=10))
print(json.dumps(result.to_dict()) != "", "," in svg(result.puzzle).partition("viewBox")[2].partition(">")[0])
"""
    done = subprocess.run([sys.executable, "-c", code], env=german, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["True", "False"]), done.stderr
