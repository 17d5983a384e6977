"""``sudokulab convert``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sudokulab import formats
from sudokulab._internal.files import whole_file
from sudokulab._internal.progress import track
from sudokulab.cli.common import BoxOption, FromOption, Inputs, KeepGoingOption, VerboseOption, command, one_puzzle
from sudokulab.convert import ENCODINGS, TARGETS, write_cnf
from sudokulab.errors import SudokulabError

__all__ = ["convert"]


@command
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="File, puzzle string, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="[OUT]", help="File, or - for standard output.")] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"Output format (default: by the extension of OUT): {', '.join([*formats.FORMATS, *TARGETS])}.",
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"CNF encoding: {', '.join(ENCODINGS)}. Default: extended.")
    ] = None,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Convert puzzles between text formats, or one puzzle to a formula, graph, matrix, data or drawing.

    Targets for other programs: cnf (SAT, DIMACS), col (graph colouring, DIMACS), cover (exact cover), dzn (MiniZinc)
    and svg. `sudokulab decode` reads a solver's answer to cnf, col or cover.

    Example: sudokulab convert puzzles.sdm puzzles.csv
    """
    chosen = to or Path(target).suffix.lower().removeprefix(".")
    if encoding and chosen != "cnf":
        raise SudokulabError("--encoding is for cnf only")
    inputs = Inputs([source], format, box, keep_going, verbose)
    if chosen in TARGETS:
        write = partial(write_cnf, encoding=encoding) if encoding else TARGETS[chosen]
        puzzle = one_puzzle(inputs, chosen)
        if target == "-":
            write(puzzle, sys.stdout)
        else:
            with whole_file(target) as stream:
                write(puzzle, stream)
        inputs.finish()
        return
    if to:
        _check(to)
    elif target != "-":
        formats.format_to_write(target, [f".{name}" for name in TARGETS])
    formats.write(track(inputs, "converting"), sys.stdout if target == "-" else target, to)
    inputs.finish()


def _check(to: str) -> None:
    try:
        formats.format_of(to)
    except SudokulabError as error:
        raise SudokulabError(f"{error}, {', '.join(TARGETS)}") from None
