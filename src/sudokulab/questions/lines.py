"""9×9 puzzles, one per line, row of a table or line of JSON, from bytes to bytes: for jobs of a billion puzzles.

The core reads, solves, judges and writes whole blocks of lines on all cores. Python sees a line only if it has no
solution or is not a plain puzzle.
"""

from __future__ import annotations

import codecs
import io
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from typing import IO, Any, NamedTuple

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget
from sudokulab.errors import FormatError, WrongAnswerError
from sudokulab.formats import csv, jsonl, line, sniff, spreadsheet, table_fields
from sudokulab.formats.arrow import Table
from sudokulab.formats.base import LONGEST_LINE, Format, Record, Text
from sudokulab.formats.columns import Columns
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.questions.arrays import WRONG_GRID
from sudokulab.questions.blocks import blocks_of, read_ahead
from sudokulab.search.budget import Budget, checked_budget
from sudokulab.search.result import Result, Status
from sudokulab.solvers import Auto

__all__ = [
    "Part",
    "Row",
    "Solved",
    "is_plain_table",
    "plain_format",
    "solution_lines",
    "solve_lines",
    "solve_table",
]

_BLOCK_BYTES = 1 << 23
_ROWS = (csv.FORMAT, csv.TSV)
_UNREAD = "unread"  # lines that the core leaves to Python

OtherLine = tuple[int, int, int, int, int, str]
"""A line that the core leaves to Python: its number, its row, its begin and end, its place among the answers, its
answer."""

Row = tuple[Columns | None, Sequence[object]]
"""The columns of a table and the fields of a row; neither for a puzzle from a line."""

Part = tuple[str, str, int, int]
"""A part of an answer: a text, and what follows it; see `LineLayout` in ``cpp/bulk/lines.h``."""


class Solved(NamedTuple):
    """The answers to consecutive puzzles.

    Parameters
    ----------
    text
        The answers, written as the layout says.
    number
        The number of puzzles.
    """

    text: bytes
    number: int


def solution_lines(columns: Columns | None) -> list[Part]:
    """Return the parts of an answer that is a line with the solution."""
    return [("", "solution", 0, 0), ("\n", "", 0, 0)]


def plain_format(head: bytes, format: Format | None = None, column: str | None = None) -> Format | None:
    """Return the format of a text that `solve_lines` can solve, None for other texts.

    Parameters
    ----------
    head
        The beginning of the text.
    format
        The format of the text (default: detected).
    column
        The column of puzzles that the user has named.
    """
    head = head.removeprefix(codecs.BOM_UTF8)
    format = format or sniff(_text(head, column=column))
    text = _text(head, column=column)
    if format.read is line.FORMAT.read:
        first = next(line.read(text), None)
    elif b"\r" in head.replace(b"\r\n", b""):
        return None
    elif format in _ROWS and not spreadsheet.is_grid(text):
        columns = csv.find_columns(text, csv.delimiter_of(format))
        if not isinstance(columns, Columns) or not columns.are_plain:
            return None
        first = next(csv.read_rows(text, columns), None)
    elif format is jsonl.FORMAT and jsonl.first_members(text) is not None:
        first = next(jsonl.read(_text(head, column=column)), None)
    else:
        return None
    return format if isinstance(first, Puzzle) and first.size == 9 else None


def solve_lines(
    stream: IO[bytes],
    source: str,
    *,
    format: Format = line.FORMAT,
    box: BoxShape | None = None,
    column: str | None = None,
    budget: Budget | None = None,
    threads: int | None = None,
    layout: Callable[[Columns | None], Sequence[Part]] = solution_lines,
    first_row: int = 1,
    rows: deque[Row] | None = None,
) -> Iterator[Solved | Result | FormatError]:
    """Solve the 9×9 puzzles of a stream and yield the answers in order.

    Parameters
    ----------
    stream
        Lines of 81 symbols, optionally followed by a name, rows of CSV, or objects in JSON lines; comments and blank
        lines are skipped.
    source
        The name of the stream in errors.
    format
        The format as returned by `plain_format`.
    box
        The box shape requested by the user.
    column
        The column of puzzles that the user has named.
    budget
        Limits for each puzzle.
    threads
        Number of threads (default: all cores).
    layout
        Returns the parts of an answer, for the columns of a table or None (default: lines with the solution).
    first_row
        The number of the first puzzle.
    rows
        Gets the row of each answer that is not `Solved`. An object has no columns, and is its only field.

    Yields
    ------
    Solved | Result | FormatError
        The verified solutions of many puzzles. Between them, in their places: results for puzzles without a solution
        or of another form, and errors for unreadable lines.
    """
    num_lines, first = 0, b""
    columns: Columns | None = None
    if format in _ROWS:
        delimiter = csv.delimiter_of(format)
        header, first, num_lines = _read_header(stream, source, column, delimiter, keeps_rows=rows is not None)
        if not isinstance(header, Columns):
            yield from [header] if header else []
            return
        assert header.are_plain, "plain_format accepted the header"
        columns = header
    elif format is jsonl.FORMAT:
        columns, first = _read_members(stream, source, column)
    parts = layout(columns)
    blocks = blocks_of(stream, first, _block_bytes(parts))
    lines = _Lines(source, box, columns, rows, column=column, num_lines=num_lines)
    yield from _solve_blocks(blocks, lines, parts, budget, threads, first_row)


