"""What the commands share: reading puzzles from anywhere, and leaving with the right word and exit code.

Exit codes: 0 all well, 1 something was not solved or not sound, 2 bad input or usage, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import functools
import io
import math
import os
import re
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TextIO, TypeVar, cast

import typer
from pydantic import ValidationError

from sudokulab import formats
from sudokulab.budget import Budget
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats.base import printable
from sudokulab.instances.collections import find
from sudokulab.parameters import describe_errors
from sudokulab.puzzle import BoxShape, Puzzle, cell_name
from sudokulab.result import Result
from sudokulab.solving.lines import ANSWER_LENGTH, are_plain_lines, solve_lines

__all__ = [
    "BAD_INPUT",
    "NOT_SOLVED",
    "BoxOption",
    "FromOption",
    "Inputs",
    "KeepGoingOption",
    "PuzzlesArgument",
    "RulesOption",
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
BAD_INPUT = 2
INTERRUPTED = 130
PLAIN = formats.format_of("line")

_EXTRAS = {
    **dict.fromkeys(["matplotlib", "optuna", "polars", "scipy", "tomli_w"], "lab"),
    "distributed": "dask",
}  # which extra brings a module

Command = TypeVar("Command", bound=Callable[..., None])
Choice = TypeVar("Choice", bound=Enum)

PuzzlesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PUZZLE|FILE]...",
        help="Files, collections (see `instances`) or puzzles; - or nothing for standard input.",
    ),
]
FromOption = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="FORMAT", help=f"The input's format: {', '.join(formats.FORMATS)}; by default found out."
    ),
]
BoxOption = Annotated[
    str | None, typer.Option("--box", metavar="RxC", help="Rows and columns of a box, where the size leaves a choice.")
]
RulesOption = Annotated[
    str | None, typer.Option("--rules", help="Rules in order, by default NS,HS,BRC,RCB,NP,HP,NT,HT,NQ,HQ.")
]
KeepGoingOption = Annotated[
    bool, typer.Option("--keep-going", help="Pass over what cannot be read, list it at the end.")
]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Say what each input was taken for.")]


class Inputs:
    """All puzzles of a command's arguments, one by one.

    Parameters
    ----------
    arguments
        Files, puzzle strings, or ``-`` for standard input, which is also read if there are none.
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
        self.errors: list[Exception] = []
        """What could not be read."""
        self.num_read = 0
        """How many puzzles were read."""
        if self._arguments.count("-") > 1:
            raise SudokulabError("standard input can be read only once")

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles; raises what cannot be read, unless it is to be collected."""
        for argument in self._files():
            try:
                reader = self._open(argument)
            except (OSError, SudokulabError) as error:
                if not self._keep_going:
                    raise
                self.errors.append(error)
                continue
            self._say_format(reader.source, reader.format)
            num_before = self.num_read
            try:
                for puzzle in reader:
                    self.num_read += 1
                    yield puzzle
            except FormatError as error:
                raise _with_hint(error, reader.format) from None
            self.errors += reader.errors
            if self.num_read == num_before and not reader.errors:
                nothing = FormatError("no puzzle found", f"puzzles as {reader.format.title}", source=reader.source)
                if not self._keep_going:
                    raise nothing
                self.errors.append(nothing)

    def hold_plain_lines(self) -> bool:
        """Tell whether all are files of 9×9 puzzles, one a line; nothing is read for good."""
        return self._box in (None, BoxShape(3, 3)) and all(map(self._is_plain, self._files()))

    def _is_plain(self, argument: str) -> bool:
        is_piped = argument == "-" and sys.stdin is not None and not sys.stdin.isatty()
        told = formats.format_of(self._format) if self._format else formats.format_by_extension(argument)
        if (told or PLAIN).read is not PLAIN.read or not (is_piped or (is_file(argument) and Path(argument).is_file())):
            return False
        with self._open_bytes(argument) as stream:
            return are_plain_lines(stream.peek())

    def _open_bytes(self, argument: str) -> AbstractContextManager[io.BufferedReader]:
        if argument == "-":
            return contextlib.nullcontext(cast(io.BufferedReader, sys.stdin.buffer))
        return Path(argument).open("rb")

    def solved_lines(self, budget: Budget, threads: int | None) -> Iterator[bytes | Result]:
        """Yield solved lines in large blocks, and results on the other puzzles; if they `hold_plain_lines`."""
        for argument in self._files():
            source = "<stdin>" if argument == "-" else argument
            format = formats.format_of(self._format or "line")
            self._say_format(source, format)
            with self._open_bytes(argument) as stream:
                for answer in solve_lines(stream, source, box=self._box, budget=budget, threads=threads):
                    if not isinstance(answer, FormatError):
                        self.num_read += len(answer) // ANSWER_LENGTH if isinstance(answer, bytes) else 1
                        yield answer
                    elif self._keep_going:
                        self.errors.append(answer)
                    else:
                        raise _with_hint(answer, format)

    def _say_format(self, source: str, format: formats.Format) -> None:
        if self._verbose:
            complain(f"{source}: read as {format.name!r} ({format.title})")

    def _files(self) -> Iterator[str]:
        """Yield the arguments, with the files of a collection in the place of its name."""
        for argument in self._arguments:
            collection = None if argument == "-" or is_file(argument) or len(argument) > 100 else find(argument)
            yield from [str(file) for file in collection.files] if collection else [argument]

    def _open(self, argument: str) -> formats.PuzzleReader:
        source: str | TextIO = argument
        if argument == "-":
            if sys.stdin is None:
                raise SudokulabError("standard input is closed")
            if sys.stdin.isatty():
                complain("reading puzzles from the terminal; Ctrl-D ends")
            source = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")
        elif not is_file(argument):
            has_ending = re.search(r"\.[A-Za-z]\w*$", argument) and math.isqrt(len(argument)) ** 2 != len(argument)
            if len(argument) < 16 or "/" in argument or has_ending:
                raise SudokulabError(f"{argument}: no such file or collection, and no puzzle")
            source = io.StringIO(argument)
        return formats.read(source, self._format, box=self._box, keep_going=self._keep_going)

    def refuse_as_output(self, target: Path) -> None:
        """Refuse to write to a file that is also read: by name, through a collection or as standard input."""
        if not target.is_file():
            return
        for argument in self._files():
            status = _status_of(argument)
            if status is not None and os.path.samestat(status, target.stat()):
                raise SudokulabError(f"{target}: is the input as well, expected another file")

    def finish(self) -> None:
        """List what could not be read; leave with 2 if there was any."""
        for error in self.errors:
            complain(_message(error))
        if self.errors:
            complain(f"{len(self.errors)} could not be read")
            raise typer.Exit(BAD_INPUT)


def _status_of(argument: str) -> os.stat_result | None:
    """Return device and inode of an input; None if it is no file."""
    try:
        if argument != "-":
            return Path(argument).stat() if is_file(argument) else None
        return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
    except OSError:  # a standard input without a file, as in tests
        return None


def _with_hint(error: FormatError, format: formats.Format) -> FormatError:
    hint = f"taken for {format.name!r} ({format.title}); --from FORMAT says otherwise"
    error.add_note(f"note: {hint}, --keep-going passes over it")
    return error


def one_puzzle(inputs: Inputs, what: str) -> Puzzle:
    """Return the only puzzle there is; what takes no more than one, the error names."""
    puzzles = list(islice(inputs, 2))
    if len(puzzles) != 1:
        inputs.finish()
        raise SudokulabError(f"{what} takes one puzzle, got {'more' if puzzles else 'none'}")
    return puzzles[0]


def parse_parameters(params: Sequence[str]) -> dict[str, str]:
    """Return the solver parameters given as ``--param KEY=VALUE``."""
    for param in params:
        if "=" not in param:
            raise SudokulabError(f"--param {param}: expected KEY=VALUE")
    return dict(param.split("=", 1) for param in params)


def is_file(argument: str) -> bool:
    """Tell whether there is a file of that name; a text that cannot be a name is none."""
    try:
        return bool(argument) and Path(argument).exists()
    except (OSError, ValueError):  # too long for a name, or a NUL byte
        return False


def command(function: Command) -> Command:
    """Make errors and interruptions of a command end in a clear word and the right exit code."""

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
                complain(f"a connection to another process broke: {_message(error)}")
                raise typer.Exit(BAD_INPUT) from None
            _discard(sys.stdout)
            raise typer.Exit(0) from None
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except ValidationError as error:
            for problem in describe_errors(error):
                complain(problem)
            raise typer.Exit(BAD_INPUT) from None
        except ModuleNotFoundError as error:
            extra = _EXTRAS.get(error.name or "")
            if extra is None:
                raise
            complain(f"this needs {error.name}: pip install 'sudokulab[{extra}]'")
            raise typer.Exit(BAD_INPUT) from None
        except (SudokulabError, OSError, ValueError) as error:
            complain("\n".join([_message(error), *getattr(error, "__notes__", [])]))
            raise typer.Exit(BAD_INPUT) from None

    return wrapper  # type: ignore[return-value]


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    return str(error)


def _fill_closed_descriptors() -> None:
    """Open closed standard descriptors, or the next file would get their number and our messages."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def _has_lost_its_reader(stream: TextIO) -> bool:
    """Tell whether a stream is a pipe that nobody reads any more."""
    try:
        poll = select.poll()
        poll.register(stream.fileno(), 0)
    except (OSError, ValueError):
        return False
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))


