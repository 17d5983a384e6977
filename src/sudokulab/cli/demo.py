"""``sudokulab demo``."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.columns import Columns
from rich.console import Console

from sudokulab._internal.progress import track
from sudokulab.budget import Budget
from sudokulab.cli.common import command
from sudokulab.cli.tables import print_table
from sudokulab.drawing import draw
from sudokulab.formats import parse
from sudokulab.result import Result
from sudokulab.solving.registry import DEFAULT_SOLVER, all_solvers, make_solver

__all__ = ["demo"]

# Arto Inkala, 2012: printed by the Daily Telegraph (London, 28 June 2012) as the world's hardest Sudoku.
_PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@command
def demo(
    seconds: Annotated[float, typer.Option(min=0, help="Time limit per solver.")] = 2.0,
) -> None:
    """Solve a famous hard puzzle with every solver, side by side.

    Example: sudokulab demo --seconds 10
    """
    console = Console()
    puzzle = parse(_PUZZLE)
    names = [DEFAULT_SOLVER, *(name for name in all_solvers() if name != DEFAULT_SOLVER)]
    chosen = track([make_solver(name) for name in names], "solving", len(names))
    results = [solver.solve(puzzle, Budget(seconds=seconds)) for solver in chosen]
    if console.is_terminal:
        console.print("Inkala's puzzle of 2012 and its solution:")
        console.print(Columns([draw(puzzle), draw(puzzle, results[0].solution)], padding=(0, 4)))
    print_table(["solver", "status", "seconds", "nodes", "iterations"], map(_row, results))


def _row(result: Result) -> tuple[object, ...]:
    steps = (result.stats.get(unit) for unit in ("nodes", "iterations"))
    return result.solver, result.status.value, f"{result.seconds:.6f}", *steps
