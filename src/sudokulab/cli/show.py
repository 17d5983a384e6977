"""``sudokulab show``."""

from __future__ import annotations

import sys

from rich.console import Console

from sudokulab.cli.common import command
from sudokulab.cli.inputs import Inputs
from sudokulab.cli.options import BoxOption, FromOption, KeepGoingOption, PuzzlesArgument, VerboseOption
from sudokulab.drawing import draw
from sudokulab.formats import write
from sudokulab.formats.base import one_line

__all__ = ["show"]


@command
def show(
    puzzles: PuzzlesArgument = None,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Draw puzzles.

    On a terminal, clashing givens are red. Piped output is text in the format `grid`.

    Example: sudokulab show puzzle.sdk
    """
    inputs = Inputs(puzzles, format, box, keep_going, verbose)
    if not sys.stdout.isatty():
        write(inputs, sys.stdout, "grid")
        inputs.finish()
        return
    console = Console()
    for number, puzzle in enumerate(inputs, start=1):
        console.print(f"{one_line(puzzle.name) or number}: {puzzle.num_givens} givens", highlight=False, markup=False)
        console.print(draw(puzzle, clashes=puzzle.clashes()), soft_wrap=True)
    inputs.finish()
