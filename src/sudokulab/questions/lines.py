"""9×9 puzzles, one per line or row of CSV, from bytes to bytes: for jobs of a billion puzzles.

The core reads, solves, judges and writes whole blocks of lines on all cores. Python sees a line only if it has no
solution or is not a plain puzzle.
"""

from __future__ import annotations

import codecs
import io
import os
import select
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from typing import IO, NamedTuple

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget
from sudokulab.errors import FormatError, WrongAnswerError
from sudokulab.formats import csv, line, sniff, spreadsheet
from sudokulab.formats.base import LONGEST_LINE, Format, Record, Text
from sudokulab.formats.columns import Columns
from sudokulab.formats.compression import DamagedFileError
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.questions.arrays import WRONG_GRID
from sudokulab.search.budget import Budget, checked_budget
from sudokulab.search.result import Result, Status
from sudokulab.solvers import Auto

__all__ = ["Part", "Row", "Solved", "plain_format", "solution_lines", "solve_lines", "write_behind"]

_BLOCK_BYTES = 1 << 23
_LEAST_BYTES = 1 << 16
_BLOCK_LINES = 1 << 17  # more than a block of puzzles has
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
    elif format is csv.FORMAT and b"\r" not in head.replace(b"\r\n", b"") and not spreadsheet.is_grid(text):
        columns = csv.find_columns(text)
        if not isinstance(columns, Columns) or not columns.are_plain:
            return None
        first = next(csv.read_rows(text, columns), None)
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
        Lines of 81 symbols, optionally followed by a name, or rows of CSV; comments and blank lines are skipped.
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
        Gets the row of each answer that is not `Solved`.

    Yields
    ------
    Solved | Result | FormatError
        The verified solutions of many puzzles. Between them, in their places: results for puzzles without a solution
        or of another form, and errors for unreadable lines.
    """
    num_threads = checked_threads(threads)
    native = native_budget(checked_budget(budget, Auto.name, Auto.unit))
    num_lines, first = 0, b""
    columns: Columns | None = None
    read: Callable[[Text], Iterator[Record]] = line.read
    if format is csv.FORMAT:
        header, first, num_lines = _read_header(stream, source, column)
        if not isinstance(header, Columns):
            yield from [header] if header else []
            return
        assert header.are_plain, "plain_format accepted the header"
        columns, read = header, partial(csv.read_rows, columns=header)
    parts = layout(columns)
    chosen = _core.LineLayout(columns.roles() if columns else [], columns.delimiter if columns else ",", parts)
    num_rows = first_row - 1  # so far

    def records(text: bytes, lines: Iterable[OtherLine]) -> Iterator[Record | Result]:
        nonlocal num_lines, num_rows
        for number, _, begin, end, _, answer in lines:
            one_line = _text(text[begin:end], source, box, keeps_rows=rows is not None)
            one_line.line = num_lines + number
            for record in read(one_line):
                num_rows += 1
                if rows is not None:
                    rows.append((columns, one_line.fields))
                yield _answered(record, answer)
            num_lines += text.count(b"\r", begin, end)  # classic Mac OS line ends inside the line

    def solved(text: bytes, begin: int, is_last: bool) -> _Block:
        return _core.solve_lines(text, begin, num_rows + 1, is_last, chosen, native, num_threads)

    for text, answers, others, num_in_text, end_row in _answers(_blocks(stream, first, _block_bytes(parts)), solved):
        done = 0
        for position, group in groupby(others, key=itemgetter(4)):
            lines = list(group)
            if (number := lines[0][1] - num_rows - 1) > 0:
                num_rows += number
                yield Solved(answers[done:position], number)
                done = position
            yield from _solved(records(text, lines), budget, num_threads)
        if (number := end_row - num_rows) > 0 and len(answers) > done:
            num_rows += number
            yield Solved(answers[done:], number)
        num_lines += num_in_text


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


def _read_header(stream: IO[bytes], source: str, column: str | None) -> tuple[Columns | FormatError | None, bytes, int]:
    """Return the columns of a CSV file, the bytes of a first row read in search of a header, and the lines before."""
    num_lines, row = 0, stream.readline(LONGEST_LINE).removeprefix(codecs.BOM_UTF8)
    while row and (not row.strip() or row.startswith(b"#")):
        num_lines, row = num_lines + 1, stream.readline(LONGEST_LINE)
    text = _text(row, source, column=column)
    text.line = num_lines
    columns = csv.find_columns(text)
    return columns, b"" if text.line > num_lines else row, text.line


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


@contextmanager
def write_behind(stream: IO[bytes]) -> Iterator[Callable[[bytes], object]]:
    """Return a function that writes to a stream: to files in a separate thread, while the next block is solved."""
    if not _is_file(stream):
        yield lambda text: (stream.write(text), stream.flush())
        return
    with ThreadPoolExecutor(1) as pool:
        writing: Future[object] = pool.submit(bool)
        waiting: list[bytes] = []
        num_bytes = 0

        def write(text: bytes) -> None:
            nonlocal writing, num_bytes
            waiting.append(text)
            num_bytes += len(text)
            if num_bytes < _LEAST_BYTES:  # a thread costs more than a short text
                return
            writing.result()
            writing = pool.submit(stream.writelines, tuple(waiting))
            waiting.clear()
            num_bytes = 0

        try:
            yield write
        finally:
            writing.result()
            stream.writelines(waiting)


def _block_bytes(parts: Sequence[Part]) -> int:
    """Return the size of a block whose answers take about as much memory as those of a block of lines."""
    num_bytes = sum(len(text) + 81 * bool(slot) for text, slot, _, _ in parts)
    return max(1, _BLOCK_BYTES * 82 // max(82, num_bytes))


def _blocks(stream: IO[bytes], start: bytes, num_bytes: int) -> Iterator[bytes]:
    """Yield blocks of whole lines, of about so many bytes, beginning with `start`."""
    read = partial(_read_block, stream, num_bytes)
    blocks = _read_ahead(read) if _is_file(stream) else iter(read, b"")
    if first := start or next(blocks, b"").removeprefix(codecs.BOM_UTF8):
        yield from _pieces(first)
    for block in blocks:
        yield from _pieces(block)


def _pieces(block: bytes) -> Iterator[bytes]:
    """Split a block of many short lines, each of which takes far more memory as an object than as text."""
    num_pieces = -(-block.count(b"\n") // _BLOCK_LINES)
    start, num_bytes = 0, len(block) // max(1, num_pieces)
    while num_pieces > 1 and (end := block.find(b"\n", start + num_bytes) + 1):
        yield block[start:end]
        start = end
    if start < len(block):
        yield block[start:]


def _read_ahead(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield blocks of whole lines, and read the next one meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        while text := reading.result():
            reading = pool.submit(read)
            yield text


def _is_file(stream: IO[bytes]) -> bool:
    """Return whether a stream is a file, which is read and written without waiting."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False


