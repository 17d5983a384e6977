"""``sudokulab convert``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from sudokulab import formats
from sudokulab.cli.common import BoxOption, FromOption, Inputs, KeepGoingOption, VerboseOption, command
from sudokulab.progress import track

__all__ = ["convert"]


@command
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, a puzzle string, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="[OUT]", help="A file, or - for standard output.")] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help=f"{', '.join(formats.FORMATS)}; by default the ending of OUT tells."
        ),
    ] = None,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Turn puzzles from one text format into another.

    Example: sudokulab convert puzzles.sdm puzzles.csv
    """
    if to:
        formats.format_of(to)
    inputs = Inputs([source], format, box, keep_going, verbose)
    formats.write(track(inputs, "converting"), sys.stdout if target == "-" else target, to)
    inputs.finish()
