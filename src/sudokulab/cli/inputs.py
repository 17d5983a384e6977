"""The puzzles of a command: from files, collections, arguments and standard input."""

from __future__ import annotations

import io
import math
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import typer

from sudokulab import formats
from sudokulab._internal.progress import track
from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import BAD_INPUT, complain, message_of
from sudokulab.cli.unreadable import PlacedErrors
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import symbols
from sudokulab.formats.base import counted
from sudokulab.formats.compression import DamagedFileError, Part, open_parts, position_in
from sudokulab.puzzle import NINE, BoxShape, Puzzle
from sudokulab.questions.lines import plain_format, solve_lines
from sudokulab.search.budget import Budget
from sudokulab.search.result import Result

__all__ = ["Inputs", "is_file", "one_puzzle"]

T = TypeVar("T")

_MAX_LISTED = 100


class Inputs:
    """The puzzles of a command's arguments.

    Parameters
    ----------
    arguments
        Files, collections, puzzle strings, or ``-`` for standard input, which is also the default.
    format, box, keep_going, verbose
        The options of the same name.
    """

    def __init__(
        self, arguments: list[str] | None, format: str | None, box: str | None, keep_going: bool, verbose: bool = False
    ) -> None:
        self._arguments = arguments or ["-"]
        self._format = formats.format_of(format).name if format else None
        self._box = BoxShape.parse(box) if box else None
        self._keep_going = keep_going
        self._verbose = verbose
        self._file: BinaryIO | None = None  # the file being read, as it is stored
        self._reader: formats.PuzzleReader | None = None
        self._num_bytes_done = 0  # sizes of the files before it
        self._unreadable: PlacedErrors | None = None  # used by `in_order`
        self._first_errors: list[Exception] = []
        self.num_errors = 0
        """The number of unreadable inputs and puzzles."""
        self.num_read = 0
        """The number of puzzles read."""
        if self._arguments.count("-") > 1:
            raise SudokulabError("standard input can be read only once")

    @property
    def has_stdin(self) -> bool:
        """Whether standard input is one of the inputs."""
        return "-" in self._arguments

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles, and raise the first error unless `keep_going` collects them."""
        for argument in self._files():
            num_before = self.num_read + self.num_errors
            try:
                reader = self._reader = self._open(argument)
                yield from self._read(reader)
                if self.num_read + self.num_errors == num_before:
                    raise FormatError("no puzzle found", reader.format.title, source=reader.source)
            except (OSError, SudokulabError) as error:
                if not self._keep_going:
                    raise
                self._note(error)
            finally:
                self._close_file(argument)

    def _read(self, reader: formats.PuzzleReader) -> Iterator[Puzzle]:
        source = ""
        for record in reader.records():
            if isinstance(record, FormatError):
                if not self._keep_going:
                    raise _with_hint(record, reader.format)
                self._note(record)
                if self._unreadable is not None:
                    self._unreadable.add(self.num_read, record)
                continue
            if reader.source != source:
                source = reader.source
                self._print_format(source, reader.format)
            self.num_read += 1
            yield record

    def _note(self, error: Exception) -> None:
        """Count an error, and keep it if `finish` lists it."""
        self.num_errors += 1
        if self.num_errors <= _MAX_LISTED:
            self._first_errors.append(error)

    def in_order(self, results: Iterable[T]) -> Iterator[T | FormatError]:
        """Yield the results, one for each puzzle, with the errors of unreadable puzzles in their places."""
        with PlacedErrors() as unreadable:
            self._unreadable = unreadable
            for num_done, result in enumerate(results):
                yield from unreadable.take(num_done)
                yield result
            yield from unreadable.take(self.num_read)

    def tracked(self, results: Iterable[T], label: str) -> Iterator[T]:
        """Yield the results, and show how much of the inputs has been read."""
        return track(results, label, self.num_bytes(), self.position)

    def num_bytes(self) -> int | None:
        """Return the size of all files as they are stored; None if it is unknown, as for pipes."""
        statuses = [(argument, _status_of(argument)) for argument in self._files()]
        if any(status is None and argument == "-" for argument, status in statuses):
            return None
        known = [status for _, status in statuses if status is not None]
        return sum(status.st_size for status in known) if all(stat.S_ISREG(one.st_mode) for one in known) else None

    def position(self, num_done: int) -> float:
        """Return the progress after a number of puzzles, in bytes of the files as they are stored."""
        position = position_in(self._file) if self._file else 0
        if self._reader is not None:
            position = min(position, self._reader.num_chars)  # small files are buffered as a whole
        return (self._num_bytes_done + position) * min(1, num_done / max(1, self.num_read))  # batches are read ahead

    def _open_file(self, argument: str) -> BinaryIO:
        self._file = sys.stdin.buffer if argument == "-" else Path(argument).open("rb")  # noqa: SIM115
        return self._file

    def _close_file(self, argument: str) -> None:
        if self._file is not None:
            status = _status_of(argument)
            self._num_bytes_done += status.st_size if status else 0
            self._file.close()
            self._file = self._reader = None

    def hold_one_puzzle(self) -> bool:
        """Return whether the input is a text or a file with one puzzle, and nothing else; consumes nothing."""
        argument, *others = self._arguments
        status = _status_of(argument)
        if others or argument == "-" or (status is not None and not stat.S_ISREG(status.st_mode)):
            return False  # a pipe can hold more, but they may come late
        again = Inputs([argument], self._format, str(self._box) if self._box else None, keep_going=True)
        return len(list(islice(again, 2))) == 1 and not again.num_errors

    def hold_plain_lines(self) -> bool:
        """Return whether all inputs are files or pipes that `solved_lines` can solve; consumes nothing."""
        return self._box in (None, NINE) and all(map(self._is_plain, self._files()))

    def _is_plain(self, argument: str) -> bool:
        if argument == "-":
            stream = None if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer
            return isinstance(stream, io.BufferedReader) and self._plain_format(Part("<stdin>", stream)) is not None
        if not is_file(argument) or not Path(argument).is_file():
            return False
        with Path(argument).open("rb") as file:
            try:
                return all(self._plain_format(part) for part in open_parts(file, argument, formats.EXTENSIONS))
            except SudokulabError:
                return False  # reported when it is read

    def _plain_format(self, part: Part) -> formats.Format | None:
        chosen = formats.format_of(self._format) if self._format else formats.format_by_extension(part.name)
        return plain_format(part.stream.peek(), chosen)

    def solved_lines(
        self, budget: Budget, threads: int | None, *, writes_rows: bool
    ) -> Iterator[bytes | Result | FormatError]:
        """Solve inputs that `hold_plain_lines`; see `solve_lines`. Yields errors only with `keep_going`."""
        for argument in self._files():
            try:
                for part in self._parts(argument, self._open_file(argument)):
                    yield from self._solved_part(part, budget, threads, writes_rows)
            except DamagedFileError as error:
                if not self._keep_going:
                    raise
                self._note(error)
            finally:
                self._close_file(argument)

    def _parts(self, argument: str, file: BinaryIO) -> Iterator[Part]:
        if argument == "-":
            return iter([Part("<stdin>", cast(io.BufferedReader, file))])
        return open_parts(file, argument, formats.EXTENSIONS)

    def _solved_part(
        self, part: Part, budget: Budget, threads: int | None, writes_rows: bool
    ) -> Iterator[bytes | Result | FormatError]:
        format = self._plain_format(part)
        assert format is not None, "hold_plain_lines returned True"
        self._print_format(part.name, format)
        for answer in solve_lines(
            part.stream,
            part.name,
            format=format,
            box=self._box,
            budget=budget,
            threads=threads,
            writes_rows=writes_rows,
        ):
            if not isinstance(answer, FormatError):
                self.num_read += answer.count(b"\n") if isinstance(answer, bytes) else 1
            elif self._keep_going:
                self._note(answer)
            else:
                raise _with_hint(answer, format)
            yield answer

    def _print_format(self, source: str, format: formats.Format) -> None:
        if self._verbose:
            complain(f"{source}: read as {format.name!r} ({format.title})")

    def _files(self) -> Iterator[str]:
        """Yield the arguments, with the files of a collection instead of its name."""
        for argument in self._arguments:
            yield from [argument] if argument == "-" or is_file(argument) else _files_named(argument)

    def _open(self, argument: str) -> formats.PuzzleReader:
        if argument == "-":
            if sys.stdin is None:
                raise SudokulabError("standard input is closed")
            if sys.stdin.isatty():
                complain("reading puzzles from the terminal; press Ctrl-D to end")
        elif not is_file(argument):
            has_extension = re.search(r"\.[A-Za-z]\w*$", argument) and math.isqrt(len(argument)) ** 2 != len(argument)
            if ("/" in argument or has_extension) and not formats.links.is_link(argument):
                raise SudokulabError(f"{argument}: no such file")
            if len(argument) < 16:
                from sudokulab.instances.collections import collections

                known = [collection.name for collection in collections()]
                raise SudokulabError(f"{unknown_name('collection', argument, known)}, and no such file or puzzle")
            return formats.read(io.StringIO(argument), self._format, box=self._box, keep_going=self._keep_going)
        name = "<stdin>" if argument == "-" else argument
        return formats.read_bytes(
            self._open_file(argument), name, self._format, box=self._box, keep_going=self._keep_going
        )

    def refuse_as_output(self, target: Path) -> None:
        """Refuse to write to a file that is also read: by name, through a collection or as standard input."""
        if not target.is_file():
            return
        for argument in self._files():
            status = _status_of(argument)
            if status is not None and os.path.samestat(status, target.stat()):
                raise SudokulabError(f"{target} is also the input, expected another output file")

    def finish(self) -> None:
        """List the first errors, and exit with code 2 if there are any."""
        for error in self._first_errors:
            complain(message_of(error))
        if self.num_errors:
            first = f" (the first {_MAX_LISTED} are listed)" if self.num_errors > _MAX_LISTED else ""
            complain(f"{counted(self.num_errors, 'error')} in the input{first}")
            raise typer.Exit(BAD_INPUT)


def _files_named(argument: str) -> list[str]:
    """Return the files of a collection, or the argument itself if it is not the name of one."""
    is_puzzle = len(argument) >= 16 and symbols.decode(argument, math.isqrt(len(argument))) is not None
    if is_puzzle or len(argument) > 100:
        return [argument]
    from sudokulab.instances.collections import find  # which takes long to import

    collection = find(argument)
    return [str(file) for file in collection.files] if collection else [argument]


def _status_of(argument: str) -> os.stat_result | None:
    """Return the status of an input that is a file, or None."""
    try:
        if argument != "-":
            return Path(argument).stat() if is_file(argument) else None
        return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
    except (OSError, ValueError):  # standard input without a descriptor, as in tests, or closed
        return None


def _with_hint(error: FormatError, format: formats.Format) -> FormatError:
    hint = f"read as {format.name!r} ({format.title})"
    error.add_note(f"note: {hint}; --from FORMAT selects another format, --keep-going skips unreadable puzzles")
    return error


def one_puzzle(inputs: Inputs, what: str) -> Puzzle:
    """Return the only puzzle of the inputs; `what` names the consumer in the error."""
    puzzles = list(islice(inputs, 2))
    if len(puzzles) != 1:
        inputs.finish()
        raise SudokulabError(f"{what} takes one puzzle, got {'several' if puzzles else 'none'}")
    return puzzles[0]


def is_file(argument: str) -> bool:
    """Return whether a file of this name exists; False for texts that cannot be names."""
    try:
        return bool(argument) and Path(argument).exists()
    except (OSError, ValueError):  # too long for a name, or a NUL byte
        return False
