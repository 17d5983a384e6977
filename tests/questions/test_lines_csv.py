"""Rows of CSV from bytes to bytes: the core and the readers in Python agree on every row."""

from __future__ import annotations

import gzip
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import sudokulab
from sudokulab import FormatError, Puzzle
from sudokulab.cli import app
from sudokulab.formats import FORMATS, PuzzleReader, csv
from sudokulab.formats.base import Text
from sudokulab.questions.lines import plain_format, solve_lines
from sudokulab.search.result import Result as Solved
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN, TINY

pytestmark = pytest.mark.native

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CLASH = "11" + "." * 79
ZEROS = EASY.line.replace(".", "0")

PUZZLES = [
    EASY.line,
    ZEROS,
    INKALA.line,
    SEVENTEEN.line.replace(".", "?"),
    ZEROS.replace("0", "x"),
    EASY.line.replace(".", " "),
    CLASH,
    TINY.line,
    f"{EASY.line}x",
    f" {EASY.line} ",
    f'"{EASY.line}"',
    "",
    "rubbish",
]
SOLUTIONS = ["", SOLVED, SOLVED[::-1], ZEROS, f'"{SOLVED}"', f" {SOLVED}", "12", "x" * 81, TINY.line]
WORDS = [
    *[
        "",
        "a name",
        "7",
        "1.5",
        " padded ",
        "two  spaces",
        '"quoted, with comma"',
        '"',
        "tab\there",
        "é",
        "\x00",
        "\x7f",
    ],
    *["box=3x3", "box=9x1", "box", "#", "a;b", "'", "=1+1", "\u2028", "\u00a0", "\x1b[2J", "x" * 100, "a" * 40_000],
]
HEADERS = {
    "puzzle,solution": "ps",
    "quizzes,solutions": "ps",
    "solution,puzzle": "sp",
    "puzzle": "p",
    "id,puzzle,solution,clues,difficulty": "wpsww",
    "puzzle,solution,name,comment": "psww",
    "comment,Name , PUZZLE": "wwp",
    '"puzzle","solution"': "ps",
}
COLUMNS = {"p": st.sampled_from(PUZZLES), "s": st.sampled_from(SOLUTIONS), "w": st.sampled_from(WORDS)}


@st.composite
def files(draw: st.DrawFn) -> str:
    header = draw(st.sampled_from(list(HEADERS)))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    row = st.tuples(*(COLUMNS[kind] for kind in HEADERS[header])).map(",".join)
    odd = st.sampled_from(
        ["", " \t", "# comment", "\x1c", f"{EASY.line}\r{EASY.line}", ",", ",,,,,,", f"{EASY.line},{SOLVED},x,y,z,z"]
    )
    rows = draw(st.lists(st.one_of(row, row, row, odd), max_size=8))
    before = draw(st.sampled_from(["", "# head\n", "\n", "\ufeff"]))
    plain = {"p": EASY.line, "s": SOLVED, "w": ""}
    first = ",".join(plain[kind] for kind in HEADERS[header])  # so that the beginning shows 9×9 puzzles
    return before + end.join([header, first, *rows]) + draw(st.sampled_from(["", end]))


def by_core(text: str, *, writes_rows: bool) -> tuple[list[str], list[str]]:
    """Return rows and errors of the fast path."""
    answers, errors = [], []
    for answer in solve_lines(
        io.BytesIO(text.encode(errors="replace")), "p.csv", format=csv.FORMAT, writes_rows=writes_rows, threads=1
    ):
        if isinstance(answer, bytes):
            answers += answer.decode().split("\n")[:-1]
        elif isinstance(answer, FormatError):
            errors.append(str(answer))
        else:
            answers.append(row_of(answer) if writes_rows else line_of(answer))
    return answers, errors


def line_of(result: Solved) -> str:
    return result.solution.line if result.solution else "None"


def row_of(result: Solved) -> str:
    assert result.puzzle
    return csv.row_text(replace(result.puzzle, solution=result.solution), 0).removesuffix("\n")


