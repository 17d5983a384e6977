"""Arguments and options that several commands have, and parsers for their values."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Container, Iterator, Sequence
from enum import Enum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from sudokulab import formats
from sudokulab._internal.documents import read_toml
from sudokulab._internal.native import MAX_THREADS
from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.completion import (
    complete_format,
    complete_puzzles,
    complete_solver,
    complete_solvers,
    complete_techniques,
)
from sudokulab.cli.sources import is_file
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.parameters import parameter_values

if TYPE_CHECKING:
    from sudokulab.solvers import Solver

__all__ = [
    "MEANINGS",
    "BoxOption",
    "ColumnOption",
    "DaskOption",
    "FieldsOption",
    "FromOption",
    "JsonOption",
    "KeepGoingOption",
    "LimitOption",
    "ParamFilesOption",
    "ParamsOption",
    "PuzzlesArgument",
    "SeedOption",
    "SolverOption",
    "SolversOption",
    "SomePuzzlesArgument",
    "ThreadsOption",
    "VerboseOption",
    "WithoutOption",
    "WorkersOption",
    "choice_of",
    "list_argument",
    "list_option",
    "names_of",
    "params_by_solver",
    "params_of_solver",
    "replace_parameter",
    "split_files",
    "split_names",
    "split_pairs",
    "split_puzzles",
    "split_titles",
]

Choice = TypeVar("Choice", bound=Enum)

_BETWEEN_TITLES = re.compile(r",(?![^(]*\))")
_BEFORE_KEY = re.compile(r",(?=\s*\w[\w.:-]*\s*=)")


def split_names(text: str) -> list[str]:
    """Return the entries of a text that are separated by commas."""
    return [entry.strip() for entry in text.split(",") if entry.strip()]


def split_pairs(text: str) -> list[str]:
    """Return the entries ``KEY=VALUE`` of a text; a comma that no key follows is part of the value."""
    return [entry.strip() for entry in _BEFORE_KEY.split(text)]


def split_titles(text: str) -> list[str]:
    """Return the titles of solvers in a text; a comma in parentheses is part of a title."""
    return [entry.strip() for entry in _BETWEEN_TITLES.split(text) if entry.strip()]


def split_files(text: str) -> list[str]:
    """Return the entries ``[NAME:]FILE`` of a text; a file whose name contains a comma is one entry."""
    return [text] if is_file(text) or is_file(text.partition(":")[2]) else split_names(text)


def split_puzzles(text: str) -> list[str]:
    """Return the files and collections in a text; a file whose name contains a comma, and a puzzle, are one entry."""
    from sudokulab.instances.collections import find  # which takes long to import

    entries = split_names(text)
    is_list = not is_file(text) and any(is_file(entry) or find(entry) for entry in entries)
    return entries if is_list else [text]


def list_option(
    name: str,
    *others: str,
    help: str,
    split: Callable[[str], list[str]] = split_names,
    of: Callable[[str], object] = str,
    metavar: str | None = None,
    autocompletion: Callable[..., object] | None = None,
    rich_help_panel: str | None = None,
) -> object:
    """Return an option with several values, separated by commas or by repeating the option.

    Without the option, the command gets None. An option whose values may contain any commas, such as a command line,
    can only be repeated: it is a plain `typer.Option` of a list.

    Parameters
    ----------
    name, *others
        The spellings of the option.
    help
        The help, to which a note is added that the option is repeatable.
    split
        Returns the entries of one text.
    of
        Converts an entry: to a number, or as `choice_of` does.
    metavar, autocompletion, rich_help_panel
        As for `typer.Option`.
    """
    parser = _list_parser(split, of)
    return typer.Option(
        name,
        *others,
        help=f"{help} Repeatable.",
        parser=parser,
        callback=_joined,
        metavar=metavar,
        autocompletion=autocompletion,
        rich_help_panel=rich_help_panel,
    )


def list_argument(**settings: Any) -> object:
    """Return an argument with several names, separated by commas or spaces."""
    return typer.Argument(parser=_list_parser(split_names, str), callback=_joined, **settings)


def _list_parser(split: Callable[[str], list[str]], of: Callable[[str], object]) -> Callable[[str], list[object]]:
    def parse(text: str) -> list[object]:
        try:
            return [of(entry) for entry in split(text)]
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not a number or a list of numbers") from None

    return parse


def replace_parameter(
    name: str, options: Sequence[inspect.Parameter], value: Callable[..., object]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that replaces a parameter of a command by options, from which `value` makes the argument."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function, eval_str=True)
        parameters = [
            chosen
            for parameter in signature.parameters.values()
            for chosen in (options if parameter.name == name else [parameter])
        ]

        @wraps(function)
        def command(**values: object) -> None:
            own = {option.name: values.pop(option.name, option.default) for option in options}
            function(**{name: value(**own)}, **values)

        vars(command)["__signature__"] = signature.replace(parameters=parameters)  # which typer reads
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return decorate


def _joined(lists: Sequence[Sequence[object]] | None) -> list[object] | None:
    return [value for values in lists for value in values] if lists else None


MEANINGS = {
    "--box": "Box shape",
    "--column": "Column of puzzles",
    "--command": "Program",
    "--count": "Number of puzzles",
    "--cpu-seconds": "CPU time of each run",
    "--dask": "Dask scheduler",
    "--fields": "Fields to print",
    "--fixed": "Fraction",
    "--force": "Replace",
    "--from": "Input format",
    "--json": "Print JSON",
    "--keep-going": "Continue after unreadable puzzles",
    "--limit": "Maximum number",
    "--output": "Output",
    "--param": "Solver parameters",
    "--param-file": "TOML files of solver parameters",
    "--plot": "Plot",
    "--report": "Write a report",
    "--seconds": "Time limit",
    "--seed": "Random seed",
    "--size": "Size",
    "--solver": "Solver",
    "--store": "File for",
    "--svg": "Draw",
    "--techniques": "Techniques or families",
    "--tests": "Write the pairwise tests",
    "--threads": "Number of threads",
    "--to": "Output format",
    "--verbose": "Print the detected format",
    "--without": "Techniques or families to exclude",
    "--workers": "Number of concurrent runs",
}
"""The options of several commands, each with the words that begin its help in every command.

