"""``sudokulab bench`` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sudokulab.bench import generation
from sudokulab.cli.bench import _makers
from sudokulab.instances import random_grids
from sudokulab.questions.arrays import INSTRUCTIONS
from tests import commands
from tests.bench.libraries import compile_library
from tests.cases import for_each
from tests.puzzles import EASY, TINY
from tests.timing import command_stopping_seconds

pytestmark = pytest.mark.slow

QUICK = ["--count", "20", "--rounds", "2", "--solver", "bulk-portable,backtracking"]
GRIDS = ["--size", "16", "--fixed", "0.6", "--count", "3", "--seconds", "5"]


def run(*args: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return commands.run("bench", *args, **environment)


def test_a_benchmark_prints_the_rates_and_the_machine(tmp_path: Path) -> None:
    plot = tmp_path / "rates.svg"
    done = run(*QUICK, "--plot", plot)
    assert done.returncode == 0, done.stderr
    assert "easy (20 puzzles)" in done.stdout
    assert "hardest (20 puzzles)" in done.stdout
    assert "30 to 40 random givens (20 puzzles)" in done.stdout
    assert "minimal without 1 or 2 givens (20 puzzles)" in done.stdout
    for word in ("bulk-portable", "backtracking", "min – max", "up to two"):
        assert word in done.stdout
    for word in ("Python", "cores", *INSTRUCTIONS):
        assert word in done.stderr
    assert plot.read_text().startswith("<?xml")


@for_each("name", ["not UTF-8 \udcff.txt", "$\\frac$.txt", "control \x07.txt"])
def test_any_file_name_is_drawn(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(f"{EASY.line}\n")
    plot = tmp_path / "rates.svg"
    done = run(tmp_path / name, "-s", "auto", "--rounds", "1", "-n", "5", "--plot", plot)
    assert done.returncode == 0, done.stderr
    ElementTree.parse(plot)


def test_libraries_and_programs_compete_and_wrong_answers_are_reported(tmp_path: Path) -> None:
    library = compile_library(tmp_path)
    rivals = [
        "--library",
        f"plain={library}:plain",
        "--library",
        f"liar={library}:liar",
        "--command",
        "echo=cat {file}",
    ]
    done = run("easy", *QUICK, *rivals, "--json", "--plot", tmp_path / "rates.png")
    assert done.returncode == 1
    assert "easy: liar, solve: wrong: " in done.stderr
    assert "easy: echo, solve: failed: 0 answers for " in done.stderr
    report = json.loads(done.stdout)
    assert report["environment"]["instructions"] == list(INSTRUCTIONS)
    (measured,) = report["sets"]
    found = {(c["contender"], c["workload"]): c for c in measured["contenders"]}
    assert len(found["plain", "solve"]["rates"]) == 2
    assert found["plain", "solve"]["unit"] == "puzzles per second"
    assert found["plain", "solve"]["ratio"] == 1
    assert found["backtracking", "solve"]["reference"] == "plain"
    assert found["liar", "solve"]["rates"] == []
    assert found["liar", "solve"]["ratio"] is None
    assert ("echo", "count") not in found


def test_ratios_are_relative_to_the_chosen_baseline() -> None:
    done = run("easy", *QUICK, "--reference", "backtracking", "--workload", "solve", "--json")
    assert done.returncode == 0, done.stderr
    (measured,) = json.loads(done.stdout)["sets"]
    assert {c["contender"]: c["ratio"] for c in measured["contenders"]}["backtracking"] == 1
    assert {c["workload"] for c in measured["contenders"]} == {"solve"}


def test_large_grids_are_compared_by_solving_time(tmp_path: Path) -> None:
    plot = tmp_path / "times.svg"
    done = run(*GRIDS, "--fixed", "0.7", "--solver", "backtracking,hill-climbing", "--plot", plot, "--seconds", "0.2")
    assert done.returncode == 0, done.stderr
    assert "16×16, 0.6 given (3 puzzles)" in done.stdout
    assert "16×16, 0.7 given (3 puzzles)" in done.stdout
    assert "3 of 3" in done.stdout
    assert plot.read_text().startswith("<?xml")


def test_large_grids_can_be_measured_with_the_workload_named() -> None:
    done = run(*GRIDS, "--solver", "backtracking", "--workload", "solve", "--workload", "solve")
    assert done.returncode == 0, done.stderr
    assert "3 of 3" in done.stdout


@pytest.mark.thorough
def test_the_generator_can_be_the_baseline() -> None:
    done = run("-w", "generate", "--rounds", "1", "--reference", "sudokulab", "--json")
    assert done.returncode == 0, done.stderr
    assert {c["reference"] for measured in json.loads(done.stdout)["sets"] for c in measured["contenders"]} == {
        "sudokulab"
    }


def test_the_seed_determines_the_generated_grids() -> None:
    (generator,) = _makers([], seed=7)
    (grids,) = (product for product in generation.PRODUCTS if product.name == "full grids")
    assert (generator.make(grids, 3) == random_grids(3, seed=7)).all()


def test_the_start_of_the_command_is_measured_in_seconds(tmp_path: Path) -> None:
    plot = tmp_path / "start.svg"
    done = run("-w", "start", "--rounds", "1", "--solver", "dlx", "--json", "--plot", plot)
    assert done.returncode == 0, done.stderr
    (measured,) = json.loads(done.stdout)["sets"]
    assert {contender["unit"] for contender in measured["contenders"]} == {"starts per second"}
    assert "seconds" in plot.read_text()
    assert "puzzles per second" not in plot.read_text()


def test_puzzles_that_only_one_contender_solves_are_listed() -> None:
    program = f"lucky={sys.executable} -c print()"
    done = run(*GRIDS, "--solver", "backtracking", "--command", program)
    assert done.returncode == 1
    assert "backtracking solves 3 that lucky does not: 1, 2, 3" in done.stderr
    assert "lucky, grid 1: failed: " in done.stderr


def test_collections_of_large_grids_can_be_named() -> None:
    done = run("16x16-0.60", "--count", "2", "--solver", "backtracking", "--json")
    assert done.returncode == 0, done.stderr
    (measured,) = json.loads(done.stdout)["sets"]
    assert measured["contenders"][0]["num_solved"] == 2
    assert len(measured["contenders"][0]["runs"]) == 2


@for_each(
    ("args", "words"),
    [
        (["nowhere.txt"], "nowhere.txt: no such file"),
        (["easy", "--solver", "ants"], "unknown solver 'ants'"),
        (["easy", "--library", "x=nowhere.so"], "--library x: nowhere.so: cannot open"),
        (["easy", "--library", "nowhere.so"], "write NAME=PATH[:FUNCTION]"),
        (["easy", "--command", "prog"], "has no name"),
        (["easy", "--reference", "ants"], "--reference ants: unknown contender; choose one of bulk-"),
        (["-w", "generate", "--reference", "dlx"], "--reference dlx: unknown contender; choose one of sudoku"),
        (["easy", "-w", "solve", "--reference", "sudokulab"], "--reference sudokulab: unknown contender"),
        (["-w", "count", "--command", "p=cat", "--reference", "p"], "--reference p: unknown contender"),
        (["easy", "--solver", "dlx,dlx"], "dlx is listed twice"),
        (["easy", "--plot", "rates.txt"], "unknown output extension '.txt' (known: .svg, .png, .pdf)"),
        (["--size", "16"], "need both --size and --fixed"),
        (["easy", "16x16-0.60"], "run the command once for each kind"),
        ([TINY.line, "--library", "x=y.so"], "libraries solve only 9×9 puzzles"),
        (["11" + "." * 79], "has no solution"),
        (["-w", "generate", "easy"], "--workload generate needs no puzzles; omit FILE, --size, --f"),
        (
            [*GRIDS, "-w", "start"],
            "--workload start needs no puzzles; omit FILE, --size, --fixed and --count",
        ),
        (["-w", "generate", "--count", "5"], "omit FILE, --size, --fixed and --count"),
        (["easy", "--count", "1000000000000"], "--count' / '-n': '1000000000000'; choose at most 100,000,000"),
        ([*GRIDS, "-w", "count"], "large grids are compared by the time to the first solution; use solve"),
    ],
)
def test_errors_say_what_to_do(args: list[str], words: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


@pytest.mark.thorough
@pytest.mark.timing
def test_ctrl_c_stops_a_benchmark_of_a_rival() -> None:
    pytest.importorskip("pysat")
    options = ["--count", "50", "--rounds", "1000", "--solver", "glucose4"]
    delay, done = command_stopping_seconds("bench", EASY.line, *options, after=2)
    assert delay < 1
    assert done.returncode == 130
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("puzzles", [["easy", "--count", "5"], GRIDS])
def test_parameters_reach_the_solvers(puzzles: list[str]) -> None:
    chosen = ["--solver", "annealing,backtracking", "--rounds", "1"]
    assert run(*puzzles, *chosen, "-p", "annealing:cooling=0.9", "-p", "sampling_moves=50").returncode == 0
    out_of_range = run(*puzzles, *chosen, "-p", "sampling_moves=1")
    assert "sampling_moves: '1'; choose an integer from 2 to 1,000,000" in out_of_range.stderr
    misspelled = run(*puzzles, *chosen, "-p", "annealing:coolin=0.9")
    assert "unknown parameter of annealing 'coolin'; did you mean 'cooling'?" in misspelled.stderr
