"""``sudokulab decode``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sudokulab.cli.common import NOT_SOLVED, command, complain
from sudokulab.cli.completion import complete_one_of
from sudokulab.cli.inputs import Inputs, one_puzzle
from sudokulab.cli.options import BoxOption
from sudokulab.convert import DECODERS, ENCODINGS, decode_cnf
from sudokulab.drawing import draw
from sudokulab.errors import NoSolutionError, SudokulabError
from sudokulab.formats import line

__all__ = ["decode"]


@command
def decode(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="The converted puzzle: a file or a string.")],
    answer: Annotated[
        str, typer.Argument(metavar="ANSWER", help="File with the solver's answer, or - for standard input.")
    ],
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help=f"Target of the conversion: {', '.join(DECODERS)}.",
            autocompletion=complete_one_of(DECODERS),
        ),
    ] = "cnf",
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"CNF encoding: {', '.join(ENCODINGS)}. Default: extended.",
            autocompletion=complete_one_of(ENCODINGS),
        ),
    ] = None,
    box: BoxOption = None,
) -> None:
    """Decode another solver's answer into a verified grid.

    The answer is the reply to a puzzle written by `sudokulab convert`: for a CNF, the solver's output or a MiniSat
    result file; for a colouring, the colours of the vertices in order, or lines "l vertex colour"; for an exact
    cover, the numbers of the selected rows. The grid is drawn on a terminal, and printed as one line otherwise.
    Exit code 0 for a solution, 1 if the answer states that there is none, 2 for a wrong or unreadable answer.

    Example: sudokulab decode puzzle.txt answer.txt --encoding optimised
    """
    if target not in DECODERS:
        raise SudokulabError(f"cannot decode answers to {target!r}, expected --target {' or '.join(DECODERS)}")
    if encoding and target != "cnf":
        raise SudokulabError("--encoding is for cnf only")
    if puzzle == answer == "-":
        raise SudokulabError("standard input can be read only once")
    read = partial(decode_cnf, encoding=encoding) if encoding else DECODERS[target]
    given = one_puzzle(Inputs([puzzle], None, box, False), "decode")
    if answer == "-" and sys.stdin is None:
        raise SudokulabError("standard input is closed")
    text = sys.stdin.read() if answer == "-" else Path(answer).read_text(encoding="utf-8", errors="replace")
    try:
        solution = read(given, text)
    except NoSolutionError as error:
        complain(str(error))
        raise typer.Exit(NOT_SOLVED) from None
    console = Console()
    if console.is_terminal:
        console.print(draw(given, solution), soft_wrap=True)
    else:
        line.FORMAT.write([solution], sys.stdout)
