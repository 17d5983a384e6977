"""``sudokulab convert``."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

import typer

from sudokulab import formats
from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import command
from sudokulab.cli.completion import complete_one_of, complete_puzzles, complete_target
from sudokulab.cli.inputs import Inputs, one_puzzle
from sudokulab.cli.options import BoxOption, FromOption, KeepGoingOption, VerboseOption
from sudokulab.convert import ENCODINGS, TARGETS, write_cnf
from sudokulab.errors import SudokulabError
from sudokulab.formats.compression import compressed_text, extension_of

__all__ = ["convert"]


@command
def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="File, puzzle string, or - for standard input.", autocompletion=complete_puzzles
        ),
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="Output file, or - for standard output.")] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"Output format (default: by the extension of OUT): {', '.join([*formats.FORMATS, *TARGETS])}.",
            autocompletion=complete_target,
        ),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"CNF encoding (default: extended): {', '.join(ENCODINGS)}.",
            autocompletion=complete_one_of(ENCODINGS),
        ),
    ] = None,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Convert puzzles to other formats.

    A single puzzle can also be converted for other programs: cnf (SAT, DIMACS), col (graph colouring, DIMACS),
    cover (exact cover), dzn (MiniZinc), svg. `sudokulab decode` reads the answers of solvers to cnf, col and cover.

    Example: sudokulab convert puzzles.sdm puzzles.csv
    """
    chosen = to or extension_of(target).removeprefix(".")
    if encoding and chosen != "cnf":
        raise SudokulabError("--encoding applies only to cnf")
    inputs = Inputs([source], format, box, keep_going, verbose)
    if chosen in TARGETS:
        write = partial(write_cnf, encoding=encoding) if encoding else TARGETS[chosen]
        puzzle = one_puzzle(inputs, chosen)
        if target == "-":
            write(puzzle, sys.stdout)
        else:
            with compressed_text(target) as stream:
                write(puzzle, stream)
        inputs.finish()
        return
    text_format = _text_format(to, target)
    puzzles = inputs.tracked(inputs, "converting")
    records = inputs.in_order(puzzles) if text_format.has_placeholders else puzzles
    formats.write_records(records, sys.stdout if target == "-" else target, text_format.name)
    inputs.finish()


def _text_format(to: str | None, target: str) -> formats.Format:
    if to and to not in formats.FORMATS and not formats.format_by_extension(to):
        raise SudokulabError(unknown_name("format", to, [*formats.FORMATS, *TARGETS]))
    if to or target == "-":
        return formats.format_of(to or "line")
    return formats.format_to_write(target, [f".{name}" for name in TARGETS])
