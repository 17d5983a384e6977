"""Objects in JSON lines from bytes to bytes: the core and the readers in Python agree on every object."""

from __future__ import annotations

import io
import json
import re
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sudokulab
from sudokulab.cli.answers import Answers, JsonLines, Lines
from sudokulab.errors import FormatError
from sudokulab.formats import FORMATS, PuzzleReader, jsonl
from sudokulab.formats.base import Text
from sudokulab.questions.lines import Row, Solved, plain_format, solve_lines
from sudokulab.solvers import Auto
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY

pytestmark = pytest.mark.native

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CLASH = f"11{EASY.line[2:]}"
GRIDS = [
    *[json.dumps(grid) for grid in (EASY.line, EASY.line.replace(".", "0"), INKALA.line, CLASH, TINY.line, "rubbish")],
    *[json.dumps(list(map(int, EASY.line.replace(".", "0")))), "null", '""', "7", f'"{EASY.line[:-1]}\\u002e"'],
]
STATED = ["null", '""', f'"{SOLVED}"', f'"{SOLVED[::-1]}"', '"see page 7"', "42"]
NAMES = ['"a"', '"two words"', '" x "', '"a\\"b"', '"caf\\u00e9"', '"é"', "7", "0", "-7", "1.5", "null", '""', "[1]"]
OTHERS = [
    *["1.5", "-0", "1e5", "1E-5", "01", "1.", ".5", "-", "+1", "NaN", "Infinity", "9" * 99, "9" * 200, "9" * 5000],
    *["true", "false", "null", "nul", "truer", '"x"', '"\\n"', '"\\x"', '"\\u12"', '"\\ud800"', '"\x01"', '"\x7f"'],
    *["[]", "[1, 2]", "[1,]", '[{"a": [null]}]', '{"a": 1, "b": {}}', '{"a"}', "{1: 2}", "[" * 40 + "]" * 40, "[[", ""],
    f'"{"x" * 40_000}"',
]
BOXES = ['"3x3"', "null", '"9x1"', "[3, 3]", '"rubbish"', "3"]
KINDS = {
    **dict.fromkeys(["puzzle", "quizzes", "Board"], GRIDS),
    **dict.fromkeys(["solution", "answer"], STATED),
    **dict.fromkeys(["id", "name", "Name"], NAMES),
    **dict.fromkeys(["rating", "comment", "status", "row", "a b"], OTHERS),
    "box": BOXES,
}
KEYS = [
    *[("puzzle",), ("id", "puzzle"), ("puzzle", "box", "name", "comment", "solution"), ("quizzes", "id", "name")],
    *[("rating", "Board", "answer", "Name"), ("status", "row", "puzzle", "a b"), ("puzzle", "quizzes", "rating")],
]
ODD = [
    "",
    " \t",
    "# comment",
    " # comment",
    "\x1c",
    "\u3000",
    "{",
    "}",
    "{}",
    "[]",
    f'"{EASY.line}"',
    EASY.line,
    "null",
]


def object_of(keys: tuple[str, ...], values: list[str], spaces: str = " ") -> str:
    members = f",{spaces}".join(f'"{key}":{spaces}{value}' for key, value in zip(keys, values, strict=True))
    return f"{{{members}}}"


@st.composite
def files(draw: st.DrawFn) -> str:
    keys = draw(st.sampled_from(KEYS))
    values = st.tuples(*(st.sampled_from(KINDS[key]) for key in keys)).map(list)
    spaces = st.sampled_from([" ", "", "\t ", "  "])
    same = st.builds(object_of, st.just(keys), values, spaces)
    other = st.builds(object_of, st.just(keys[:-1] or ("name",)), st.just(["1"] * max(1, len(keys) - 1)))
    broken = same.map(lambda line: line + draw(st.sampled_from(["}", ",", " x", "\r", f"\r{line}"])))
    lines = draw(st.lists(st.one_of(same, same, same, other, broken, st.sampled_from(ODD)), max_size=8))
    plain = {"puzzle": GRIDS[0], "quizzes": GRIDS[0], "Board": GRIDS[0]}
    first = object_of(keys, [plain.get(key, "1" if key == "id" else "null") for key in keys])
    before, end = draw(st.sampled_from(["", "# head\n", "\n", "\ufeff"])), draw(st.sampled_from(["\n", "\r\n"]))
    return before + end.join([first, *lines]) + draw(st.sampled_from(["", end]))


