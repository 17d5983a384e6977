"""The command line, with one module per command. A module is imported when its command is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

import sudokulab
from sudokulab.cli.encoding import accept_any_encoding

__all__ = ["COMMANDS", "app", "main"]

COMMANDS = {
    "solve": "solve:solve",
    "watch": "watch:watch",
    "check": "check:check",
    "rate": "rate:rate",
    "canonical": "canonical:canonical",
    "hint": "hint:hint",
    "explain": "hint:explain",
    "show": "show:show",
    "sheet": "sheet:sheet",
    "generate": "generate:generate",
    "instances": "instances:app",
    "dataset": "dataset:app",
    "run": "lab:run",
    "runs": "lab:runs",
    "compare": "lab:compare",
    "report": "lab:report",
    "tune": "tune:tune",
    "serve": "serve:serve",
    "bench": "bench:bench",
    "reproduce": "reproduce:reproduce",
    "convert": "convert:convert",
    "decode": "decode:decode",
    "solvers": "solvers:solvers",
    "techniques": "techniques:techniques",
    "demo": "demo:demo",
    "help": "help:show_help",
}
"""The commands in the order of the help, with the module and the name of each."""

_OF_PUZZLES = ("solve", "check", "rate", "canonical", "hint", "explain", "show")
"""Commands whose arguments, apart from options, are puzzles."""

_SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": "markdown" if sys.stdout and sys.stdout.isatty() else None,  # plain text in a pipe
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


_INTERRUPTED = 130


def _function(name: str) -> Any:
    """Import the function of a command, or the app of a group of commands."""
    module, _, attribute = COMMANDS[name].partition(":")
    return getattr(import_module(f"sudokulab.cli.{module}"), attribute)


class _Commands(MutableMapping[str, Any]):
    """The commands by name, each imported on first use."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _made(name, _function(name))
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@contextmanager
def _interruptions() -> Iterator[None]:
    """Turn Ctrl-C into a message and an exit code, also while a command is imported."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        raise typer.Exit(_INTERRUPTED) from None


class _Group(TyperGroup):
    """A group that imports a command only when it is used or described."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        with _interruptions():
            return super().invoke(ctx)


def _made(name: str, command: Any) -> Any:
    """Make the command of a function, or the group of an app of several commands."""
    if isinstance(command, typer.Typer):
        parent = typer.Typer(add_completion=False, **_SETTINGS)
        parent.add_typer(command, name=name)
        return typer.main.get_group(parent).commands[name]
    single = typer.Typer(add_completion=False, **_SETTINGS)
    single.command(name)(command)
    return typer.main.get_command(single)


app = typer.Typer(name="sudokulab", cls=_Group, no_args_is_help=True, **_SETTINGS)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"sudokulab {sudokulab.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Solve, rate, explain and generate Sudoku puzzles of any size, and compare solvers."""


def main() -> None:
    """Run the command line."""
    accept_any_encoding()
    name, *arguments = sys.argv[1:] or ["--help"]
    try:
        if name in _OF_PUZZLES and arguments and not any(argument.startswith("-") for argument in arguments):
            _run_without_options(name, arguments)
        else:
            app()
    except SystemExit as end:
        if end.code == _INTERRUPTED:
            _exit_at_once()
        raise


def _exit_at_once() -> NoReturn:
    """Exit after Ctrl-C: the command has cleaned up, and the interpreter would take another tenth of a second."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(_INTERRUPTED)


def _run_without_options(name: str, puzzles: list[str]) -> None:
    """Call the function of a command: to parse options, typer imports pydantic, which takes longer than a puzzle."""
    try:
        with _interruptions():
            _function(name)(puzzles)
    except typer.Exit as end:
        sys.exit(end.exit_code)
