"""Where the puzzles of a command come from: files, collections, puzzles as text, and standard input."""

from __future__ import annotations

import io
import math
import os
import re
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sudokulab._internal.suggestions import did_you_mean
from sudokulab.cli.common import print_message
from sudokulab.errors import SudokulabError
from sudokulab.formats import links, symbols

__all__ = ["Source", "is_file", "num_bytes_of", "sources_of"]


@dataclass(frozen=True)
class Source:
    """An input: the name of a file, a puzzle as text, or ``-`` for standard input."""

    argument: str

    @property
    def is_stdin(self) -> bool:
        """Whether this is standard input."""
        return self.argument == "-"

    @property
    def is_text(self) -> bool:
        """Whether this is a puzzle as text, or the name of nothing."""
        return not self.is_stdin and not is_file(self.argument)

    @property
    def name(self) -> str:
        """The name for errors."""
        return "<stdin>" if self.is_stdin else "<text>" if self.is_text else self.argument

    def status(self) -> os.stat_result | None:
        """Return the status of the file, or None if there is none."""
        try:
            if self.is_stdin:
                return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
            return Path(self.argument).stat() if is_file(self.argument) else None
        except (OSError, ValueError):  # standard input without a descriptor, as in tests, or closed
            return None

    def open(self) -> BinaryIO:
        """Open the input, or raise an error."""
        if self.is_stdin:
            if sys.stdin is None:
                raise SudokulabError("standard input is closed")
            if sys.stdin.isatty():
                print_message("reading puzzles from the terminal; press Ctrl-D to end")
            return sys.stdin.buffer
        if is_file(self.argument):
            return Path(self.argument).open("rb")
        _check_text(self.argument)
        return io.BytesIO(self.argument.encode(errors="replace"))


def sources_of(arguments: Sequence[str]) -> list[Source]:
    """Return the inputs of a command, with the files of a collection instead of its name."""
    if list(arguments).count("-") > 1:
        raise SudokulabError("standard input can be read only once")
    return [
        Source(name)
        for argument in arguments
        for name in ([argument] if argument == "-" or is_file(argument) else _files_named(argument))
    ]


def num_bytes_of(sources: Sequence[Source]) -> int | None:
    """Return the size of all files as they are stored; None if it is unknown, as for pipes."""
    statuses = [source.status() for source in sources if not source.is_text]
    known = [status.st_size for status in statuses if status is not None and stat.S_ISREG(status.st_mode)]
    return sum(known) if len(known) == len(statuses) else None


def is_file(argument: str) -> bool:
    """Return whether a file of this name exists; False for texts that cannot be names."""
    try:
        return bool(argument) and Path(argument).exists()
    except (OSError, ValueError):  # too long for a name, or a NUL byte
        return False


def _files_named(argument: str) -> list[str]:
    """Return the files of a collection, or the argument itself if it is not the name of one."""
    is_puzzle = len(argument) >= 16 and symbols.decode(argument, math.isqrt(len(argument))) is not None
    if is_puzzle or len(argument) > 100:
        return [argument]
    from sudokulab.instances.collections import find  # which takes long to import

    collection = find(argument)
    return [str(file) for file in collection.files] if collection else [argument]


def _check_text(argument: str) -> None:
    """Refuse an argument that is meant as the name of a file or collection."""
    has_extension = re.search(r"\.[A-Za-z]\w*$", argument) and math.isqrt(len(argument)) ** 2 != len(argument)
    if ("/" in argument or has_extension) and not links.is_link(argument):
        raise SudokulabError(f"{argument}: no such file")
    if len(argument) < 16:
        from sudokulab.instances.collections import collections

        known = [collection.name for collection in collections()]
        advice = did_you_mean(argument, known) or "; run `sudokulab instances list` for the collections"
        raise SudokulabError(f"{argument!r} is not a file, a collection or a puzzle{advice}")
