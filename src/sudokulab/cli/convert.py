"""``sudokulab convert``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sudokulab import formats
from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import FAILED, command, print_message
from sudokulab.cli.completion import complete_one_of, complete_target
from sudokulab.cli.encoding import output_of_puzzles
from sudokulab.cli.inputs import Inputs, one_puzzle, reads_puzzles
from sudokulab.convert import DECODERS, ENCODINGS, TARGETS, decode_cnf, write_cnf
from sudokulab.drawing import draw
from sudokulab.errors import NoSolutionError, SudokulabError
from sudokulab.formats import line
from sudokulab.formats.base import one_line
from sudokulab.formats.compression import compressed_text, extension_of

__all__ = ["convert"]


@command
@reads_puzzles
def convert(
    *,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"Output format (default: by the extension of the output): {', '.join([*formats.FORMATS, *TARGETS])}.",
            autocompletion=complete_target,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output file; the extension selects the format.")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"CNF encoding (default: extended): {', '.join(ENCODINGS)}.",
            autocompletion=complete_one_of(ENCODINGS),
        ),
    ] = None,
    answer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Answer of another solver to the converted puzzle (- for standard input): print the verified "
            f"solution. --to names the conversion: {', '.join(DECODERS)} (default: cnf).",
        ),
    ] = None,
    inputs: Inputs,
) -> None:
    """Convert puzzles to other formats, or draw them.

    Without --to and --output, draws the puzzles on a terminal, with clashing givens in red, and prints one puzzle per
    line in a pipe.

    A single puzzle can also be converted for other programs: cnf (SAT, DIMACS), col (graph colouring, DIMACS),
    cover (exact cover), mzn (MiniZinc model with data) or dzn (data alone), lp (integer program), xcsp (XCSP3), svg.

    --answer decodes a solver's answer to any of these formats except svg: for a CNF, the solver's output or a MiniSat
    result file; for a colouring, the colours of the vertices in order, or lines "l vertex colour"; for an exact cover,
    the numbers of the selected rows; for MiniZinc, its output; for an integer program, the solution file; for XCSP3,
    the instantiation. Exit code 0 for a solution, 1 if the answer states that there is none, 2 for a wrong
    or unreadable answer.

    Example: sudokulab convert puzzles.sdm -o puzzles.csv

    Example: sudokulab convert puzzle.txt --answer answer.txt
    """
    target = None if output is None or str(output) == "-" else output
    if target:
        inputs.refuse_as_output(target)
    if answer is not None:
        if output is not None:
            raise SudokulabError("--answer prints the solution; remove --output")
        _decode(inputs, answer, to or "cnf", encoding)
        return
    chosen = to or (extension_of(target).removeprefix(".") if target else "")
    if encoding and chosen != "cnf":
        raise SudokulabError("--encoding applies only to cnf")
    if chosen in TARGETS:
        _write_for_program(inputs, chosen, encoding, target)
    elif output is None and to is None and sys.stdout.isatty():
        _draw(inputs)
    else:
        _write_text(inputs, _text_format(to, target), target)
    inputs.finish()


def _decode(inputs: Inputs, answer: Path, target: str, encoding: str | None) -> None:
    """Print the solution in the answer of another solver."""
    if target not in DECODERS:
        raise SudokulabError(f"cannot decode answers to {target!r}; use --to {' or '.join(DECODERS)}")
    if encoding and target != "cnf":
        raise SudokulabError("--encoding applies only to cnf")
    is_stdin = str(answer) == "-"
    if is_stdin and inputs.has_stdin:
        raise SudokulabError("standard input can be read only once")
    read = partial(decode_cnf, encoding=encoding) if encoding else DECODERS[target]
    puzzle = one_puzzle(inputs, "--answer")
    if is_stdin and sys.stdin is None:
        raise SudokulabError("standard input is closed")
    text = sys.stdin.read() if is_stdin else answer.read_text(encoding="utf-8", errors="replace")
    try:
        solution = read(puzzle, text)
    except NoSolutionError as error:
        print_message(str(error))
        raise typer.Exit(FAILED) from None
    if sys.stdout.isatty():
        Console().print(draw(puzzle, solution), soft_wrap=True)
    else:
        line.FORMAT.write([solution], sys.stdout)


def _write_for_program(inputs: Inputs, target_name: str, encoding: str | None, target: Path | None) -> None:
    """Write a single puzzle in a form for other programs."""
    write = partial(write_cnf, encoding=encoding) if encoding else TARGETS[target_name]
    puzzle = one_puzzle(inputs, target_name)
    if target is None:
        write(puzzle, output_of_puzzles())
    else:
        with compressed_text(target) as stream:
            write(puzzle, stream)


def _draw(inputs: Inputs) -> None:
    console = Console()
    for number, puzzle in enumerate(inputs, start=1):
        console.print(f"{one_line(puzzle.name) or number}: {puzzle.num_givens} givens", highlight=False, markup=False)
        console.print(draw(puzzle, clashes=puzzle.clashes()), soft_wrap=True)


def _write_text(inputs: Inputs, format: formats.Format, target: Path | None) -> None:
    puzzles = inputs.tracked(inputs, "converting")
    records = inputs.in_order(puzzles) if format.has_placeholders else puzzles
    formats.write_records(records, target or output_of_puzzles(), format.name)


def _text_format(to: str | None, target: Path | None) -> formats.Format:
    if to and to not in formats.FORMATS and not formats.format_by_extension(to):
        raise SudokulabError(unknown_name("format", to, [*formats.FORMATS, *TARGETS]))
    if to or target is None:
        return formats.format_of(to or "line")
    return formats.format_to_write(target, [f".{name}" for name in TARGETS])
