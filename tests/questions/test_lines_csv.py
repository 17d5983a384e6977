"""Rows of CSV from bytes to bytes: the core and the readers in Python agree on every row."""

from __future__ import annotations

import csv as python_csv
import gzip
import io
import json
import re
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import sudokulab
from sudokulab import FormatError, Puzzle
from sudokulab.cli import app
from sudokulab.cli.answers import Answers, JsonLines, Lines, Rows
from sudokulab.formats import FORMATS, PuzzleReader, csv
from sudokulab.formats.base import Text
from sudokulab.questions.lines import Row, Solved, plain_format, solve_lines
from sudokulab.solvers import Auto
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
ODD_ROWS = [
    *["", " \t", "# comment", "\x1c", "\u00a0", "\u3000\t", ",", ",,,,,,", '"a" b,', f'"{EASY.line}'],
    *[f"{EASY.line}\r{EASY.line}", f"{EASY.line},{SOLVED},x,y,z,z"],
    *[f'x,"{EASY.line}\n{EASY.line}",', f'"a\nb",{EASY.line},,,', f'"a\n\n""b",{EASY.line},,,'],
]
COLUMNS = {"p": st.sampled_from(PUZZLES), "s": st.sampled_from(SOLUTIONS), "w": st.sampled_from(WORDS)}


@st.composite
def files(draw: st.DrawFn) -> str:
    header = draw(st.sampled_from(list(HEADERS)))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    row = st.tuples(*(COLUMNS[kind] for kind in HEADERS[header])).map(",".join)
    odd = st.sampled_from(ODD_ROWS)
    rows = draw(st.lists(st.one_of(row, row, row, odd), max_size=8))
    before = draw(st.sampled_from(["", "# head\n", "\n", "\ufeff"]))
    plain = {"p": EASY.line, "s": SOLVED, "w": ""}
    first = ",".join(plain[kind] for kind in HEADERS[header])  # so that the beginning shows 9×9 puzzles
    return before + end.join([header, first, *rows]) + draw(st.sampled_from(["", end]))


def by_core(text: str, answers: Answers) -> tuple[str, list[str]]:
    """Return answers and errors of the fast path."""
    written, errors, rows = [], [], deque[Row]()
    stream = io.BytesIO(text.encode(errors="replace"))
    number = 0
    for answer in solve_lines(
        stream, "p.csv", format=csv.FORMAT, layout=answers.layout, threads=1, rows=rows if answers.keeps_rows else None
    ):
        number += answer.number if isinstance(answer, Solved) else 1
        if isinstance(answer, FormatError):
            errors.append(str(answer))
        if isinstance(answer, Solved):
            some = answer.text.decode()
        else:
            some = answers.text_of(number, answer, rows.popleft() if rows else (None, ()))
        written.append(answers.take_head() + some)
    return "".join(written), errors


def by_reader(text: str, answers: Answers) -> tuple[str, list[str]]:
    """Return answers and errors of the slow path."""
    raw = io.TextIOWrapper(io.BytesIO(text.encode(errors="replace")), encoding="utf-8-sig")
    reader = PuzzleReader(Text(raw, "p.csv", keeps_rows=True), FORMATS["csv"])
    written, errors = [], []
    for number, record in enumerate(reader.records(), start=1):
        if isinstance(record, FormatError):
            errors.append(str(record))
        answer = record if isinstance(record, FormatError) else sudokulab.solve(record)
        some = answers.text_of(number, answer, reader.row)
        written.append(answers.take_head() + some)
    return "".join(written), errors


FORMS: dict[str, Callable[[], Answers]] = {"lines": Lines, "rows": Rows, "json": lambda: JsonLines(Auto())}


def without_times(text: str) -> str:
    return re.sub('"seconds": [^,]*', '"seconds": 0', text)


@settings(deadline=None, max_examples=300)
@given(files(), st.sampled_from(list(FORMS)))
def test_the_core_and_the_reader_agree_on_every_row(text: str, form: str) -> None:
    if plain_format(text.encode(errors="replace")) is not csv.FORMAT:
        return  # such as a bare carriage return near the header
    found, expected = by_core(text, FORMS[form]()), by_reader(text, FORMS[form]())
    assert without_times(found[0]) == without_times(expected[0])
    assert found[1] == expected[1]


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
    assert by_core(text, Rows()) == by_reader(text, Rows())


