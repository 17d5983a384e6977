"""Shared parts of the commands: puzzles from files, standard input and arguments, messages and exit codes.

Exit codes: 0 success, 1 a puzzle was not solved or is not sound, 2 bad input or usage, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import functools
import io
import math
import os
import re
import select
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TextIO, TypeVar, cast

import typer

from sudokulab import formats
from sudokulab._internal.extras import extra_of
from sudokulab._internal.progress import track
from sudokulab._internal.suggestions import unknown_name
from sudokulab.budget import Budget
from sudokulab.cli.completion import complete_format, complete_puzzles, complete_solver
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import symbols
from sudokulab.formats.base import counted, printable
from sudokulab.formats.compression import DamagedFileError, Part, extension_of, open_parts, position_in
from sudokulab.parameters import describe_errors
from sudokulab.puzzle import BoxShape, Puzzle, cell_name
from sudokulab.result import Result
from sudokulab.solving.lines import plain_format, solve_lines

__all__ = [
    "BAD_INPUT",
    "NOT_SOLVED",
    "UNREADABLE",
    "BoxOption",
    "FromOption",
    "Inputs",
    "KeepGoingOption",
    "PuzzlesArgument",
    "RulesOption",
    "SolverOption",
    "VerboseOption",
    "cell_names",
    "check_extension",
    "check_plot",
    "choice_of",
    "command",
    "complain",
    "is_file",
    "names_of",
    "one_puzzle",
    "parse_parameters",
]

NOT_SOLVED = 1
UNREADABLE = "unreadable"
"""The status of an unreadable puzzle in JSON output."""
BAD_INPUT = 2

Command = TypeVar("Command", bound=Callable[..., None])
Choice = TypeVar("Choice", bound=Enum)
T = TypeVar("T")

PuzzlesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PUZZLE|FILE",
        help="Files (also .gz, .zip, .zst), collections (see `instances`) or puzzles. Default: standard input (-).",
        autocompletion=complete_puzzles,
    ),
]
FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help=f"Input format (detected by default): {', '.join(formats.FORMATS)}.",
        autocompletion=complete_format,
    ),
]
BoxOption = Annotated[
    str | None, typer.Option("--box", metavar="RxC", help="Box shape, for sizes with several (e.g. 3x4).")
]
RulesOption = Annotated[
    str | None, typer.Option("--rules", help="Scale rules: rules in order (default: NS,HS,BRC,RCB,NP,HP,NT,HT,NQ,HQ).")
]

SolverOption = Annotated[
    str,
    typer.Option(
        "--solver",
        "-s",
        help="Solver: a name (see `sudokulab solvers`) or module:Class.",
        autocompletion=complete_solver,
    ),
]
KeepGoingOption = Annotated[
    bool,
    typer.Option("--keep-going", help="Replace unreadable puzzles by placeholders and list them at the end."),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Print the detected format of each input.")]


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
        self._unreadable: deque[tuple[int, FormatError]] = deque()  # each with the number of puzzles read before it
        self.errors: list[Exception] = []
        """The errors of unreadable inputs and puzzles."""
        self.num_read = 0
        """The number of puzzles read."""
        if self._arguments.count("-") > 1:
            raise SudokulabError("standard input can be read only once")

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles, and raise the first error unless `keep_going` collects them."""
        for argument in self._files():
            num_before, num_errors = self.num_read, len(self.errors)
            try:
                reader = self._reader = self._open(argument)
                yield from self._read(reader)
                if (self.num_read, len(self.errors)) == (num_before, num_errors):
                    raise FormatError("no puzzle found", reader.format.title, source=reader.source)
            except (OSError, SudokulabError) as error:
                if not self._keep_going:
                    raise
                self.errors.append(error)
            finally:
                self._close_file(argument)

    def _read(self, reader: formats.PuzzleReader) -> Iterator[Puzzle]:
        source = ""
        num_errors = 0
        try:
            for puzzle in reader:
                if reader.source != source:
                    source = reader.source
                    self._print_format(source, reader.format)
                num_errors = self._note_errors(reader.errors, num_errors)
                self.num_read += 1
                yield puzzle
        except FormatError as error:
            raise _with_hint(error, reader.format) from None
        finally:
            self._note_errors(reader.errors, num_errors)

    def _note_errors(self, errors: list[FormatError], num_known: int) -> int:
        """Keep the errors after the known ones, with their places among the puzzles; return the number of errors."""
        if self._keep_going:
            for error in errors[num_known:]:
                self.errors.append(error)
                self._unreadable.append((self.num_read, error))
        return len(errors)

    def in_order(self, results: Iterable[T]) -> Iterator[T | FormatError]:
        """Yield the results, one for each puzzle, with the errors of unreadable puzzles in their places."""
        for num_done, result in enumerate(results):
            yield from self._unreadable_before(num_done)
            yield result
        yield from self._unreadable_before(self.num_read)

    def _unreadable_before(self, num_puzzles: int) -> Iterator[FormatError]:
        while self._unreadable and self._unreadable[0][0] <= num_puzzles:
            yield self._unreadable.popleft()[1]

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
        return len(list(islice(again, 2))) == 1 and not again.errors

    def hold_plain_lines(self) -> bool:
        """Return whether all inputs are files or pipes that `solved_lines` can solve; consumes nothing."""
        return self._box in (None, BoxShape(3, 3)) and all(map(self._is_plain, self._files()))

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
                self.errors.append(error)
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
                self.errors.append(answer)
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
        """List the errors, and exit with code 2 if there are any."""
        for error in self.errors:
            complain(_message(error))
        if self.errors:
            complain(f"{counted(len(self.errors), 'error')} in the input")
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