def by_reader(text: str, *, writes_rows: bool) -> tuple[list[str], list[str]]:
    """Return rows and errors of the slow path."""
    raw = io.TextIOWrapper(io.BytesIO(text.encode(errors="replace")), encoding="utf-8-sig")
    reader = PuzzleReader(Text(raw, "p.csv"), FORMATS["csv"], keep_going=True)
    results = [sudokulab.solve(puzzle) for puzzle in reader]
    rows = [row_of(result) if writes_rows else line_of(result) for result in results]
    return rows, [str(error) for error in reader.errors]


@settings(deadline=None, max_examples=300)
@given(files(), st.booleans())
def test_the_core_and_the_reader_agree_on_every_row(text: str, writes_rows: bool) -> None:
    if plain_format(text.encode(errors="replace")) is not csv.FORMAT:
        return  # such as a bare carriage return near the header
    assert by_core(text, writes_rows=writes_rows) == by_reader(text, writes_rows=writes_rows)


@for_each("size", [100, 1000, 1 << 23])
def test_blocks_do_not_change_the_answers(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("sudokulab.questions.lines._BLOCK_BYTES", size)
    rows = [
        f"{EASY.line},{SOLVED},,",
        f"{INKALA.line},,a name,",
        f'{EASY.line},,"x, y",z',
        f"{CLASH},,,",
        "bad,,,",
        f"{TINY.line},,,",
    ]
    text = "puzzle,solution,name,comment\n" + "\r\n".join(rows * 20)
    assert by_core(text, writes_rows=True) == by_reader(text, writes_rows=True)


def test_rows_of_the_core_carry_names_and_other_columns() -> None:
    text = f"id,puzzle,solution,clues,difficulty\n7,{EASY.line},,30,1.5\n,{EASY.line},{SOLVED},,\n"
    (rows, errors) = by_core(text, writes_rows=True)
    assert rows == [f"{ZEROS},{SOLVED},7,clues=30; difficulty=1.5", f"{ZEROS},{SOLVED},,"]
    assert errors == []


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


MIXED = f"""puzzle,solution,name
{EASY.line},{SOLVED},plain
"{INKALA.line}",,"quoted, name"

{CLASH},,clash
rubbish,,
{EASY.line},12,
{TINY.line},,tiny
{SEVENTEEN.line},,"""


@for_each("target", ["out.csv", "out.txt", "out.csv.gz"])
@for_each("end", ["\n", "\r\n"])
def test_the_command_writes_the_same_file_by_either_path(tmp_path: Path, target: str, end: str) -> None:
    source = tmp_path / "p.csv"
    source.write_text(MIXED.replace("\n", end), newline="")
    texts = []
    for options in ([], ["-s", "dlx"]):
        path = tmp_path / target
        done = run("solve", source, "--keep-going", "-o", path, *options)
        assert done.exit_code == 2
        assert done.stderr.splitlines()[0] == "1 of 5 not solved"
        assert done.stderr.splitlines()[-1] == "2 errors in the input"
        data = path.read_bytes()
        texts.append(gzip.decompress(data) if target.endswith(".gz") else data)
        path.unlink()
    assert texts[0] == texts[1]
    assert texts[0]


def test_lines_become_rows_and_rows_become_lines(tmp_path: Path) -> None:
    lines, rows, back = tmp_path / "p.txt", tmp_path / "p.csv", tmp_path / "s.txt"
    lines.write_text(f"{EASY.line}\n{INKALA.line} named # remark\n{SEVENTEEN.line}\n")
    assert run("solve", lines, "-o", rows).exit_code == 0
    solved = list(sudokulab.read(rows))
    assert solved == [EASY, INKALA, SEVENTEEN]
    assert [(puzzle.name, puzzle.comment) for puzzle in solved] == [("", ""), ("named", "remark"), ("", "")]
    assert run("solve", rows, "-o", back).exit_code == 0
    assert back.read_text().split() == [puzzle.solution.line for puzzle in solved if puzzle.solution]


def test_a_wrong_stated_solution_does_not_survive(tmp_path: Path) -> None:
    source, target = tmp_path / "p.csv", tmp_path / "s.csv"
    source.write_text(f"puzzle,solution\n{EASY.line},{SOLVED[::-1]}\n")
    assert run("solve", source, "-o", target).exit_code == 0
    (puzzle,) = sudokulab.read(target)
    assert puzzle.solution == Puzzle(bytes(map(int, SOLVED)))
