"""Many unreadable puzzles take little memory, whatever the command, and keep their places."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from sudokulab import FormatError, Puzzle, parse, read
from sudokulab.cli.unreadable import PlacedErrors
from tests.cases import for_each
from tests.commands import run
from tests.memory import peak_megabytes
from tests.puzzles import EASY, TINY

NUMS_WRONG = (200_000, 300_000)  # more than one block of each reader, which has up to 131,072 lines
LARGE = Puzzle.empty(64)

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

COMMANDS = {
    "solve": ["solve", "--keep-going"],
    "solve one by one": ["solve", "--keep-going", "--solver", "dlx"],
    "check": ["check", "--keep-going", "--json"],
    "rate": ["rate", "--keep-going"],
    "canonical": ["canonical", "--keep-going"],
    "hint": ["hint", "--keep-going"],
    "convert": ["convert", "--keep-going"],
    "audit": ["dataset", "audit"],
}
FILES = {
    "line.txt": (f"{EASY.line}\n", "x\n"),
    "rows.csv": (f"puzzle\n{EASY.line}\n", "x\n"),
    "objects.jsonl": (f'"{EASY.line}"\n', "{\n"),
    "large.txt": (f"{LARGE.line}\n", "x\n"),
    "large.csv": (f"puzzle\n{LARGE.line}\n", "x\n"),
}


def written(folder: Path, name: str, num_wrong: int) -> Path:
    path = folder / f"{num_wrong}-{name}"
    start, wrong = FILES[name]
    path.write_text(start + wrong * num_wrong)
    return path


def check_memory(folder: Path, command: str, name: str) -> None:
    peaks = []
    for num_wrong in NUMS_WRONG:
        arguments = [*COMMANDS[command], str(written(folder, name, num_wrong))]
        done, megabytes = peak_megabytes(*arguments)
        assert done.returncode == (1 if command == "audit" else 2), done.stderr[-500:]
        if command != "audit":
            assert f"{num_wrong:,} errors in the input (the first 100 are listed)" in done.stderr
            assert done.stderr.count("\n") < 110
        peaks.append(megabytes)
    assert peaks[1] - peaks[0] < 40  # an error in memory takes more than half a kilobyte


@linux
@pytest.mark.slow
@for_each("command", ["solve", "audit"])
def test_memory_does_not_grow_with_the_number_of_errors(tmp_path: Path, command: str) -> None:
    check_memory(tmp_path, command, "line.txt")


@linux
@pytest.mark.thorough
@for_each("command", COMMANDS)
@for_each("name", ["line.txt", "rows.csv", "objects.jsonl"])
def test_memory_does_not_grow_with_the_number_of_errors_in_any_format(tmp_path: Path, command: str, name: str) -> None:
    check_memory(tmp_path, command, name)


@linux
@pytest.mark.slow
@pytest.mark.parametrize("name", ["large.txt", "large.csv"])
def test_an_unreadable_row_takes_less_than_a_large_grid(tmp_path: Path, name: str) -> None:
    _, before = peak_megabytes("dataset", "audit", written(tmp_path, name, 10))
    done, after = peak_megabytes("dataset", "audit", written(tmp_path, name, 60_000))
    assert done.returncode == 1
    assert after - before < 100  # as grids, 250 MB, and several times as much to judge them


@for_each(
    ("name", "text", "arguments"),
    [
        ("answer.txt", "1" * 1_000_000, ["convert", TINY.line, "--answer"]),
        ("colours.txt", f"l {'x' * 1_000_000}", ["convert", TINY.line, "--to", "col", "--answer"]),
        ("recipe.toml", f"{'x' * 1_000_000} = 1", ["dataset", "make", "-o", "made"]),
        ("parameters.toml", f"{'x' * 1_000_000} = 1", ["solve", TINY.line, "-s", "tabu", "--param-file"]),
    ],
)
def test_an_error_quotes_long_words_in_part(name: str, text: str, arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    done = run(*arguments, tmp_path / name)
    assert done.returncode == 2
    assert max(map(len, done.stderr.splitlines())) < 3000
    assert not done.stdout


def test_a_reader_keeps_the_first_errors_and_counts_all(tmp_path: Path) -> None:
    path = written(tmp_path, "line.txt", 3000)
    reader = read(path, keep_going=True)
    assert list(reader) == [EASY]
    assert (reader.num_errors, len(reader.errors)) == (3000, 1000)
    assert [error.line for error in reader.errors[:3]] == [2, 3, 4]
    records = list(read(path).records())
    assert records[0] == EASY
    assert [record.line for record in records[1:] if isinstance(record, FormatError)] == list(range(2, 3002))


def test_records_continue_where_the_puzzles_ended(tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(f"{EASY.line}\nx\n{TINY.line}\ny\n{EASY.line}\n")
    reader = read(path, keep_going=True)
    assert next(reader) == EASY
    rest = list(reader.records())
    assert [isinstance(record, Puzzle) for record in rest] == [False, True, False, True]


@for_each("seed", range(20))
def test_placed_errors_are_a_queue(seed: int) -> None:
    rng = random.Random(seed)
    expected: list[tuple[int, FormatError]] = []
    num_puzzles = num_taken = 0
    with PlacedErrors() as errors:
        for number in range(3000):
            if rng.random() < 0.7:
                num_puzzles += rng.random() < 0.3
                error = FormatError(
                    f"problem {number}" * rng.randint(1, 90), "x", source="s", line=number + 1, column=2
                )
                errors.add(num_puzzles, error)
                expected.append((num_puzzles, error))
            elif rng.random() < 0.1:
                num_taken = rng.randint(num_taken, num_puzzles)
                due = [error for place, error in expected if place <= num_taken]
                expected = expected[len(due) :]
                assert list(map(str, errors.take(num_taken))) == list(map(str, due))
        assert list(map(str, errors.take(num_puzzles))) == [str(error) for _, error in expected]
        assert list(errors.take(num_puzzles)) == []


@linux
def test_a_line_among_many_short_ones_keeps_its_number(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"{EASY.line}\n" + "\n" * 300_000 + "x\n" + "\n" * 300_000 + f"{EASY.line}\ny\n")
    done, _ = peak_megabytes("solve", "--keep-going", path)
    assert [line.startswith("#") for line in done.stdout.splitlines()] == [False, True, False, True]
    assert f"{path}:300002:1" in done.stderr
    assert f"{path}:600004:1" in done.stderr
    assert parse(done.stdout.splitlines()[2]).is_full
