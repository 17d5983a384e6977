"""Files designed to exhaust time or memory, or to cause errors without a valid position."""

from __future__ import annotations

import io
import json
import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import FormatError, Puzzle, read
from sudokulab.formats import TEXT_FORMATS
from sudokulab.formats.base import LONGEST_LINE
from tests.cases import for_each
from tests.puzzles import EASY, TINY

pytestmark = pytest.mark.thorough

MEGABYTE = 1 << 20


class Repeated(io.TextIOBase):
    """A stream that repeats one line before a last one, without holding them in memory."""

    def __init__(self, line: str, num_times: int, end: str = "") -> None:
        self._line, self._num_left, self._end = line, num_times, end

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        if self._num_left:
            self._num_left -= 1
            return self._line
        end, self._end = self._end, ""
        return end

    def read(self, size: int | None = -1, /) -> str:
        return "".join(self.readline() for _ in range(1000))


def records_of(text: io.TextIOBase, format: str | None) -> tuple[list[Puzzle], list[FormatError]]:
    reader = read(text, format, keep_going=True)  # type: ignore[arg-type]
    return list(reader), reader.errors


@for_each(
    ("start", "end"),
    [("<opensudoku><game data='", "'/>"), ("<a><!--", "-->"), ("<a ", ">"), ("<?a ", "?>"), ("<", ">")],
    ids=["attribute", "comment", "tag", "instruction", "name"],
)
def test_oversized_xml_tokens_are_rejected_early(start: str, end: str) -> None:
    text = io.StringIO(start + "x" * 8 * MEGABYTE + end)
    found, (error,) = records_of(text, "opensudoku")
    assert found == []
    assert "of more than 1,048,576 characters" in error.problem
    assert text.tell() < 3 * MEGABYTE


@pytest.mark.timing
def test_a_huge_xml_attribute_is_handled_quickly() -> None:
    text = io.StringIO(f"<opensudoku><game data='{'1' * 64 * MEGABYTE}'/></opensudoku>")
    began = time.process_time()
    records_of(text, "opensudoku")
    assert time.process_time() - began < 2


def test_long_xml_with_small_elements_is_read_completely() -> None:
    games = f'<game data="{EASY.line}"/>{" " * 1000}<!-- {"x" * 1000} -->' * 2000
    for space in ("", "\n"):
        found, errors = records_of(
            io.StringIO(f"<opensudoku>{space}{games}text{'y' * 2 * MEGABYTE}</opensudoku>"), None
        )
        assert (len(found), errors) == (2000, [])


def test_deeply_nested_xml_is_rejected() -> None:
    text = io.StringIO("<a>" * MEGABYTE)
    _, (error,) = records_of(text, "opensudoku")
    assert error.problem == "found elements nested 101 deep"


@for_each("format", [None, *sorted(set(TEXT_FORMATS) - {"opensudoku"})])
@for_each("line", ["# a comment\n", "#C a comment\n"])
def test_many_comments_need_little_memory(format: str | None, line: str) -> None:
    text = Repeated(line, 60_000, f"{TINY.line}\n")
    tracemalloc.start()
    try:
        records_of(text, format)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * MEGABYTE


@pytest.mark.timing
@for_each("format", ["grid", "integers", "sdk"])
def test_many_comments_take_linear_time(format: str) -> None:
    began = time.process_time()
    records_of(Repeated("# a comment\n", 300_000), format)
    assert time.process_time() - began < 5


def test_puzzles_after_many_comments_are_read() -> None:
    found, errors = records_of(Repeated("# a comment\n", 30_000, f"{EASY.line}\n"), None)
    assert (found, errors) == ([EASY], [])


def test_an_overlong_line_is_an_error() -> None:
    for format in TEXT_FORMATS:
        found, errors = records_of(io.StringIO("1" * (LONGEST_LINE + 5)), format)
        assert (len(found), bool(errors)) == (0, True)


GRIDS = st.one_of(st.text(st.sampled_from('1.0"\\,é\x00 '), max_size=20), st.just(TINY.line), st.just("5" * 16))


def json_of(puzzle: str, solution: str) -> str:
    return json.dumps({"puzzle": puzzle, "solution": solution}).replace("1", "\\u0031").replace("5", "\\u0035")


def csv_of(puzzle: str, solution: str) -> str:
    quoted = ['"' + text.replace('"', '""') + '"' for text in (puzzle, solution)]
    return "puzzle,solution\n" + ",".join(quoted)


@pytest.mark.parametrize(("format", "written"), [("jsonl", json_of), ("csv", csv_of)])
@given(puzzle=GRIDS, solution=GRIDS)
def test_errors_have_a_position_even_in_quoted_text(
    format: str, written: Callable[[str, str], str], puzzle: str, solution: str
) -> None:
    _, errors = records_of(io.StringIO(written(puzzle, solution)), format)
    for error in errors:
        assert error.line >= 1
        assert error.column >= 1
