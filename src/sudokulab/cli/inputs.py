"""Read the puzzles of a command."""

from __future__ import annotations

import inspect
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import typer

from sudokulab import formats
from sudokulab._internal.progress import track
from sudokulab.cli.common import BAD_INPUT, message_of, print_message
from sudokulab.cli.options import (
    BoxOption,
    ColumnOption,
    FromOption,
    KeepGoingOption,
    PuzzlesArgument,
    VerboseOption,
    replace_parameter,
)
from sudokulab.cli.sources import num_bytes_of, sources_of
from sudokulab.cli.unreadable import PlacedErrors
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats.arrow import Table
from sudokulab.formats.base import counted
from sudokulab.formats.columns import MissingColumnError
from sudokulab.formats.compression import Part, open_parts, position_in
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.questions.lines import Row

__all__ = ["Inputs", "one_puzzle", "reads_puzzles"]

T = TypeVar("T")

_MAX_LISTED = 100


class Inputs:
    """The puzzles of a command's arguments. Each file is opened once.

    Parameters
    ----------
    puzzles
        Files, collections, puzzle strings, or ``-`` for standard input, which is also the default.
    format, box, keep_going, verbose, column
        The options of the same name.
    """

    def __init__(
        self,
        puzzles: PuzzlesArgument = None,
        format: FromOption = None,
        box: BoxOption = None,
        keep_going: KeepGoingOption = False,
        verbose: VerboseOption = False,
        column: ColumnOption = None,
    ) -> None:
        self.format = formats.format_of(format) if format else None
        self.box = BoxShape.parse(box) if box else None
        self.column = column
        self.sources = sources_of(puzzles or ["-"])
        self.rows: deque[Row] | None = None
        """The rows of puzzles that have not been answered, for answers that contain them."""
        self.empty_table: Row | None = None
        """The columns of the first table without rows; in a binary table, with its batch of no rows."""
        self.checks_solutions = False
        """Whether a stated solution that is not a grid makes its puzzle unreadable."""
        self.can_keep_going = False
        """Whether the command has the option ``--keep-going``, which errors then mention."""
        self._keep_going = keep_going
        self._verbose = verbose
        self._file: BinaryIO | None = None  # the file being read, as it is stored
        self._num_bytes_done = 0  # sizes of the files before it
        self._reader: formats.PuzzleReader | None = None
        self._num_chars_done = 0  # in earlier parts of the file
        self._unreadable: PlacedErrors | None = None  # used by `in_order`
        self._first_errors: list[Exception] = []
        self._is_table = False  # the source that is being read
        self.num_errors = 0
        """The number of unreadable inputs and puzzles."""
        self.num_read = 0
        """The number of puzzles read."""
        self.num_rejected = 0
        """The number of unreadable puzzles."""

    @property
    def num_rows(self) -> int:
        """The number of puzzles, readable or not."""
        return self.num_read + self.num_rejected

    @property
    def has_stdin(self) -> bool:
        """Whether standard input is one of the inputs."""
        return any(source.is_stdin for source in self.sources)

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles, and raise the first error unless `keep_going` collects them."""
        with closing(self.parts()) as parts:
            for part in parts:
                yield from self.read(part)

    def parts(self) -> Generator[Part, None, None]:
        """Yield the texts to read: one per file, unless it is an archive of several. Each must be read at once."""
        for source in self.sources:
            num_before, self._is_table = self.num_read + self.num_errors, False
            with self.noting():
                self._file = source.open()
                try:
                    yield from open_parts(self._file, source.name, formats.EXTENSIONS)
                    if self.num_read + self.num_errors == num_before and not self._is_table:
                        title = self._reader.format.title if self._reader else "puzzles"
                        raise FormatError("no puzzle found", f"write {title}", source=source.name)
                finally:
                    status = source.status()
                    self._num_bytes_done += status.st_size if status else 0
                    self._file.close()
                    self._file, self._reader, self._num_chars_done = None, None, 0

    def read(self, part: Part, table: Table | None = None) -> Iterator[Puzzle]:
        """Yield the puzzles of a part, which may have been opened as a binary table."""
        with self.noting():
            self._num_chars_done += self._reader.num_chars if self._reader else 0
            reader = self._reader = formats.read_part(
                part,
                self.format,
                box=self.box,
                column=self.column,
                keeps_rows=self.rows is not None,
                opened=table,
                checks_solutions=self.checks_solutions,
            )
            is_first = True
            for record in reader.records():
                if self.rows is not None:
                    self.rows.append(reader.row)
                if isinstance(record, FormatError):
                    self.reject(record, reader.format)
                    continue
                if is_first:
                    self.print_format(part, reader.format)
                    is_first = False
                self.num_read += 1
                yield record
            self._is_table |= reader.row[0] is not None
            if self._is_table and not self.num_rows:
                self.empty_table = self.empty_table or reader.row

    def take_row(self) -> Row:
        """Remove and return the row of the next puzzle that is answered."""
        return self.rows.popleft() if self.rows else (None, ())

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Collect an error of an input with `keep_going`, otherwise raise it again, and if a column is missing."""
        try:
            yield
        except (OSError, SudokulabError) as error:
            if not self._keep_going or isinstance(error, MissingColumnError):
                raise
            self._note(error)

    def reject(self, error: FormatError, format: formats.Format) -> None:
        """Collect the error of a puzzle with `keep_going`, otherwise raise it."""
        if not self._keep_going:
            advice = ", --keep-going continues after unreadable puzzles" if self.can_keep_going else ""
            hint = f"read as {format.name!r} ({format.title}); --from FORMAT selects another format{advice}"
            error.add_note(f"note: {hint}")
            raise error
        self._note(error)
        self.num_rejected += 1
        if self._unreadable is not None:
            self._unreadable.add(self.num_read, error)

    def _note(self, error: Exception) -> None:
        """Count an error, and keep it if `finish` lists it."""
        self.num_errors += 1
        if self.num_errors <= _MAX_LISTED:
            self._first_errors.append(error)

    def print_format(self, part: Part, format: formats.Format) -> None:
        """Print how a part is read, with ``--verbose``."""
        if self._verbose:
            print_message(f"{part.name}: read as {format.name!r} ({format.title})")

    def in_order(self, results: Iterable[T]) -> Iterator[T | FormatError]:
        """Yield the results, one for each puzzle, with the errors of unreadable puzzles in their places."""
        with PlacedErrors() as unreadable:
            self._unreadable = unreadable
            for num_done, result in enumerate(results, start=self.num_read):
                yield from unreadable.take(num_done)
                yield result
            yield from unreadable.take(self.num_read)
            self._unreadable = None

    def tracked(self, results: Iterable[T], label: str) -> Iterator[T]:
        """Yield the results, and show how much of the inputs has been read."""
        return track(results, label, self.num_bytes(), self.position)

    def num_bytes(self) -> int | None:
        """Return the size of all files as they are stored; None if it is unknown, as for pipes."""
        return num_bytes_of(self.sources)

    def position(self, num_done: int) -> float:
        """Return the progress after a number of puzzles, in bytes of the files as they are stored."""
        position = position_in(self._file) if self._file else 0
        if self._reader is not None:  # small files are buffered as a whole
            position = min(position, self._num_chars_done + self._reader.num_chars)
        return (self._num_bytes_done + position) * min(1, num_done / max(1, self.num_read))  # batches are read ahead

    def refuse_as_output(self, target: Path) -> None:
        """Refuse to write to a file that is also read: by name, through a collection or as standard input."""
        if not target.is_file():
            return
        for source in self.sources:
            status = source.status()
            if status is not None and os.path.samestat(status, target.stat()):
                raise SudokulabError(f"{target} is also the input; choose another output file")

    def finish(self) -> None:
        """List the first errors, and exit with code 2 if there are any."""
        for error in self._first_errors:
            print_message(message_of(error))
        if self.num_errors:
            first = f" (the first {_MAX_LISTED} are listed)" if self.num_errors > _MAX_LISTED else ""
            print_message(f"{counted(self.num_errors, 'error')} in the input{first}")
            raise typer.Exit(BAD_INPUT)


def one_puzzle(inputs: Inputs, what: str) -> Puzzle:
    """Return the only puzzle of the inputs; `what` names the consumer in the error."""
    puzzles = list(islice(inputs, 2))
    if len(puzzles) != 1:
        inputs.finish()
        raise SudokulabError(f"{what} takes one puzzle, got {'several' if puzzles else 'none'}")
    return puzzles[0]


def _inputs_of_options(**options: Any) -> Inputs:
    inputs = Inputs(**options)
    inputs.can_keep_going = True
    return inputs


_OPTIONS = inspect.signature(Inputs, eval_str=True).parameters.values()
reads_puzzles = replace_parameter(
    "inputs", [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in _OPTIONS], _inputs_of_options
)
"""Replaces the parameter `inputs` of a command by the argument and the options that name and read puzzles."""