def parse_parameters(params: Sequence[str]) -> dict[str, str]:
    """Return the solver parameters given as ``--param KEY=VALUE``."""
    for param in params:
        if "=" not in param:
            raise SudokulabError(f"--param {param}: expected KEY=VALUE")
    return dict(param.split("=", 1) for param in params)


def is_file(argument: str) -> bool:
    """Return whether a file of this name exists; False for texts that cannot be names."""
    try:
        return bool(argument) and Path(argument).exists()
    except (OSError, ValueError):  # too long for a name, or a NUL byte
        return False


def _problems(error: Exception) -> list[str]:
    """Describe an error: each invalid parameter, or its message and notes."""
    pydantic = sys.modules.get("pydantic")  # imported if there is a validation error
    if pydantic is not None and isinstance(error, pydantic.ValidationError):
        return list(describe_errors(error))
    return ["\n".join([_message(error), *getattr(error, "__notes__", [])])]


def command(function: Command) -> Command:
    """Turn the errors of a command into a message and an exit code."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> None:
        try:
            _fill_closed_descriptors()
            if sys.stdout is None:
                raise SudokulabError("standard output is closed")
            function(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError as error:
            if not _has_lost_its_reader(sys.stdout):
                complain(f"the connection to another process broke: {_message(error)}")
                raise typer.Exit(BAD_INPUT) from None
            _discard(sys.stdout)
            raise typer.Exit(0) from None
        except ModuleNotFoundError as error:
            extra = extra_of(error.name or "")
            if extra is None:
                raise
            complain(f"this needs {error.name}: pip install 'sudokulab[{extra}]'")
            raise typer.Exit(BAD_INPUT) from None
        except (SudokulabError, OSError, ValueError) as error:
            for problem in _problems(error):
                complain(problem)
            raise typer.Exit(BAD_INPUT) from None

    return wrapper  # type: ignore[return-value]


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    return str(error)


def _fill_closed_descriptors() -> None:
    """Open closed standard descriptors; otherwise the next file would get their number and our messages."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number


def _has_lost_its_reader(stream: TextIO) -> bool:
    """Return whether a stream is a pipe without a reader."""
    if not hasattr(select, "poll"):
        return False
    try:
        poll = select.poll()
        poll.register(stream.fileno(), 0)
    except (OSError, ValueError):
        return False
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))


def _discard(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that flushing it at exit cannot fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(message: str) -> None:
    """Print a message on standard error, after everything printed on standard output.

    The message may contain names from files: control characters are replaced.
    """
    with contextlib.suppress(OSError, AttributeError):  # broken, full or closed
        sys.stdout.flush()
    try:
        typer.echo(printable(message), err=True)
    except OSError:
        _discard(sys.stderr)


def check_extension(path: Path, known: Sequence[str], advice: str = "", *, may_be_compressed: bool = False) -> None:
    """Refuse to write a file with an unknown extension.

    Parameters
    ----------
    path
        The output file.
    known
        The known extensions; the empty one for none.
    advice
        The end of the error message.
    may_be_compressed
        Whether an extension such as ``.gz`` may follow.
    """
    is_device = path.exists() and not path.is_file() and not path.is_dir()
    extension = extension_of(path) if may_be_compressed else path.suffix.lower()
    if extension not in known and not is_device:
        raise SudokulabError(f"{path}: {unknown_name('output extension', extension, filter(None, known))}{advice}")


def names_of(kind: type[Enum]) -> str:
    """Return the values of an option as users type them: ``easy, medium, hard, very-hard``."""
    return ", ".join(member.value.replace(" ", "-") for member in kind)


def choice_of(kind: type[Choice]) -> Callable[[str], Choice]:
    """Return a parser for an option with these values, in any case; unlike click's, it accepts synonyms."""

    def parse(text: str | Choice) -> Choice:
        try:
            return kind(text)
        except ValueError:
            raise typer.BadParameter(unknown_name("value", str(text), names_of(kind).split(", "))) from None

    return parse


def check_plot(path: Path | None) -> None:
    """Refuse a plot that cannot be drawn, before hours of work."""
    if path is None:
        return
    from sudokulab.lab import plots  # noqa: F401  # the error names the missing extra

    check_extension(path, (".svg", ".png", ".pdf"))
    if not path.resolve().parent.is_dir():
        raise SudokulabError(f"{path.parent}: no such folder")


def cell_names(cells: list[int], puzzle: Puzzle) -> str:
    """Return the names of cells: ``r1c1, r1c5``."""
    return ", ".join(cell_name(cell, puzzle.size) for cell in cells)
