"""``sudokulab check``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from sudokulab._internal.progress import track
from sudokulab.budget import Budget
from sudokulab.cli.common import (
    NOT_SOLVED,
    BoxOption,
    FromOption,
    Inputs,
    KeepGoingOption,
    PuzzlesArgument,
    VerboseOption,
    command,
)
from sudokulab.errors import BudgetError
from sudokulab.formats.base import one_line
from sudokulab.puzzle import Puzzle, cell_name
from sudokulab.solving import count, redundant_givens
from sudokulab.verify import is_solution

__all__ = ["check"]

T = TypeVar("T")
_NUM_SOLUTIONS = {0: "no solution", 1: "one solution", 2: "many solutions", None: "number of solutions unknown"}
_MINIMAL = {True: "minimal", False: "not minimal", None: "minimality unknown"}


@command
def check(
    puzzles: PuzzlesArgument = None,
    seconds: Annotated[float, typer.Option(min=0, help="Time for each question about a puzzle.")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each puzzle.")] = False,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Say what is wrong or right with puzzles: givens, clashes, number of solutions (0, 1, many), minimality.

    A solution that comes with the puzzle is checked as well. Exit code 0 if every puzzle has exactly one solution, 1 if
    not, 2 for bad input.

    Example: sudokulab check my-puzzles.sdm
    """
    inputs = Inputs(puzzles, format, box, keep_going, verbose)
    all_sound = True
    for number, puzzle in enumerate(track(inputs, "checking"), start=1):
        report = _examine(puzzle, Budget(seconds=seconds))
        all_sound &= report["solutions"] == 1 and report["stated_solution"] is not False
        if as_json:
            typer.echo(json.dumps({"id": puzzle.name or str(number), "puzzle": puzzle.line, **report}))
        else:
            typer.echo(f"{one_line(puzzle.name) or number}: {_describe(report)}")
    inputs.finish()
    if not all_sound:
        raise typer.Exit(NOT_SOLVED)


def _examine(puzzle: Puzzle, budget: Budget) -> dict[str, Any]:
    """Answer every question; None where there is no answer, "many" and "unknown" spelt out below."""
    clashes = puzzle.clashes()
    num_solutions = 0 if clashes else _within_budget(lambda: count(puzzle, 2, budget=budget))
    redundant = _within_budget(lambda: redundant_givens(puzzle, budget=budget)) if num_solutions == 1 else None
    stated = None if puzzle.solution is None else is_solution(puzzle.solution, puzzle)
    return {
        "size": puzzle.size,
        "givens": puzzle.num_givens,
        "clashes": [cell_name(cell, puzzle.size) for cell in clashes],
        "solutions": "many" if num_solutions == 2 else num_solutions,
        "minimal": None if redundant is None else not redundant,
        "redundant": [cell_name(cell, puzzle.size) for cell in redundant or []],
        "stated_solution": stated,
    }


def _within_budget(question: Callable[[], T]) -> T | None:
    try:
        return question()
    except BudgetError:
        return None


def _describe(report: dict[str, Any]) -> str:
    num_solutions = 2 if report["solutions"] == "many" else report["solutions"]
    parts = [f"{report['givens']} givens", _NUM_SOLUTIONS[num_solutions]]
    if report["clashes"]:
        parts.append(f"{', '.join(report['clashes'])} clash")
    if num_solutions == 1:
        parts.append(_MINIMAL[report["minimal"]])
    if report["redundant"]:
        parts.append(f"not needed: {', '.join(report['redundant'])}")
    if report["stated_solution"] is not None:
        parts.append("the stated solution is right" if report["stated_solution"] else "the stated solution is wrong")
    return ", ".join(parts)
