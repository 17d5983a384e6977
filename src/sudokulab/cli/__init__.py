"""The command line, with one module per command. A module is imported when its command is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import signature
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

import sudokulab
from sudokulab.cli.encoding import accept_any_encoding
from sudokulab.parameters import describe_errors

__all__ = ["COMMANDS", "GROUPS", "app", "main"]

GROUPS = {
    "Puzzles": {
        "solve": "solve:solve",
        "hint": "hint:hint",
        "explain": "hint:explain",
        "check": "check:check",
        "rate": "rate:rate",
        "generate": "generate:generate",
        "convert": "convert:convert",
        "sheet": "sheet:sheet",
    },
    "Research": {
        "watch": "watch:watch",
        "compare": "lab:compare",
        "run": "lab:run",
        "report": "lab:report",
        "tune": "tune:tune",
        "bench": "bench:bench",
        "reproduce": "reproduce:reproduce",
    },
    "Data": {
        "instances": "instances:app",
        "dataset": "dataset:app",
        "canonical": "canonical:canonical",
    },
    "More": {
        "serve": "serve:serve",
        "solvers": "solvers:solvers",
        "techniques": "techniques:techniques",
        "cite": "cite:cite",
        "tour": "tour:tour",
        "help": "help:show_help",
    },
}
"""The commands in the groups and the order of the help, with the module and the name of each."""

COMMANDS = {name: place for group in GROUPS.values() for name, place in group.items()}

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
        self._loaded: dict[str, object] = {}

    def __getitem__(self, name: str) -> object:
        if name not in self._loaded:
            self._loaded[name] = _made(name, _function(name))
        return self._loaded[name]

    def __setitem__(self, name: str, command: object) -> None:
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


@contextmanager
def _plain_messages() -> Iterator[None]:
    """Describe values of options in the words of all other messages, instead of pydantic's."""
    try:
        yield
    except typer.BadParameter as error:
        if (pydantic := sys.modules.get("pydantic")) and isinstance(error.__cause__, pydantic.ValidationError):
            error.message = ". ".join(describe_errors(error.__cause__))
        raise


class _Group(TyperGroup):
    """A group that imports a command only when it is used or described."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()

    def list_commands(self, ctx: object) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Print the groups in a pipe; on a terminal, rich prints them."""
        width = formatter.width - 6 - max(map(len, COMMANDS))
        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(width)) for name in names])

    def invoke(self, ctx: Any) -> object:
        with _interruptions(), _plain_messages():
            return super().invoke(ctx)


def _made(name: str, command: Callable[..., object] | typer.Typer) -> object:
    """Make the command of a function, or the group of an app of several commands."""
    (group,) = (group for group, names in GROUPS.items() if name in names)
    parent = typer.Typer(add_completion=False, **_SETTINGS)
    if isinstance(command, typer.Typer):
        parent.add_typer(command, name=name, rich_help_panel=group)
        return typer.main.get_group(parent).commands[name]
    parent.command(name, rich_help_panel=group)(command)
    return typer.main.get_command(parent)


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
    try:
        if not _has_run_on_puzzles(*sys.argv[1:]):
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


def _has_run_on_puzzles(name: str = "", *puzzles: str) -> bool:
    """Run a command on puzzles without options, such as ``solve FILE``, and return whether it is such a command.

    To parse options, typer imports pydantic, which takes longer than solving a puzzle.
    """
    if name not in GROUPS["Puzzles"] or not puzzles or any(argument.startswith("-") for argument in puzzles):
        return False
    try:
        with _interruptions():
            function = _function(name)
            if "puzzles" not in signature(function).parameters:
                return False
            function(puzzles=list(puzzles))
            return True
    except typer.Exit as end:
        sys.exit(end.exit_code)