def test_a_table_keeps_its_columns_and_gains_solution_and_status() -> None:
    quoted, broken = '"a, ""b"""', '"two\nlines"'
    text = f"id,puzzle,source,price\n7,{EASY.line},{quoted},1.50\n009,{CLASH},,\nx,rubbish,{broken},0\n1,{ZEROS},é,\n"
    expected = (
        f'id,puzzle,source,price,solution,status\n7,{EASY.line},{quoted},1.50,"{SOLVED}",solved\n'
        f"009,{CLASH},,,,unsatisfiable\nx,rubbish,{broken},0,,unreadable\n"
        f'1,"{ZEROS}",é,,"{SOLVED}",solved\n'
    )
    for path in (by_core, by_reader):
        rows, errors = path(text, Rows())
        assert rows == expected
        assert [error.split(" ")[0] for error in errors] == ["p.csv:4:3:"]


def test_columns_with_the_names_of_answers_are_never_changed() -> None:
    text = f"solution;puzzle;status\n42;{EASY.line};draft\n{SOLVED[::-1]};{CLASH};\n"
    expected = (
        "solution;puzzle;status;sudokulab_solution;sudokulab_status\n"
        f'42;{EASY.line};draft;"{SOLVED}";solved\n{SOLVED[::-1]};{CLASH};;;unsatisfiable\n'
    )
    for path in (by_core, by_reader):
        assert path(text, Rows()) == (expected, [])
        assert path(expected, Rows()) == (expected, [])


def test_tables_written_by_convert_have_a_place_for_the_solution() -> None:
    text = f"puzzle,solution,name,comment\n{EASY.line},,a,b\n{CLASH},,,\n"
    expected = f'puzzle,solution,name,comment,status\n{EASY.line},"{SOLVED}",a,b,solved\n{CLASH},,,,unsatisfiable\n'
    for path in (by_core, by_reader):
        assert path(text, Rows()) == (expected, [])
        assert path(expected, Rows()) == (expected, [])


@for_each("name", ["solutions", "answer", "answers", "labels"])
def test_columns_of_stated_solutions_are_never_changed(name: str) -> None:
    text = f"puzzle,{name}\n{EASY.line},{SOLVED[::-1]}\n{EASY.line},see page 7\n"
    row = f'{EASY.line},%s,"{SOLVED}",solved\n'
    expected = f"puzzle,{name},solution,status\n{row % SOLVED[::-1]}{row % 'see page 7'}"
    for path in (by_core, by_reader):
        assert path(text, Rows()) == (expected, [])


def test_rows_keep_their_bytes_and_line_ends(tmp_path: Path) -> None:
    rows = [f"1,{EASY.line},caf\xe9", f'2,{CLASH},"two\r\nlines"', f'3,{EASY.line},"a\rb"']
    (tmp_path / "p.csv").write_bytes("\n".join(["id,puzzle,n\xf4te", *rows, ""]).encode("latin-1"))
    answers = [",solution,status", f',"{SOLVED}",solved', ",,unsatisfiable", f',"{SOLVED}",solved']
    whole = [row + answer for row, answer in zip(["id,puzzle,n\xf4te", *rows], answers, strict=True)]
    for options in ([], ["-s", "dlx"]):
        run("solve", tmp_path / "p.csv", "-o", tmp_path / "s.csv", *options)
        assert (tmp_path / "s.csv").read_bytes() == "\n".join([*whole, ""]).encode("latin-1")


@for_each("field", ["x" * (3 << 20), f'"{"x" * (3 << 20)}"', "é" * (3 << 19)])
def test_a_row_of_megabytes_is_one_error(field: str) -> None:
    text = f"puzzle,note\n{EASY.line},a\n{EASY.line},{field}\n{EASY.line},b\n"
    for path in (by_core, by_reader):
        rows, errors = path(text, Rows())
        assert [line.rpartition(",")[2] for line in rows.splitlines()] == ["status", "solved", "unreadable", "solved"]
        assert [error.split(";")[0] for error in errors] == ["p.csv:3:1: found a row that is too long"]


def test_rows_with_too_many_fields_are_errors() -> None:
    text = f"puzzle,note\n{EASY.line},a,b\n{EASY.line},c\n"
    for path in (by_core, by_reader):
        _, errors = path(text, Rows())
        wanted = "p.csv:2:1: found a row with 1 field too many; write a field for each column of the header"
        assert errors == [wanted]


