"""The errors of unreadable inputs, in bounded memory: a file of a megabyte can have half a million of them."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Iterator
from typing import IO, Self, cast

from sudokulab.errors import FormatError

__all__ = ["PlacedErrors"]

_MEMORY_BYTES = 1 << 20


class PlacedErrors:
    """A queue of errors, each with the number of puzzles before it; what exceeds a megabyte is in a temporary file."""

    def __init__(self) -> None:
        spool = tempfile.SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115  # closed with this object
        self._file = cast(IO[bytes], spool)
        self._num_waiting = 0
        self._next: tuple[int, FormatError] | None = None
        self._read_at = 0
        self._is_reading = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, num_puzzles: int, error: FormatError) -> None:
        """Add an error after so many puzzles."""
        if self._is_reading or not self._num_waiting:
            self._file.seek(0, os.SEEK_END)
            self._is_reading = False
        place = (num_puzzles, error.problem, error.advice, error.source, error.line, error.column, error.name)
        pickle.dump(place, self._file)
        self._num_waiting += 1

    def take(self, num_puzzles: int) -> Iterator[FormatError]:
        """Remove and yield the errors after at most so many puzzles, in order."""
        while self._num_waiting or self._next:
            self._next = self._next or self._load()
            if self._next[0] > num_puzzles:
                return
            error, self._next = self._next[1], None
            yield error

    def _load(self) -> tuple[int, FormatError]:
        if not self._is_reading:
            self._file.seek(self._read_at)
            self._is_reading = True
        num_puzzles, problem, advice, source, line, column, name = pickle.load(self._file)  # written by `add`
        self._num_waiting -= 1
        self._read_at = self._file.tell()
        if not self._num_waiting:
            self._file.seek(0)
            self._file.truncate()
            self._read_at = 0
        return num_puzzles, FormatError(problem, advice, source=source, line=line, column=column, name=name)
