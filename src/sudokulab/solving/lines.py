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
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO

from sudokulab import _core
from sudokulab._internal.native import checked_threads
from sudokulab.errors import WrongAnswerError
from sudokulab.formats import line, sniff
from sudokulab.formats.base import LONGEST_LINE, Record, Text
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.solving.arrays import WRONG_GRID

__all__ = ["ANSWER_LENGTH", "are_plain_lines", "solve_lines", "write_behind"]

ANSWER_LENGTH = 82
"""The bytes of an answer: 81 digits and the end of the line."""

_BLOCK_BYTES = 1 << 23


def are_plain_lines(head: bytes) -> bool:
    """Tell by the beginning of a text whether it holds 9×9 puzzles, one a line."""
    if sniff(_text(head)) is not line.FORMAT:
        return False
    first = next(line.read(_text(head)), None)
    return isinstance(first, Puzzle) and first.size == 9


def solve_lines(
    stream: IO[bytes], source: str, *, box: BoxShape | None = None, threads: int | None = None
) -> Iterator[bytes | Record]:
    """Solve the 9×9 puzzles of a stream and yield the answers in order.

    Parameters
    ----------
    stream
        Lines of 81 symbols, perhaps with a name behind them; comments and empty lines are passed over.
    source
        What to call it in errors.
    box
        The box shape the user asked for.
    threads
        How many to use; by default one for each core.

    Yields
    ------
    bytes | Record
        Lines of 81 digits, many at once, each a verified solution. Between them stand the puzzles for which that is not
        so easy: those without a solution, of another size, or too hard; and errors for what cannot be read.
    """
    num_threads = checked_threads(threads)
    num_lines = 0
    for text in _blocks(stream):
        answers, others, num_in_block, are_right = _core.solve_lines(text, num_threads)
        if not are_right:
            raise WrongAnswerError(WRONG_GRID)
        done = 0
        for number, begin, end, position in others:
            if position > done:
                yield answers[done:position]
                done = position
            others_text = _text(text[begin:end], source, box)
            others_text.line = num_lines + number
            yield from line.read(others_text)
            num_lines = others_text.line - number - 1  # more than one, where lines end as they once did
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