def _discard(stream: TextIO) -> None:
    """Send what is written to a stream from now on nowhere, so that flushing it at exit cannot fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(message: str) -> None:
    """Say something to the user, on standard error, after all that was said on standard output.

    Names and messages from elsewhere may be part of it: control characters do not reach the terminal.
    """
    with contextlib.suppress(OSError, AttributeError):  # broken, full or closed
        sys.stdout.flush()
    try:
        typer.echo(printable(message), err=True)
    except OSError:
        _discard(sys.stderr)


def check_extension(path: Path, known: Sequence[str], advice: str = "") -> None:
    """Refuse to write a file whose extension promises something else."""
    is_device = path.exists() and not path.is_file() and not path.is_dir()
    if path.suffix.lower() not in known and not is_device:
        expected = ", ".join(filter(None, known))
        raise SudokulabError(f"{path}: cannot write {path.suffix or 'such'} files, expected one of {expected}{advice}")


def names_of(kind: type[Enum]) -> str:
    """List the values of an option as they are typed: ``easy, medium, hard, very-hard``."""
    return ", ".join(member.value.replace(" ", "-") for member in kind)


def choice_of(kind: type[Choice]) -> Callable[[str], Choice]:
    """Return a parser for an option with these values, in any case; unlike click's, it takes the values' synonyms."""

    def parse(text: str | Choice) -> Choice:
        try:
            return kind(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not one of {names_of(kind)}") from None

    return parse


def check_plot(path: Path | None) -> None:
    """Refuse a plot that cannot be drawn before hours are spent on it."""
    if path is None:
        return
    from sudokulab.lab import plots  # noqa: F401  # says what to install for it

    check_extension(path, (".svg", ".png", ".pdf"))
    if not path.resolve().parent.is_dir():
        raise SudokulabError(f"{path.parent}: no such folder")


def cell_names(cells: list[int], puzzle: Puzzle) -> str:
    """Name cells: r1c1, r1c5."""
    return ", ".join(cell_name(cell, puzzle.size) for cell in cells)
