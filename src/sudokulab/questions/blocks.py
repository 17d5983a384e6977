"""Read and write streams of bytes in blocks of whole lines, while other blocks are solved."""

from __future__ import annotations

import codecs
import io
import os
import select
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import IO

from sudokulab.formats.base import LONGEST_LINE
from sudokulab.formats.compression import DamagedFileError

__all__ = ["blocks_of", "read_ahead", "write_behind"]

_LEAST_BYTES = 1 << 16
_MOST_BYTES = 4 * LONGEST_LINE  # of a line, whose characters have up to four bytes
_BLOCK_LINES = 1 << 17  # more than a block of puzzles has


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


def blocks_of(stream: IO[bytes], start: bytes, num_bytes: int) -> Iterator[bytes]:
    """Yield blocks of whole lines, of about so many bytes, beginning with `start`."""
    read = partial(_read_block, stream, num_bytes)
    blocks = read_ahead(read) if _is_file(stream) else iter(read, b"")
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


def read_ahead(read: Callable[[], bytes]) -> Iterator[bytes]:
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
            pieces.append(_rest_of_line(stream))
    except DamagedFileError:  # a damaged file: the lines before the damage first, then the same error again
        lines, end, _ = b"".join(pieces).rpartition(b"\n")
        if not end:
            raise
        return lines + end
    return b"".join(pieces)


def _rest_of_line(stream: IO[bytes]) -> bytes:
    """Read the rest of a line; of one that is too long, enough to be recognised."""
    line = piece = stream.readline(_MOST_BYTES)
    while len(line) == _MOST_BYTES and piece and not piece.endswith(b"\n"):
        piece = stream.readline(LONGEST_LINE)
    return line if line.endswith(b"\n") or len(line) < _MOST_BYTES else line + b"\n"


def _read_some(stream: IO[bytes], number: int) -> bytes:
    return stream.read1(number) if isinstance(stream, io.BufferedReader) else stream.read(number)


def _has_more(stream: IO[bytes]) -> bool:
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # not a file or pipe
        return False
