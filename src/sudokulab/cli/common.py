"""Shared by all commands: messages, exit codes, and checks of output files.

Exit codes: 0 success, 1 a puzzle was not solved or is not sound, or a data set has a defect (FAILED), 2 bad input or
usage (BAD_INPUT), 130 interrupted.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import select
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ParamSpec, TextIO

import typer

from sudokulab._internal.extras import extra_of, require
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import printable
from sudokulab.formats.compression import extension_of
from sudokulab.parameters import describe_errors

__all__ = [
    "BAD_INPUT",
    "FAILED",
    "UNREADABLE",
    "check_extension",
    "check_plot",
    "command",
    "import_arrow",
    "message_of",
    "print_message",
]

FAILED = 1
BAD_INPUT = 2
_MAX_LINE = 2000  # characters of a line of a message
UNREADABLE = "unreadable"
"""The status of an unreadable puzzle in JSON output."""

Parameters = ParamSpec("Parameters")


def _problems(error: Exception) -> list[str]:
    """Describe an error: each invalid parameter, or its message and notes."""
    pydantic = sys.modules.get("pydantic")  # imported if there is a validation error
    if pydantic is not None and isinstance(error, pydantic.ValidationError):
        return list(describe_errors(error))
    return ["\n".join([message_of(error), *getattr(error, "__notes__", [])])]


def command(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Turn the errors of a command into a message and an exit code."""

    @functools.wraps(function)
    def wrapper(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        try:
            _fill_closed_descriptors()
            if sys.stdout is None:
                raise SudokulabError("standard output is closed")
            function(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError as error:
            if not _has_lost_its_reader(sys.stdout):
                print_message(f"lost the connection to another process: {message_of(error)}")
                raise typer.Exit(BAD_INPUT) from None
            _discard(sys.stdout)
            raise typer.Exit(0) from None
        except ModuleNotFoundError as error:
            extra = extra_of(error.name or "")
            if extra is None:
                raise
            print_message(f"this needs {error.name}: pip install 'sudokulab[{extra}]'")
            raise typer.Exit(BAD_INPUT) from None
        except (SudokulabError, OSError, ValueError) as error:
            for problem in _problems(error):
                print_message(problem)
            raise typer.Exit(BAD_INPUT) from None

    return wrapper


def message_of(error: Exception) -> str:
    """Return the message of an error; of a system error, the file and the reason."""
    if isinstance(error, OSError) and error.strerror:
        reason = error.strerror.replace(os.strerror(errno.ENOENT), "no such file")
        return reason if error.filename is None else f"{error.filename}: {reason}"
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


def print_message(message: str) -> None:
    """Print a message on standard error, after everything printed on standard output.

    The message may contain names and words from files: control characters are replaced, and long lines shortened.
    """
    with contextlib.suppress(OSError, AttributeError):  # broken, full or closed
        sys.stdout.flush()
    try:
        typer.echo("\n".join(map(_shortened, printable(message).split("\n"))), err=True)
    except OSError:
        _discard(sys.stderr)


def _shortened(line: str) -> str:
    half = _MAX_LINE // 2
    return line if len(line) <= _MAX_LINE else f"{line[:half]} … {line[-half:]}"


def import_arrow() -> None:
    """Import pyarrow, and leave signals to Python: its own handlers lose those that arrive as they are removed."""
    require("data")
    import pyarrow

    pyarrow.enable_signal_handlers(False)


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


def check_plot(path: Path | None) -> None:
    """Refuse a plot that cannot be drawn, before hours of work."""
    if path is None:
        return
    from sudokulab.lab import plots  # noqa: F401  # the error names the missing extra

    check_extension(path, (".svg", ".png", ".pdf"))
    if not path.resolve().parent.is_dir():
        raise SudokulabError(f"{path.parent}: no such folder")
