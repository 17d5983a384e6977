"""``sudokulab show``."""

from __future__ import annotations

from rich.console import Console

from sudokulab.cli.common import (
    BoxOption,
    FromOption,
    Inputs,
    KeepGoingOption,
    PuzzlesArgument,
    VerboseOption,
    command,
)
from sudokulab.drawing import draw
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
    """Draw puzzles, with clashing givens in red.

    Example: sudokulab show puzzle.sdk
    """
    console = Console()
    inputs = Inputs(puzzles, format, box, keep_going, verbose)
    for number, puzzle in enumerate(inputs, start=1):
        console.print(f"{one_line(puzzle.name) or number}: {puzzle.num_givens} givens", highlight=False, markup=False)
        console.print(draw(puzzle, clashes=puzzle.clashes()), soft_wrap=True)
    inputs.finish()
