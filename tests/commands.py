"""Run commands of ``sudokulab`` in processes of their own, forked from one that has already imported the modules."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.reduction
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from sudokulab.cli import COMMANDS, main
from tests.timing import PATIENCE_SECONDS, wait_until

__all__ = ["feed_until_shown", "run", "run_in_terminal"]

_MODULES = ["polars", "matplotlib.figure", "optuna", "sqlalchemy", "sudokulab.lab.execution", "sudokulab.lab.report"]
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["tests.commands", *_MODULES, *sorted({f"sudokulab.cli.{name.partition(':')[0]}" for name in COMMANDS.values()})]
)


def run(*args: str | Path, stdin: str = "", **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Run a command.

    Starting an interpreter and importing the package takes longer than most commands; tests of exactly that, of
    signals and of closed streams use `subprocess` instead.

    Parameters
    ----------
    *args
        The command and its arguments.
    stdin
        The text on standard input.
    **environment
        Changes to the environment variables; None removes one.
    """
    arguments = list(map(str, args))
    changed = {**os.environ, "COLUMNS": "160", "NO_COLOR": "1", **environment}
    variables = {name: value for name, value in changed.items() if value is not None}
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        source.write(stdin.encode())
        source.seek(0)
        streams = [multiprocessing.reduction.DupFd(stream.fileno()) for stream in (source, stdout, stderr)]
        process = _PROCESSES.Process(target=_main, args=(arguments, streams, str(Path.cwd()), variables))
        process.start()
        process.join(PATIENCE_SECONDS)
        if process.exitcode is None:
            process.kill()
            raise TimeoutError(f"sudokulab {' '.join(arguments)}: no end after {PATIENCE_SECONDS} seconds")
        return subprocess.CompletedProcess(arguments, process.exitcode, _content(stdout), _content(stderr))


def run_in_terminal(*args: str | Path) -> str:
    """Run a command on a terminal of 100 columns, and return everything that it wrote there."""
    terminal, command_side = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "LINES": "60", "TERM": "xterm-256color"}
    with subprocess.Popen(
        [sys.executable, "-m", "sudokulab", *map(str, args)],
        stdin=command_side,
        stdout=command_side,
        stderr=command_side,
        env=environment,
    ):
        os.close(command_side)
        written = b""
        with contextlib.suppress(OSError):  # Linux reports the end of a terminal as an error
            while block := os.read(terminal, 65536):
                written += block
    os.close(terminal)
    return written.decode()


def feed_until_shown(pattern: str, code: str, stdout: Path) -> str:
    """Run a program with a terminal as standard error, and return what it wrote there.

    Its standard input gets empty lines until the terminal shows a regular expression, then it ends.
    """
    terminal, program_side = pty.openpty()
    with (
        stdout.open("w") as output,
        subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=output, stderr=program_side
        ) as program,
    ):
        os.close(program_side)
        assert program.stdin
        source, written = program.stdin, b""

        def feed() -> bool:
            nonlocal written
            source.write(b"\n")
            source.flush()
            if select.select([terminal], [], [], 0)[0]:
                written += os.read(terminal, 65536)
            return re.search(pattern, written.decode(errors="replace")) is not None

        wait_until(feed)
        source.close()
        with contextlib.suppress(OSError):  # the end of a terminal
            while block := os.read(terminal, 65536):
                written += block
    os.close(terminal)
    assert program.returncode == 0
    return written.decode()


def _content(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode().replace("\r\n", "\n")


def _main(arguments: list[str], streams: list[Any], folder: str, variables: Mapping[str, str]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream.detach(), number)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.argv = ["sudokulab", *arguments]
    main()
