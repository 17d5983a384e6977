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
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, a puzzle string, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="[OUT]", help="A file, or - for standard output.")] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"{', '.join([*formats.FORMATS, *TARGETS])}; by default the ending of OUT tells.",
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"Of a CNF: {', '.join(ENCODINGS)}; by default extended.")
    ] = None,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Turn puzzles from one text format into another, or one puzzle into a formula, graph, matrix, data or drawing.

    For other programs: cnf (SAT, DIMACS), col (graph colouring, DIMACS), cover (exact cover), dzn (MiniZinc), svg. What
    a solver answers to cnf, col and cover, `sudokulab decode` reads.

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
