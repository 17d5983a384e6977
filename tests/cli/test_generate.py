"""``sudokulab generate`` and ``sudokulab instances`` on the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab import generate, is_unique, logic, parse, read
from tests import commands
from tests.cases import for_each
from tests.puzzles import EASY
from tests.timing import PATIENCE_SECONDS, wait_until


def run(*args: str | Path, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    data_home = str(home) if home else os.environ.get("XDG_DATA_HOME")
    return commands.run(*args, SUDOKULAB_DATA=None, XDG_DATA_HOME=data_home)


def test_puzzles_can_be_piped() -> None:
    done = run("generate", "--count", "5", "--level", "hard", "--symmetry", "half-turn", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(set(lines)) == 5
    assert all(is_unique(line) for line in lines)
    assert done.stdout == run("generate", "-n", "5", "--level", "hard", "--symmetry", "half-turn", "--seed", "3").stdout


@for_each(
    ("options", "num_givens"),
    [
        (["--size", "16", "--fixed", "0.45"], 115),
        (["--fixed", "0.4", "--kind", "unique"], 32),
        (["--kind", "full", "--box", "2x3"], 36),
        (["--pattern", "X...X...X.X..X..X...X.X.X.....XXX...XXXX.XXXX...XXX.....X.X.X...X..X..X.X...X...X"], 32),
    ],
)
def test_options_determine_the_number_of_givens(options: list[str], num_givens: int) -> None:
    done = run("generate", *options)
    assert done.returncode == 0, done.stderr
    assert parse(done.stdout.strip()).num_givens == num_givens


def test_puzzles_with_a_controlled_bias_are_those_of_the_library() -> None:
    done = run("generate", "-n", "3", "--size", "4", "--bias", "controlled", "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [one.line for one in generate(3, box=4, bias="controlled", seed=5)]


def test_the_generators_of_the_papers_are_available() -> None:
    for kind, *more in (
        ["shuffled-root", "--fixed", "0.5"],
        ["past-rules", "--extra", "2"],
        ["past-rules", "--stop", "unique"],
    ):
        assert 20 < parse(run("generate", "--kind", kind, "--seed", "1", *more).stdout.strip()).num_givens < 60


@for_each(
    ("options", "words"),
    [
        (["--bias", "controlled", "--symmetry", "half-turn"], "bias: 'controlled'; remove symmetry 'half-turn'"),
        (["--givens", "16"], "givens: 16; choose 17 to 81"),
        (["--size", "7"], "size: 7; choose 4 to 64"),
        (["--size", "9", "--box", "2x3"], "size: 9, but 2x3 boxes need size 6"),
        (["--kind", "shuffled-root"], "fixed: missing; kind shuffled-root needs it"),
        (["--fixed", "0.5", "--level", "easy"], "level: 'easy'; remove it, because it applies to kind unique"),
        (["--technique", "XW"], "unknown technique 'XW'"),
        (["--fixed", "0.5", "--kind", "unique", "--givens", "40"], "givens: 40, but `fixed` also sets"),
        (["--kind", "full", "--fixed", "0.5"], "fixed: 0.5; remove it"),
    ],
)
def test_impossible_specifications_are_rejected(options: list[str], words: str) -> None:
    done = run("generate", *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""


def test_without_a_seed_each_call_differs_and_reports_its_seed() -> None:
    first, second = run("generate"), run("generate")
    assert first.stdout != second.stdout
    word, seed = first.stderr.split()
    assert word == "seed"
    again = run("generate", "--seed", seed)
    assert (again.stdout, again.stderr) == (first.stdout, "")


def test_a_resumed_job_reuses_its_seed(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    expected = run("generate", "-n", "3", "--seed", "7").stdout.split()
    assert run("generate", "-n", "3", "--seed", "7", "-o", target).returncode == 0
    assert [line.split()[0] for line in target.read_text().splitlines()] == expected
    target.unlink()
    run("generate", "-n", "1", "--givens", "17", "--attempts", "1", "--seed", "7", "-o", target)  # finds no puzzle
    part = tmp_path / "out.txt.part"
    assert part.exists()
    resumed = run("generate", "-n", "1", "--givens", "17", "--attempts", "1", "-o", target)
    assert resumed.returncode == 1
    assert "seed" not in resumed.stderr.splitlines()[0]
    assert "other options" not in resumed.stderr


@pytest.mark.parametrize("level", ["VERY-HARD", "Very-Hard"])
def test_levels_are_accepted_in_any_case(level: str) -> None:
    expected = run("generate", "--level", "very-hard", "--seed", "5").stdout
    done = run("generate", "--level", level, "--seed", "5")
    assert (done.returncode, done.stdout) == (0, expected)
    assert logic.rate(done.stdout.strip()).level is logic.Level.VERY_HARD


def test_the_error_for_an_unknown_level_lists_the_known_ones() -> None:
    done = run("generate", "--level", "impossible")
    assert done.returncode == 2
    assert "easy, medium, hard, very-hard, beyond" in " ".join(done.stderr.split())


def test_a_failed_search_exits_with_1_and_describes_the_closest_puzzle() -> None:
    done = run("generate", "--givens", "17", "--attempts", "1")
    assert done.returncode == 1
    assert "puzzle 1 was not found in 1 attempts; the closest has" in done.stderr


@pytest.mark.unmeasured
def test_an_interrupted_job_resumes(tmp_path: Path) -> None:
    target = tmp_path / "many.csv"
    fields = ["--symmetry", "half-turn", "--minimal", "--seed", "5"]  # slow enough to be interrupted
    command = ["generate", "--count", "2000", *fields, "-o", str(target)]
    process = subprocess.Popen([sys.executable, "-m", "sudokulab", *command], stderr=subprocess.PIPE, text=True)
    part = tmp_path / "many.csv.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 20_000)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130, errors
    assert "the same command resumes" in errors
    assert not target.exists()
    with part.open("a") as stream:
        stream.write('{"puzzle": "12')  # as if killed in the middle of a line
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert "resuming after" in done.stderr
    assert not part.exists()
    puzzles = list(read(target))
    assert len(puzzles) == len(set(puzzles)) == 2000
    assert [p.line for p in puzzles[:50]] == run("generate", "-n", "50", *fields).stdout.split()
    assert all(puzzle.solution for puzzle in puzzles)


def test_two_processes_cannot_write_the_same_file(tmp_path: Path) -> None:
    target = tmp_path / "two.csv"
    command = [sys.executable, "-m", "sudokulab", "generate", "-n", "100000000", "-o", str(target)]
    first = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    part = tmp_path / "two.csv.part"
    wait_until(lambda: part.exists() and part.stat().st_size)
    second = run(*command[3:])
    first.send_signal(signal.SIGINT)
    first.wait(timeout=PATIENCE_SECONDS)
    assert second.returncode == 2
    assert "another process is writing to it" in second.stderr


def test_many_puzzles_are_printed_like_few() -> None:
    lines = run("generate", "-n", "300", "--seed", "2").stdout.splitlines()
    assert len(set(lines)) == 300
    assert lines == [puzzle.line for puzzle in generate(300, seed=2)]


def test_an_unusual_box_shape_survives_a_pipe() -> None:
    made = run("generate", "--box", "3x2", "-n", "2", "--seed", "1").stdout
    names, *rows = [line.split("\t") for line in commands.run("check", "-", stdin=made).stdout.splitlines()]
    assert [row[names.index("solutions")] for row in rows] == ["1", "1"]


def test_a_pattern_can_be_read_from_a_file(tmp_path: Path) -> None:
    figure = tmp_path / "figure.txt"
    figure_text = "#...#...# .#..#..#. ..#.#.#.. ...###... ####.#### ...###... ..#.#.#.. .#..#..#. #...#...#"
    rows = figure_text.split(" ")
    figure.write_text("# a star\n" + "\n".join(rows) + "\n")
    done = run("generate", "--pattern", figure)
    assert done.returncode == 0, done.stderr
    assert ["#" if digit else "." for digit in parse(done.stdout.strip()).cells] == list("".join(rows))
    missing = run("generate", "--pattern", tmp_path / "none.txt")
    assert (missing.returncode, missing.stderr) == (2, f"{tmp_path / 'none.txt'}: no such file\n")


def test_a_job_with_other_options_is_not_resumed(tmp_path: Path) -> None:
    part = tmp_path / "a.txt.part"
    part.write_text('{"kind": "full"}\n')
    done = run("generate", "-o", tmp_path / "a.txt")
    assert done.returncode == 2
    assert "was started with other options; remove it to start over" in done.stderr


def test_instances_can_be_listed_shown_and_used_by_name(tmp_path: Path) -> None:
    listed = run("instances", home=tmp_path).stdout
    for name in ("easy", "medium", "hard", "hardest", "jones-100", "25x25-0.45", "famous"):
        assert name in listed
    shown = run("instances", "show", "easy", home=tmp_path).stdout.splitlines()
    assert any("--level easy" in line for line in shown if line.startswith("#"))
    assert len([line for line in shown if not line.startswith("#")]) == 100
    solved = run("solve", "famous", home=tmp_path)
    assert (solved.returncode, len(solved.stdout.split())) == (0, 7)
    assert run("instances", "show", "nothing", home=tmp_path).returncode == 2


def test_collections_in_an_added_folder_can_be_used_by_name(tmp_path: Path) -> None:
    folder, home = tmp_path / "mine", tmp_path / "home"
    folder.mkdir()
    (folder / "one.txt").write_text(f"{EASY.line}\n")
    added = run("instances", "add", folder, home=home)
    assert (added.returncode, "one" in added.stdout) == (0, True)
    assert run("check", "one", home=home).returncode == 0


def test_downloadable_collections_are_listed(tmp_path: Path) -> None:
    assert "royle-17\t49,150 puzzles" in run("instances", "download", home=tmp_path).stdout
    assert run("instances", "download", "nothing", home=tmp_path).returncode == 2
