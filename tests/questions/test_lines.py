"""9×9 puzzles from bytes to bytes, in Python and on the command line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudokulab import BoxShape, Puzzle, Result, Status, is_solution, parse
from sudokulab.errors import FormatError
from sudokulab.formats import FORMATS, PuzzleReader
from sudokulab.formats.base import Text
from sudokulab.instances import fixed_fraction
from sudokulab.questions.blocks import write_behind
from sudokulab.questions.lines import Solved, plain_format, solve_lines
from sudokulab.solvers import Backtracking
from tests.cases import for_each
from tests.puzzles import EASY, ENDLESS, INKALA, SEVENTEEN, TINY
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.native

SOLVED = b"534678912672195348198342567859761423426853791713924856961537284287419635345286179\n"
CLASH = "11" + "." * 79


def answers(text: str) -> list[bytes | Result | FormatError]:
    found = solve_lines(io.BytesIO(text.encode()), "file.txt", threads=2)
    return [answer.text if isinstance(answer, Solved) else answer for answer in found]


def test_plain_puzzles_come_back_as_lines_of_solutions() -> None:
    puzzles = [fixed_fraction(9, fixed=0.4, seed=seed) for seed in range(5000)]
    (block,) = answers("".join(f"{puzzle.line}\n" for puzzle in puzzles))
    assert isinstance(block, bytes)
    solutions = block.decode().splitlines()
    assert len(solutions) == len(puzzles)
    assert all(is_solution(parse(solution), puzzle) for solution, puzzle in zip(solutions, puzzles, strict=True))


@for_each("behind", ["", " a name", " # a comment", ", hard", "\r", " \t"])
def test_text_after_a_puzzle_does_not_matter(behind: str) -> None:
    assert answers(f"# head\n\n{EASY.line}{behind}\n  # tail") == [SOLVED]


@for_each("blank", ".0*_-")
def test_every_blank_is_read(blank: str) -> None:
    assert answers(EASY.line.replace(".", blank)) == [SOLVED]


def test_other_lines_are_answered_in_their_places() -> None:
    first, clash, second, tiny, wrong, third = answers(
        f"{EASY.line}\n{CLASH}\n\n{EASY.line}\n{TINY.line}\n{EASY.line}x\n{EASY.line}\n{EASY.line}"
    )
    assert (first, second, third) == (SOLVED, SOLVED, SOLVED * 2)
    assert isinstance(clash, Result)
    assert (clash.status, clash.puzzle) == (Status.UNSATISFIABLE, parse(CLASH))
    assert isinstance(tiny, Result)
    assert is_solution(tiny, TINY)
    assert isinstance(wrong, FormatError)
    assert str(wrong).startswith("file.txt:6:1: found 82 cells")


def test_lines_are_counted_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudokulab.questions.lines._BLOCK_BYTES", 100)
    *solved, wrong = answers(f"{EASY.line}\n" * 10 + "x")
    assert solved == [SOLVED] * 10 or b"".join(solved) == SOLVED * 10  # type: ignore[arg-type]
    assert str(wrong).startswith("file.txt:11:1: found 1 cell")


@for_each(
    ("text", "is_plain"),
    [
        (f"{EASY.line}\n{INKALA.line}\n", True),
        (f"# comment\n\n{SEVENTEEN.line} name\n", True),
        (EASY.line, True),
        (f"{TINY.line}\n", False),
        ("", False),
        ("# nothing\n", False),
        ("530070000\n600195000\n", False),
        (f"puzzle,solution\n{EASY.line},{EASY.line}\n", True),
        (f"\ufeff# head\n\nid,quizzes\r\n1,{EASY.line}\r\n", True),
        (f"7,{EASY.line},x\n", True),
        (f"puzzle;solution\n{EASY.line};{EASY.line}\n", True),
        (f'"odd\nname",puzzle\n,{EASY.line}\n', False),
        (f"puzzle,odd,key\r{EASY.line},1,2\r", False),
        (f"puzzle\n{TINY.line}\n", False),
        ("5,3,,,7,,,,\n" * 9, False),
        (f'# head\n{{"puzzle": "{EASY.line}"}}', True),
        (f'{{"puzzle": "{TINY.line}"}}', False),
        (f'{{"note": "{EASY.line}"}}', False),
        (f'{{"puzzle": "{EASY.line}", "é": 1}}', False),
        (f'# head\r{{"puzzle": "{EASY.line}"}}\r', False),
    ],
)
def test_plain_files_are_recognised_by_their_beginning(text: str, is_plain: bool) -> None:
    assert (plain_format(text.encode()) is not None) is is_plain


def run(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sudokulab", "solve", *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


PIECES = [
    EASY.line,
    f"{INKALA.line} a name",
    f"{SEVENTEEN.line},comma",
    f"{EASY.line} {SOLVED.decode().strip()}",
    f"{EASY.line} # box=3x3",
    f"{EASY.line} box",
    f"{TINY.line} # box=2x2",
    CLASH,
    "",
    " \t",
    "# comment",
    "\u00a0",
    "\u3000# odd blank",
    "\x1c",
    "rubbish",
    f"{EASY.line}x",
    f" {EASY.line}",
    f"{EASY.line} {'long ' * 30}",
    EASY.line.replace(".", "0"),
    "1" * 81,
    "\x00",
]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\r\n", "\r"])), max_size=8), st.booleans())
def test_the_core_and_the_reader_agree_on_every_line(pieces: list[tuple[str, str]], has_box: bool) -> None:
    text = "".join(line + end for line, end in pieces)
    box = BoxShape(3, 3) if has_box else None
    found = solve_lines(io.BytesIO(text.encode()), "file.txt", box=box, threads=1)
    read = PuzzleReader(Text(io.StringIO(text, newline=None), "file.txt", box), FORMATS["line"], keep_going=True)
    expected = [puzzle_answer(puzzle) for puzzle in read]
    answers, errors = [], []
    for answer in found:
        if isinstance(answer, FormatError):
            errors.append(str(answer))
        elif isinstance(answer, Solved):
            assert answer.number == answer.text.count(b"\n")
            answers += answer.text.decode().splitlines()
        else:
            answers.append(line_of(answer))
    assert answers == expected
    assert errors == [str(error) for error in read.errors]


def line_of(result: Result) -> str:
    return result.solution.line if result.solution else "None"


def puzzle_answer(puzzle: Puzzle) -> str:
    return line_of(Backtracking().solve(puzzle))


@pytest.mark.thorough
@for_each("behind", ["", f"\n{CLASH}", f"\n{TINY.line}", "\nrubbish", "\n# end", "\r" + EASY.line])
@for_each("options", [[], ["--box", "3x3"]])
def test_the_command_prints_the_same_by_either_path(tmp_path: Path, behind: str, options: list[str]) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"{EASY.line} easy\n{INKALA.line}{behind}\n{SEVENTEEN.line}\n", newline="")
    quick, other = (run(str(path), "--keep-going", *options, *more) for more in ([], ["-s", "dlx"]))

    assert (quick.returncode, quick.stderr) == (other.returncode, other.stderr)
    assert quick.stdout == other.stdout


def test_a_puzzle_beyond_the_guess_limit_is_still_answered(tmp_path: Path) -> None:
    path = tmp_path / "p.sdm"
    path.write_text(f"{EASY.line}\n{ENDLESS.line}\n{EASY.line}\n")
    done = run(str(path), "--seconds", "60")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0::2] == [SOLVED.decode().strip()] * 2
    assert done.stdout.splitlines()[1] == "# 2: unsatisfiable"


def test_files_larger_than_a_block_are_read_and_written_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudokulab.questions.lines._BLOCK_BYTES", 1000)
    source, target = tmp_path / "p.txt", tmp_path / "s.txt"
    source.write_text(f"{EASY.line}\n" * 100 + f"{CLASH}\n" + f"{EASY.line}\n" * 100)
    with source.open("rb") as stream, target.open("wb") as written, write_behind(written) as write:
        for answer in solve_lines(stream, "p.txt"):
            write(answer.text if isinstance(answer, Solved) else b"none\n")
    assert target.read_bytes() == SOLVED * 100 + b"none\n" + SOLVED * 100


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is missing")
def test_a_full_disk_is_reported() -> None:
    done = subprocess.run(
        ["bash", "-c", f"echo {EASY.line} | {sys.executable} -m sudokulab solve > /dev/full"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "No space left" in done.stderr


def test_the_command_stops_at_an_unreadable_line_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"{EASY.line}\nrubbish\n")
    done = run(str(path))
    assert done.returncode == 2
    assert "p.txt:2:1: found 7 cells" in done.stderr
    assert "--keep-going continues after unreadable puzzles" in done.stderr


def test_a_pipe_is_answered_line_by_line() -> None:
    command = [sys.executable, "-m", "sudokulab", "solve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            os.write(process.stdin.fileno(), f"{EASY.line}\n".encode())
            assert process.stdout.readline() == SOLVED
        process.stdin.close()
        assert process.wait(PATIENCE_SECONDS) == 0