def is_plain_table(table: Table) -> bool:
    """Return whether `solve_table` can solve a table: it begins with a 9×9 puzzle, and no column gives boxes."""
    if not table.columns.are_plain:
        return False
    columns, places = table_fields.answer_columns(table.columns)
    first = table_fields.rows_of(table.first().slice(0, 1).select(places), columns)
    return bool(first) and len(first[0][0].strip('"')) == 81


def solve_table(
    table: Table,
    source: str,
    *,
    box: BoxShape | None = None,
    budget: Budget | None = None,
    threads: int | None = None,
    layout: Callable[[Columns | None], Sequence[Part]] = solution_lines,
    first_row: int = 1,
    rows: deque[Row] | None = None,
    batches: deque[Any] | None = None,
) -> Iterator[Solved | Result | FormatError]:
    """Solve the 9×9 puzzles of a binary table that `is_plain_table`, and yield the answers in order.

    Parameters
    ----------
    table
        The opened table.
    rows
        Gets the row of each answer that is not `Solved`. The layout may use all columns, as those of CSV.
    batches
        Gets the columns and each batch of rows before its answers.
    source, box, budget, threads, layout, first_row
        See `solve_lines`.

    Yields
    ------
    Solved | Result | FormatError
        See `solve_lines`.
    """
    if rows is None:
        columns, places = table_fields.answer_columns(table.columns, has_names=batches is None)
    else:
        columns, places = table_fields.csv_columns(table.columns), list(range(table.columns.count))

    def blocks() -> Iterator[bytes]:
        for batch in table.batches():
            if batches is not None:
                batches.append((table.columns, batch))
            yield table_fields.rows_as_csv(batch, table.columns, places)

    lines = _Lines(source, box, columns, rows, first_row=first_row)
    ahead = read_ahead(partial(next, blocks(), b""))
    yield from _solve_blocks(ahead, lines, layout(columns), budget, threads, first_row)


class _Lines:
    """Reads the lines that the core leaves to Python.

    Parameters
    ----------
    source, box, column
        See `solve_lines`.
    columns
        The columns of a table, or the members of objects.
    rows
        Gets the row of each record.
    num_lines
        The number of lines before the first block.
    first_row
        The number of the first row, if rows rather than lines give the positions of errors.
    """

    def __init__(
        self,
        source: str,
        box: BoxShape | None,
        columns: Columns | None,
        rows: deque[Row] | None,
        *,
        column: str | None = None,
        num_lines: int = 0,
        first_row: int | None = None,
    ) -> None:
        self.columns = columns
        self.num_lines = num_lines
        self._source = source
        self._box = box
        self._rows = rows
        self._first_row = first_row
        self._column = column
        self._table = columns if columns and not columns.are_members else None
        self._read: Callable[[Text], Iterator[Record]] = line.read
        if columns:
            by_columns = partial(csv.read_rows, columns=columns)
            self._read = by_columns if self._table else partial(jsonl.read, is_first=False)

    def records(self, text: bytes, lines: Iterable[OtherLine]) -> Iterator[Record | Result]:
        """Yield the puzzles and errors of these lines of a text, and results where the core has an answer."""
        for number, row, begin, end, _, answer in lines:
            keeps_rows = self._rows is not None and self._table is not None
            one_line = _text(text[begin:end], self._source, self._box, column=self._column, keeps_rows=keeps_rows)
            one_line.line = self.num_lines + number if self._first_row is None else row - self._first_row
            for record in self._read(one_line):
                if self._rows is not None:
                    self._rows.append((self._table, one_line.fields))
                yield _answered(record, answer)
            self.num_lines += text.count(b"\r", begin, end)  # classic Mac OS line ends inside the line