@for_each("source", [",", ";", "\t"])
@for_each("has_tabs", [False, True])
def test_tabs_and_commas_become_each_other(source: str, has_tabs: bool) -> None:
    note = {",": '"a, b\t""c"""', ";": 'a, b\t"c"', "\t": 'a, b; "c"'}[source]
    text = source.join(["puzzle", "note"]) + "\n" + source.join([EASY.line, note]) + "\n"
    for path in (by_core, by_reader):
        rows, _ = path(text, Rows(has_tabs=has_tabs))
        delimiter = "\t" if has_tabs else "," if source == "\t" else source
        ((row,)) = [list(python_csv.DictReader(io.StringIO(rows), delimiter=delimiter))]
        assert row == [
            {
                "puzzle": EASY.line,
                "note": 'a, b; "c"' if source == "\t" else 'a, b\t"c"',
                "solution": SOLVED,
                "status": "solved",
            }
        ]


def test_json_lines_have_the_real_identity_and_the_number_of_the_row() -> None:
    quoted = '"a ""b"""'
    text = f"id,puzzle\n7,{EASY.line}\n9,rubbish\n2,{EASY.line}\n{quoted},{INKALA.line}\n,{EASY.line}\n"
    for path in (by_core, by_reader):
        answers, _ = path(text, JsonLines(Auto()))
        found = [(record["row"], record["id"]) for record in map(json.loads, answers.splitlines())]
        assert found == [(1, "7"), (2, "9"), (3, "2"), (4, 'a "b"'), (5, "5")]


def test_json_lines_keep_the_other_members_of_objects(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    members = {"price": 3, "tags": ["a", None], "name": "é"}
    lines = [{"id": 7, "puzzle": EASY.line, "status": "draft", **members}, {"board": "rubbish", **members}]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for options in ([], ["-s", "dlx"]):
        done = run("solve", path, "--keep-going", "--json", *options)
        first, second = map(json.loads, done.stdout.splitlines())
        assert members.items() <= first.items()
        assert (first["id"], first["status"], first["solution"]) == ("7", "solved", SOLVED)
        assert {"board": "rubbish", **members}.items() <= second.items()
        assert second["status"] == "unreadable"
    done = run("solve", path, "--keep-going", "--json", "--fields", "id")
    assert list(map(json.loads, done.stdout.splitlines())) == [{"id": "7"}, {"id": "é"}]


def test_chosen_fields_come_in_their_order() -> None:
    text = f"puzzle\n{EASY.line}\n{CLASH}\n"
    for path in (by_core, by_reader):
        answers, _ = path(text, JsonLines(Auto(), ["solution", "row"]))
        assert list(map(json.loads, answers.splitlines())) == [
            {"solution": SOLVED, "row": 1},
            {"solution": None, "row": 2},
        ]
        assert answers.startswith('{"solution"')


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


@for_each("target", ["out.csv", "out.txt", "out.jsonl", "out.csv.gz"])
@for_each("end", ["\n", "\r\n"])
def test_the_command_writes_the_same_file_by_either_path(tmp_path: Path, target: str, end: str) -> None:
    source = tmp_path / "p.csv"
    source.write_text(MIXED.replace("\n", end), newline="")
    texts = []
    for options in ([], ["-s", "dlx"]):
        path = tmp_path / target
        done = run("solve", source, "--keep-going", "-o", path, *options)
        assert done.exit_code == 2
        assert done.stderr.splitlines()[0] == "1 of 6 not solved"
        assert done.stderr.splitlines()[-1] == "1 error in the input"
        data = path.read_bytes()
        text = (gzip.decompress(data) if target.endswith(".gz") else data).decode()
        texts.append(re.sub('"(solver|seconds|stats)": ({.*?}|[^,]*)', "", text))
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


def test_a_wrong_stated_solution_is_not_read_again(tmp_path: Path) -> None:
    source, target = tmp_path / "p.csv", tmp_path / "s.csv"
    source.write_text(f"puzzle,solution\n{EASY.line},{SOLVED[::-1]}\n")
    assert run("solve", source, "-o", target).exit_code == 0
    (puzzle,) = sudokulab.read(target)
    assert puzzle.solution == Puzzle(bytes(map(int, SOLVED)))