def _read_block(stream: IO[bytes], num_bytes: int) -> bytes:
    """Read whole lines: about so many bytes of a file, the available lines of a pipe."""
    pieces: list[bytes] = []
    try:
        pieces.append(_read_some(stream, num_bytes))
        length = len(pieces[0])
        while 0 < length < num_bytes and _has_more(stream):
            pieces.append(_read_some(stream, num_bytes - length))
            length += len(pieces[-1])
            if not pieces[-1]:
                break
        if not pieces[-1].endswith(b"\n"):
            pieces.append(stream.readline(LONGEST_LINE))
    except DamagedFileError:  # a damaged file: the lines before the damage first, then the same error again
        lines, end, _ = b"".join(pieces).rpartition(b"\n")
        if not end:
            raise
        return lines + end
    return b"".join(pieces)


def _read_some(stream: IO[bytes], number: int) -> bytes:
    return stream.read1(number) if isinstance(stream, io.BufferedReader) else stream.read(number)


def _has_more(stream: IO[bytes]) -> bool:
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # not a file or pipe
        return False


def _text(
    text: bytes,
    source: str = "<text>",
    box: BoxShape | None = None,
    *,
    column: str | None = None,
    keeps_rows: bool = False,
) -> Text:
    stream = io.StringIO(text.decode("utf-8", errors="replace"), newline=None)
    return Text(stream, source, box, column=column, keeps_rows=keeps_rows)
