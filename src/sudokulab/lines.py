"""9×9 puzzles, one a line, from bytes to bytes: for jobs of a billion puzzles.

Whole blocks of lines are read, solved, judged and written by the native core on all cores; Python sees a line only if
it is something else than a plain puzzle with a solution.
"""

from __future__ import annotations

import io
import os
import select
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO

from sudokulab import _core
from sudokulab.errors import SudokulabError, WrongAnswerError
from sudokulab.formats import line, sniff
from sudokulab.formats.base import Record, Text
from sudokulab.native import checked_threads

__all__ = ["ANSWER_LENGTH", "are_plain_lines", "solve_lines", "write_behind"]

ANSWER_LENGTH = 82
"""The bytes of an answer: 81 digits and the end of the line."""

_BLOCK_BYTES = 1 << 23
_NOTHING_YET = 0.0  # seconds to wait for more, once there is something to do


def are_plain_lines(head: bytes) -> bool:
    """Tell by the beginning of a text whether it holds 9×9 puzzles, one a line."""
    first, newline, _ = head.partition(b"\n")
    while newline and (not first.strip() or first.lstrip().startswith(b"#")):
        head = head[len(first) + 1 :]
        first, newline, _ = head.partition(b"\n")
    try:
        record = _record(first, "<text>", 0)
        return not isinstance(record, SudokulabError) and record.size == 9 and sniff(_text(head)) is line.FORMAT
    except StopIteration:
        return False


def solve_lines(stream: IO[bytes], source: str, *, threads: int | None = None) -> Iterator[bytes | Record]:
    """Solve the 9×9 puzzles of a stream and yield the answers in order.

    Parameters
    ----------
    stream
        Lines of 81 symbols, perhaps with a name behind them; comments and empty lines are passed over.
    source
        What to call it in errors.
    threads
        How many to use; by default one for each core.

    Yields
    ------
    bytes | Record
        Lines of 81 digits, many at once, each a verified solution. Between them stand the puzzles that have none, or
        are of another size, and errors for what cannot be read.
    """
    num_threads = checked_threads(threads)
    num_lines = 0
    for text in _blocks(stream):
        answers, others, num_in_block, are_right = _core.solve_lines(text, num_threads)
        if not are_right:
            raise WrongAnswerError("the bulk engine returned a grid that is no solution; this is a bug in the solver")
        done = 0
        for number, begin, end, position in others:
            if position > done:
                yield answers[done:position]
                done = position
            yield _record(text[begin:end], source, num_lines + number)
        if len(answers) > done:
            yield answers[done:]
        num_lines += num_in_block


@contextmanager
def write_behind(stream: IO[bytes]) -> Iterator[Callable[[bytes], object]]:
    """Return what writes to a stream: to a file in a thread of its own, while the next block is solved."""
    if not _is_file(stream):
        yield lambda text: (stream.write(text), stream.flush())
        return
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(bool)

        def write(text: bytes) -> None:
            nonlocal writing
            writing.result()
            writing = pool.submit(stream.write, text)  # type: ignore[arg-type]

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
        pieces.append(stream.readline())
    return b"".join(pieces)


def _read_some(stream: IO[bytes], number: int) -> bytes:
    return stream.read1(number) if isinstance(stream, io.BufferedReader) else stream.read(number)


def _has_more(stream: IO[bytes]) -> bool:
    try:
        return bool(select.select([stream], [], [], _NOTHING_YET)[0])
    except (OSError, ValueError):  # nothing that one could wait for
        return False


def _record(text: bytes, source: str, num_before: int) -> Record:
    """Read one line, of which so many stand before it."""
    lines = _text(text, source)
    lines.line = num_before
    return next(line.read(lines))


def _text(text: bytes, source: str = "<text>") -> Text:
    return Text(io.StringIO(text.decode("utf-8", errors="replace")), source)
