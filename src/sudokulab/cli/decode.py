"""``sudokulab decode``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sudokulab.cli.common import NOT_SOLVED, BoxOption, Inputs, command, complain, one_puzzle
from sudokulab.convert import DECODERS, ENCODINGS, decode_cnf
from sudokulab.drawing import draw
from sudokulab.errors import NoSolutionError, SudokulabError
from sudokulab.formats import line

__all__ = ["decode"]


@command
def decode(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="The puzzle that was converted: a file or a string.")],
    answer: Annotated[
        str, typer.Argument(metavar="ANSWER", help="A file with the solver's answer, or - for standard input.")
    ],
    target: Annotated[
        str, typer.Option("--from", metavar="TARGET", help=f"What was solved: {', '.join(DECODERS)}.")
    ] = "cnf",
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"Of a CNF: {', '.join(ENCODINGS)}; by default extended.")
    ] = None,
    box: BoxOption = None,
) -> None:
    """Turn a solver's answer to a converted puzzle back into a grid, and verify it.

    Of a CNF the solver's output or a MiniSat result file; of a colouring the colours of the vertices in order, or lines
    "l vertex colour"; of an exact cover the numbers of the rows. On a terminal a drawn grid, otherwise one line. Exit
    code 0 for a solution, 1 if the answer says that there is none, 2 for an answer that is wrong.

    Example: sudokulab decode puzzle.txt answer.txt --encoding optimised
    """
    if target not in DECODERS:
        raise SudokulabError(f"no answers to {target!r} are read, expected --from {' or '.join(DECODERS)}")
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