def by_core(text: str, answers: Answers, column: str | None = None) -> tuple[str, list[str]]:
    """Return answers and errors of the fast path."""
    written, errors, rows = [], [], deque[Row]()
    number = 0
    stream = io.BytesIO(text.encode())
    for answer in solve_lines(
        stream, "p.jsonl", format=jsonl.FORMAT, column=column, layout=answers.layout, threads=1, rows=rows
    ):
        if isinstance(answer, Solved):
            number += answer.number
            written.append(answer.text.decode())
            continue
        number += 1
        if isinstance(answer, FormatError):
            errors.append(str(answer))
        written.append(answers.text_of(number, answer, rows.popleft()))
    return "".join(written), errors


def by_reader(text: str, answers: Answers, column: str | None = None) -> tuple[str, list[str]]:
    """Return answers and errors of the slow path."""
    raw = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8-sig")
    reader = PuzzleReader(Text(raw, "p.jsonl", column=column, keeps_rows=True), FORMATS["jsonl"])
    written, errors = [], []
    for number, record in enumerate(reader.records(), start=1):
        if isinstance(record, FormatError):
            errors.append(str(record))
        answer = record if isinstance(record, FormatError) else sudokulab.solve(record)
        written.append(answers.text_of(number, answer, reader.row))
    return "".join(written), errors


def records_of(text: str) -> list[object]:
    """Return answers as values, without their times; those that are not JSON as they are."""
    lines = re.sub('"seconds": [^,]*', '"seconds": 0', text).splitlines()
    return [json.loads(line, parse_constant=str) if line[0] == "{" else line for line in lines]


@settings(deadline=None, max_examples=400)
@given(files(), st.sampled_from(["lines", "json", "fields"]))
def test_the_core_and_the_reader_agree_on_every_object(text: str, form: str) -> None:
    if plain_format(text.encode()) is not jsonl.FORMAT:
        return  # such as a bare carriage return in the first lines
    forms = {"lines": Lines(), "json": JsonLines(Auto()), "fields": JsonLines(Auto(), ["puzzle", "status", "solution"])}
    found, expected = by_core(text, forms[form]), by_reader(text, forms[form])
    assert records_of(found[0]) == records_of(expected[0])
    assert found[1] == expected[1]


@for_each("size", [100, 1000, 1 << 23])
def test_blocks_do_not_change_the_answers(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("sudokulab.questions.lines._BLOCK_BYTES", size)
    grids = [EASY.line, INKALA.line, CLASH, "bad", TINY.line]
    lines = [json.dumps({"id": number, "puzzle": grid}) for number, grid in enumerate(grids * 20)]
    text = "\n\n# all of them\n" + "\n".join(lines)
    found, expected = by_core(text, JsonLines(Auto())), by_reader(text, JsonLines(Auto()))
    assert records_of(found[0]) == records_of(expected[0])
    assert found[1] == expected[1]


def test_plain_objects_are_left_to_the_core_and_keep_their_members_as_they_are() -> None:
    text = f'{{"id": 7, "board": "{EASY.line}", "price": 1.50, "tags": ["a", {{"b": null}}], "status": "new"}}\n' * 3
    stream = io.BytesIO(text.encode())
    found = list(solve_lines(stream, "p", format=jsonl.FORMAT, column="board", layout=JsonLines(Auto()).layout))
    answers = [answer for answer in found if isinstance(answer, Solved)]
    assert answers == found
    assert sum(answer.number for answer in answers) == 3
    written = b"".join(answer.text for answer in answers).decode()
    for number, line in enumerate(written.splitlines(), start=1):
        assert line.endswith(f', "board": "{EASY.line}", "price": 1.50, "tags": ["a", {{"b": null}}]}}')
        record = json.loads(line)
        assert (record["row"], record["id"], record["status"], record["solution"]) == (number, "7", "solved", SOLVED)


def test_the_named_member_counts_in_every_object() -> None:
    lines = [f'{{"board": "{EASY.line}"}}', f'{{"puzzle": "{EASY.line}"}}', f'{{"board": "{CLASH}", "id": 1}}']
    found, expected = (path("\n".join(lines), Lines(), "board") for path in (by_core, by_reader))
    assert found == expected
    assert [error.split(";")[0] for error in found[1]] == ["p.jsonl:2:1: found an object without a puzzle"]