``--count`` says how many puzzles to make, ``--limit`` how many of the given ones to use. ``--seconds`` is wall time,
``--cpu-seconds`` CPU time. The short forms are ``-n`` (--count), ``-o`` (--output), ``-p`` (--param), ``-s`` (--solver)
and ``-v`` (--verbose). Where several values make sense, they are separated by commas or given by repetition.
"""

PuzzlesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PUZZLE|FILE",
        help="Files (also .gz, .zip, .zst), collections (see `instances`) or puzzles. Default: standard input (-).",
        autocompletion=complete_puzzles,
    ),
]
SomePuzzlesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PUZZLE|FILE",
        help="Files (also .gz, .zip, .zst), collections (see `instances`) or puzzles.",
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
ColumnOption = Annotated[
    str | None,
    typer.Option(
        "--column", metavar="NAME", help="Column of puzzles in a table (default: puzzle, board, quizzes and the like)."
    ),
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
    typer.Option(
        "--keep-going", help="Continue after unreadable puzzles: write placeholders, and list the first 100 errors."
    ),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Print the detected format of each input.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON: one object per puzzle.")]
FieldsOption = Annotated[
    list[str] | None,
    list_option("--fields", metavar="NAME,…", help="Fields to print, in this order (default: all)."),
]
SolversOption = Annotated[
    list[str] | None,
    list_option(
        "--solver",
        "-s",
        metavar="NAME,…",
        help="Solvers: names (see `sudokulab solvers`) or module:Class.",
        autocompletion=complete_solvers,
    ),
]
ParamsOption = Annotated[
    list[str] | None,
    list_option(
        "--param",
        "-p",
        split=split_pairs,
        metavar="[SOLVER:]KEY=VALUE,…",
        help="Solver parameters, for SOLVER or for all solvers that have them.",
    ),
]
ParamFilesOption = Annotated[
    list[str] | None,
    list_option(
        "--param-file",
        split=split_files,
        metavar="[SOLVER:]FILE,…",
        help="TOML files of solver parameters, as written by `sudokulab tune`.",
    ),
]
SeedOption = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed.")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Maximum number of puzzles to use.")]
WithoutOption = Annotated[
    list[str] | None,
    list_option(
        "--without",
        metavar="NAME,…",
        help="Techniques or families to exclude, such as uniqueness.",
        autocompletion=complete_techniques,
    ),
]
WorkersOption = Annotated[
    int | None, typer.Option(min=1, max=MAX_THREADS, help="Number of concurrent runs (default: one per core).")
]
ThreadsOption = Annotated[
    int | None, typer.Option(min=1, max=MAX_THREADS, help="Number of threads (default: all cores).")
]
DaskOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Dask scheduler that distributes the work, such as tcp://host:8786."),
]


def params_of_solver(
    solver: str, params: Sequence[str] | None, param_files: Sequence[str] | None = None
) -> dict[str, object]:
    """Return the parameters of the only solver of a command; those on the command line override those in files."""
    found = [*_params_in(param_files or (), [solver]), *_params_of(params or ())]
    return {target.removeprefix(f"{solver}:"): value for _, target, value in found}


def params_by_solver(
    solvers: dict[str, Solver], params: Sequence[str] | None, param_files: Sequence[str] | None = None
) -> dict[str, dict[str, object]]:
    """Assign each parameter to the solvers that it applies to; those on the command line override those in files."""
    known = {name: list(parameter_values(solver)) for name, solver in solvers.items()}
    found: dict[str, dict[str, object]] = {name: {} for name in solvers}
    for option, target, value in [*_params_in(param_files or (), solvers), *_params_of(params or ())]:
        solver, _, key = target.rpartition(":")
        if solver and solver not in solvers:
            raise ParameterError(f"{option}{target}: {unknown_name('solver', solver, solvers)}")
        owners = [solver] if solver else [name for name in solvers if key in known[name]]
        if not owners:
            all_keys = dict.fromkeys(key for keys in known.values() for key in keys)
            problem = (
                unknown_name("parameter", key, all_keys) if all_keys else f"no solver has parameters; remove {key}"
            )
            raise ParameterError(f"{option}{target}: {problem}")
        for name in owners:
            found[name][key] = value
    return found


def _params_of(params: Sequence[str]) -> Iterator[tuple[str, str, object]]:
    """Yield each ``[SOLVER:]KEY`` of ``--param`` with its value, after the beginning of an error message."""
    for param in params:
        target, equals, value = param.partition("=")
        if not equals:
            raise SudokulabError(f"--param {param}: write KEY=VALUE")
        yield "--param ", target, value


def _params_in(files: Sequence[str], solvers: Container[str]) -> Iterator[tuple[str, str, object]]:
    """Yield each ``[SOLVER:]KEY`` of ``--param-file`` with its value, after the beginning of an error message."""
    for text in files:
        solver, _, file = text.partition(":")
        if solver not in solvers:  # a colon may be part of the file's name
            solver, file = "", text
        for key, value in _read_parameters(Path(file)).items():
            yield f"{file}: ", f"{solver}:{key}" if solver else key, value


def _read_parameters(path: Path) -> dict[str, object]:
    """Return the solver parameters in a file of ``--param-file``."""
    try:
        return read_toml(path)
    except ValueError as error:
        raise SudokulabError(str(error)) from None


def names_of(kind: type[Enum]) -> list[str]:
    """Return the values of an option as users type them, such as ``very-hard``."""
    return [member.value for member in kind]


def choice_of(kind: type[Choice]) -> Callable[[str], Choice]:
    """Return a parser for an option with these values, in any case; unlike click's, it accepts synonyms."""

    def parse(text: str | Choice) -> Choice:
        try:
            return kind(text.lower() if isinstance(text, str) else text)
        except ValueError:
            raise typer.BadParameter(unknown_name("value", str(text), names_of(kind))) from None

    return parse
