"""``run``, ``runs``, ``compare``, ``report`` and ``tune`` as a user meets them."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

EXPERIMENT = """
name = "small"
runs = 2
[budget]
seconds = 2
[[instances]]
set = "famous"
limit = 2
[[solvers]]
name = "backtracking"
[[solvers]]
name = "ant-colony"
"""


def run(*args: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sudokulab", *map(str, args)]
    environment = {**os.environ, "COLUMNS": "160", "NO_COLOR": "1", **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    done = run("run", tmp_path / "e.toml", "--report", tmp_path / "r.html")
    assert done.returncode == 0, done.stderr
    assert "backtracking" in done.stdout
    assert "2 of 2" in done.stdout
    return tmp_path / "e.sqlite"


def test_an_experiment_is_run_listed_exported_and_reported(store: Path, tmp_path: Path) -> None:
    listed = run("runs", store, "--solver", "ant*", "--instance", "famous/AI*")
    assert listed.stdout.count("solved") == 2
    assert "backtracking" not in listed.stdout
    for ending in (".parquet", ".csv"):
        target = tmp_path / f"runs{ending}"
        assert run("runs", store, "--export", target).returncode == 0
        table = pl.read_parquet(target) if ending == ".parquet" else pl.read_csv(target, infer_schema=False)
        assert len(table) == 6
        assert {"solver", "instance", "cpu_seconds", "outcome", "stats_nodes"} <= set(table.columns)
    text = (tmp_path / "r.html").read_text()
    assert "6 runs of 2 solvers on 2 instances" in text
    assert "Nothing: every run kept its budget" in text
    assert run("report", store, "-o", tmp_path / "again.html").returncode == 0
    assert (tmp_path / "again.html").read_text() == text


def test_what_is_there_is_not_run_again(store: Path, tmp_path: Path) -> None:
    done = run("run", tmp_path / "e.toml")
    assert "6 of 6 runs are there already" in done.stderr


def test_solvers_are_compared_the_short_way(tmp_path: Path) -> None:
    plot = tmp_path / "times.svg"
    program = f"theirs={sys.executable} -m sudokulab solve {{file}}"
    options = ["--limit", "2", "--runs", "2", "--seconds", "5", "--plot", str(plot), "--command", program]
    done = run("compare", "famous", "--solvers", "backtracking,dlx", *options)
    assert done.returncode == 0, done.stderr
    assert "theirs" in done.stdout
    assert "backtracking – dlx: no difference shown" in done.stdout
    assert plot.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["compare", "famous"], "nothing to compare, expected --solvers or --command"),
        (["compare", "famous", "--solvers", "ants"], "no solver named 'ants'"),
        (["run", "nowhere.toml"], "nowhere.toml: No such file"),
        (["runs", "nowhere.sqlite"], "no such store"),
        (["tune", "ants", "--instances", "famous"], "no solver named 'ants'"),
        (["tune", "backtracking", "--instances", "famous"], "has no parameters to tune"),
    ],
)
def test_errors_say_what_to_do(args: list[str], words: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_tuned_parameters_can_be_read_back(tmp_path: Path) -> None:
    tuned = tmp_path / "ants.toml"
    options = ["--limit", "1", "--trials", "2", "--seconds", "0.5", "--range", "ants=5..6", "-o", str(tuned)]
    done = run("tune", "ant-colony", "--instances", "famous", *options)
    assert done.returncode == 0, done.stderr
    assert "best" in done.stderr
    params = tomllib.loads(tuned.read_text())
    assert params["ants"] in (5, 6, 10)
    solved = run("solve", "famous", "--solver", "ant-colony", "--param-file", tuned, "--json")
    assert solved.returncode == 0, solved.stderr


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "tomli_w.py").write_text("raise ModuleNotFoundError('no', name='tomli_w')")
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    done = run("run", tmp_path / "e.toml", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "pip install 'sudokulab[lab]'" in done.stderr