def _solve_blocks(
    blocks: Iterable[bytes],
    lines: _Lines,
    parts: Sequence[Part],
    budget: Budget | None,
    threads: int | None,
    first_row: int,
) -> Iterator[Solved | Result | FormatError]:
    """Solve the puzzles of blocks of whole lines."""
    num_threads = checked_threads(threads)
    native = native_budget(checked_budget(budget, Auto.name, Auto.unit))
    columns = lines.columns
    keys = columns.header if columns and columns.are_members else ()
    chosen = _core.LineLayout(columns.roles() if columns else [], columns.delimiter if columns else ",", parts, keys)
    num_rows = first_row - 1  # so far

    def records(text: bytes, others: Iterable[OtherLine]) -> Iterator[Record | Result]:
        nonlocal num_rows
        for record in lines.records(text, others):
            num_rows += 1
            yield record

    def solved(text: bytes, begin: int, is_last: bool) -> _Block:
        return _core.solve_lines(text, begin, num_rows + 1, is_last, chosen, native, num_threads)

    for text, answers, others, num_in_text, end_row in _answers(blocks, solved):
        done = 0
        for position, group in groupby(others, key=itemgetter(4)):
            some = list(group)
            if (number := some[0][1] - num_rows - 1) > 0:
                num_rows += number
                yield Solved(answers[done:position], number)
                done = position
            yield from _solved(records(text, some), budget, num_threads)
        if (number := end_row - num_rows) > 0 and len(answers) > done:
            num_rows += number
            yield Solved(answers[done:], number)
        lines.num_lines += num_in_text


TextAnswers = tuple[bytes, bytes, list[OtherLine], int, int]
_Block = tuple[bytes, list[OtherLine], int, int, int, bool]  # as `_core.solve_lines` returns it


def _answers(blocks: Iterable[bytes], solve: Callable[[bytes, int, bool], _Block]) -> Iterator[TextAnswers]:
    """Yield each text that the core has solved, its answers, other lines and number of lines, and its last row."""
    rest = b""
    for block in chain(blocks, [b""]):
        text, begin = rest + block, 0
        while begin < len(text):
            answers, others, num_bytes, num_lines, last_row, are_right = solve(text, begin, not block)
            if not are_right:
                raise WrongAnswerError(WRONG_GRID)
            yield text, answers, others, num_lines, last_row
            begin += num_bytes
            if not num_bytes:  # a row that continues in the next block
                break
        rest = text[begin:]


def _read_header(
    stream: IO[bytes], source: str, column: str | None, delimiter: str | None, *, keeps_rows: bool
) -> tuple[Columns | FormatError | None, bytes, int]:
    """Return the columns of a CSV file, the bytes of a first row read in search of a header, and the lines before."""
    num_lines, row = 0, stream.readline(LONGEST_LINE).removeprefix(codecs.BOM_UTF8)
    while row and (not row.strip() or row.startswith(b"#")):
        num_lines, row = num_lines + 1, stream.readline(LONGEST_LINE)
    text = _text(row, source, column=column, keeps_rows=keeps_rows)
    text.line = num_lines
    columns = csv.find_columns(text, delimiter)
    return columns, b"" if text.line > num_lines else row, text.line


def _read_members(stream: IO[bytes], source: str, column: str | None) -> tuple[Columns, bytes]:
    """Return the members of the first object of JSON lines, and the bytes read in search of it."""
    found = b""
    while row := stream.readline(LONGEST_LINE):
        row = row if found else row.removeprefix(codecs.BOM_UTF8)
        found += row
        if members := jsonl.first_members(_text(row, source, column=column)):
            return members, found
    raise AssertionError("plain_format accepted the first object")


def _answered(record: Record, answer: str) -> Record | Result:
    """Return the result for a line that the core has read; other puzzles are solved later."""
    if isinstance(record, Puzzle) and answer != _UNREAD:
        return Result(Status(answer), record, Auto.name)
    return record


def _solved(records: Iterable[Record | Result], budget: Budget | None, threads: int) -> Iterator[Result | FormatError]:
    """Solve the puzzles among records and keep the order."""
    for batch in batches(records, threads):
        puzzles = [record for record in batch if isinstance(record, Puzzle)]
        results = iter(Auto().solve_batch(puzzles, budget, [0] * len(puzzles), threads) if puzzles else ())
        for record in batch:
            yield next(results) if isinstance(record, Puzzle) else record


def _block_bytes(parts: Sequence[Part]) -> int:
    """Return the size of a block whose answers take about as much memory as those of a block of lines."""
    num_bytes = sum(len(text) + 81 * bool(slot) for text, slot, _, _ in parts)
    return max(1, _BLOCK_BYTES * 82 // max(82, num_bytes))


def _text(
    text: bytes,
    source: str = "<text>",
    box: BoxShape | None = None,
    *,
    column: str | None = None,
    keeps_rows: bool = False,
) -> Text:
    errors = "surrogateescape" if keeps_rows else "replace"  # rows keep all bytes and line ends
    stream = io.StringIO(text.decode("utf-8", errors=errors), newline="" if keeps_rows else None)
    return Text(stream, source, box, column=column, keeps_rows=keeps_rows)
