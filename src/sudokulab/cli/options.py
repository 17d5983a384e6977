"""Arguments and options that several commands have, and parsers for their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from sudokulab import formats
from sudokulab._internal.native import MAX_THREADS
from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.completion import complete_format, complete_puzzles, complete_solver
from sudokulab.errors import SudokulabError

__all__ = [
    "BoxOption",
    "DaskOption",
    "FromOption",
    "JsonOption",
    "KeepGoingOption",
    "ParamsOption",
    "PuzzlesArgument",
    "SolverOption",
    "ThreadsOption",
    "VerboseOption",
    "choice_of",
    "names_of",
    "parse_parameters",
    "read_parameters",
]

Choice = TypeVar("Choice", bound=Enum)

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
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per puzzle.")]
ParamsOption = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="KEY=VALUE", help="Solver parameter; repeatable."),
]
ThreadsOption = Annotated[
    int | None, typer.Option(min=1, max=MAX_THREADS, help="Number of threads (default: all cores).")
]
DaskOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler to do the work on, such as tcp://host:8786.")
]


def parse_parameters(params: Sequence[str]) -> dict[str, str]:
    """Return the solver parameters given as ``--param KEY=VALUE``."""
    for param in params:
        if "=" not in param:
            raise SudokulabError(f"--param {param}: expected KEY=VALUE")
    return dict(param.split("=", 1) for param in params)


def read_parameters(path: Path) -> dict[str, Any]:
    """Return the solver parameters in a file of ``--param-file``."""
    import tomllib  # which few commands need

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SudokulabError(f"{path}: invalid TOML: {error}") from None


def names_of(kind: type[Enum]) -> list[str]:
    """Return the values of an option as users type them, such as ``very-hard``."""
    return [member.value.replace(" ", "-") for member in kind]


def choice_of(kind: type[Choice]) -> Callable[[str], Choice]:
    """Return a parser for an option with these values, in any case; unlike click's, it accepts synonyms."""

    def parse(text: str | Choice) -> Choice:
        try:
            return kind(text.lower() if isinstance(text, str) else text)
        except ValueError:
            raise typer.BadParameter(unknown_name("value", str(text), names_of(kind))) from None

    return parse
