"""9×9 puzzles, one per line, from bytes to bytes: for jobs of a billion puzzles.

The core reads, solves, judges and writes whole blocks of lines on all cores. Python sees a line only if it has no
solution or is not a plain puzzle.
"""

from __future__ import annotations

import io
import os
import select
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import IO

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_budget
from sudokulab.budget import Budget, checked_budget
from sudokulab.errors import FormatError, WrongAnswerError
from sudokulab.formats import line, sniff
from sudokulab.formats.base import LONGEST_LINE, Record, Text
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers import Auto
from sudokulab.solving.arrays import WRONG_GRID

__all__ = ["ANSWER_LENGTH", "are_plain_lines", "solve_lines", "write_behind"]

ANSWER_LENGTH = 82
"""The bytes of an answer: 81 digits and the end of the line."""

_BLOCK_BYTES = 1 << 23
_UNREAD = "unread"  # the core leaves the line to us


def are_plain_lines(head: bytes) -> bool:
    """Tell by the beginning of a text whether it holds 9×9 puzzles, one a line."""
    if sniff(_text(head)) is not line.FORMAT:
        return False
    first = next(line.read(_text(head)), None)
    return isinstance(first, Puzzle) and first.size == 9


def solve_lines(
    stream: IO[bytes],
    source: str,
    *,
    box: BoxShape | None = None,
    budget: Budget | None = None,
    threads: int | None = None,
) -> Iterator[bytes | Result | FormatError]:
    """Solve the 9×9 puzzles of a stream and yield the answers in order.

    Parameters
    ----------
    stream
        Lines of 81 symbols, optionally followed by a name; comments and empty lines are skipped.
    source
        The name of the stream in errors.
    box
        The box shape the user asked for.
    budget
        Limits for each puzzle.
    threads
        Number of threads (default: all cores).

    Yields
    ------
    bytes | Result | FormatError
        Blocks of solved lines, 81 digits each, every one verified. Between them, in their places: results on puzzles
        without a solution or of another form, and errors for lines that cannot be read.
    """
    num_threads = checked_threads(threads)
    native = native_budget(checked_budget(budget, Auto.name, Auto.unit))
    num_lines = 0
    for text in _blocks(stream):
        answers, others, num_in_block, are_right = _core.solve_lines(text, native, num_threads)
        if not are_right:
            raise WrongAnswerError(WRONG_GRID)
        done = 0
        for position, group in groupby(others, key=itemgetter(3)):
            if position > done:
                yield answers[done:position]
                done = position
            records: list[Record | Result] = []
            for number, begin, end, _, answer in group:
                one_line = _text(text[begin:end], source, box)
                one_line.line = num_lines + number
                records += [_answered(record, answer) for record in line.read(one_line)]
                num_lines += text.count(b"\r", begin, end)  # lines within the line, as old Macs ended them
            yield from _solved(records, budget, num_threads)
        if len(answers) > done:
            yield answers[done:]
        num_lines += num_in_block


def _answered(record: Record, answer: str) -> Record | Result:
    """Return the result of a line that the core has read; others are still to be solved."""
    if isinstance(record, Puzzle) and answer != _UNREAD:
        return Result(Status(answer), record, Auto.name)
    return record


def _solved(records: list[Record | Result], budget: Budget | None, threads: int) -> Iterator[Result | FormatError]:
    """Solve the puzzles among records, and keep their order."""
    for batch in batches(records, threads):
        puzzles = [record for record in batch if isinstance(record, Puzzle)]
        results = iter(Auto().solve_batch(puzzles, budget, [0] * len(puzzles), threads) if puzzles else ())
        for record in batch:
            yield next(results) if isinstance(record, Puzzle) else record


@contextmanager
def write_behind(stream: IO[bytes]) -> Iterator[Callable[[bytes], object]]:
    """Return what writes to a stream: to a file in a thread of its own, while the next block is solved."""
    if not _is_file(stream):
        yield lambda text: (stream.write(text), stream.flush())
        return
    with ThreadPoolExecutor(1) as pool:
        writing: Future[object] = pool.submit(bool)

        def write(text: bytes) -> None:
            nonlocal writing
            writing.result()
            writing = pool.submit(stream.write, text)

        yield write
        writing.result()


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield blocks of whole lines; of a file the next one is read while this one is dealt with."""
    if not _is_file(stream):
        yield from iter(lambda: _read_block(stream), b"")
        return
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(_read_block, stream)
        while text := reading.result():
            reading = pool.submit(_read_block, stream)
            yield text


def _is_file(stream: IO[bytes]) -> bool:
    """Tell a file, which is read and written in no time, from what one may have to wait for."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False


def _read_block(stream: IO[bytes]) -> bytes:
    """Read whole lines: of a file a large block, of a pipe what is there."""
    pieces = [_read_some(stream, _BLOCK_BYTES)]
    length = len(pieces[0])
    while 0 < length < _BLOCK_BYTES and _has_more(stream):
        pieces.append(_read_some(stream, _BLOCK_BYTES - length))
        length += len(pieces[-1])
        if not pieces[-1]:
            break
    if not pieces[-1].endswith(b"\n"):
        pieces.append(stream.readline(LONGEST_LINE))
    return b"".join(pieces)


def _read_some(stream: IO[bytes], number: int) -> bytes:
    return stream.read1(number) if isinstance(stream, io.BufferedReader) else stream.read(number)


def _has_more(stream: IO[bytes]) -> bool:
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # nothing that one could wait for
        return False


def _text(text: bytes, source: str = "<text>", box: BoxShape | None = None) -> Text:
    return Text(io.StringIO(text.decode("utf-8", errors="replace"), newline=None), source, box)
