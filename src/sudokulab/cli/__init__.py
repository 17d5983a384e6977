"""The command line, with one module per command. A module is imported when its command is used."""

from __future__ import annotations

import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

import sudokulab

__all__ = ["app", "main"]

_FUNCTIONS = {
    "solve": "solve:solve",
    "watch": "watch:watch",
    "check": "check:check",
    "rate": "rate:rate",
    "hint": "hint:hint",
    "explain": "hint:explain",
    "show": "show:show",
    "sheet": "sheet:sheet",
    "generate": "generate:generate",
    "instances": "instances:app",
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
}
"""The commands in the order of the help, with the module and the name of each."""

_SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": "markdown" if sys.stdout and sys.stdout.isatty() else None,  # plain text in a pipe
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


_INTERRUPTED = 130


class _Commands(MutableMapping[str, Any]):
    """The commands by name, each imported on first use."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            module, _, attribute = _FUNCTIONS[name].partition(":")
            self._loaded[name] = _made(name, getattr(import_module(f"sudokulab.cli.{module}"), attribute))
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_FUNCTIONS)

    def __len__(self) -> int:
        return len(_FUNCTIONS)


class _Group(TyperGroup):
    """A group that imports a command only when it is used or described."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # here, so that it covers the import of the command as well
            typer.echo("interrupted", err=True)
            raise typer.Exit(_INTERRUPTED) from None


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
    app()
