"""``sudokulab check``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from sudokulab.cli.common import FAILED, UNREADABLE, command
from sudokulab.cli.inputs import Inputs, reads_puzzles
from sudokulab.cli.options import FieldsOption, JsonOption
from sudokulab.cli.schema import fields_of
from sudokulab.cli.tables import checked_fields, head_of, print_record
from sudokulab.errors import BudgetError, FormatError
from sudokulab.formats.base import placeholder
from sudokulab.puzzle import Puzzle, cell_name
from sudokulab.questions import count, redundant_givens
from sudokulab.search.budget import Budget
from sudokulab.verify import is_solution

__all__ = ["check"]

T = TypeVar("T")
_NUM_SOLUTIONS = {0: "no solution", 1: "one solution", 2: "many solutions", None: "number of solutions unknown"}
_FIELDS = fields_of("check")
_MINIMAL = {True: "minimal", False: "not minimal", None: "minimality unknown"}


@command
@reads_puzzles
def check(
    *,
    seconds: Annotated[float, typer.Option(min=0, help="Time limit for each question about a puzzle.")] = 60.0,
    as_json: JsonOption = False,
    fields: FieldsOption = None,
    inputs: Inputs,
) -> None:
    """Check puzzles for clashes, uniqueness and minimality.

    A solution stated in the file is checked as well. Piped output has the fields of --json except version, separated by
    tabs, after a line with their names. `solutions` is 2 if there are two or more. Exit code 0 if every puzzle has
    exactly one solution, 1 if not, 2 for bad input.

    Example: sudokulab check my-puzzles.sdm
    """
    all_sound, chosen = True, checked_fields(fields, _FIELDS, as_json=as_json)
    inputs.checks_solutions = True
    for number, puzzle in enumerate(inputs.in_order(inputs.tracked(inputs, "checking")), start=1):
        report = head_of(number, puzzle) | _report(puzzle, Budget(seconds=seconds))
        if isinstance(puzzle, Puzzle):
            all_sound &= report["solutions"] == 1 and report["stated_solution"] is not False
            text = f"{report['id']}: {_describe(report)}"
        else:
            text = placeholder(number, puzzle)
        record = {field: report[field] for field in chosen}
        print_record(record, text, as_json=as_json, is_first=number == 1)
    inputs.finish()
    if not all_sound:
        raise typer.Exit(FAILED)


def _report(puzzle: Puzzle | FormatError, budget: Budget) -> dict[str, object]:
    """Return the answers to all questions, always with the same keys; None for unknown answers."""
    if isinstance(puzzle, FormatError):
        return {**dict.fromkeys(_FIELDS[3:]), "status": UNREADABLE, "error": str(puzzle)}
    clashes = puzzle.clashes()
    num_solutions = 0 if clashes else _within_budget(lambda: count(puzzle, 2, budget=budget))
    redundant = _within_budget(lambda: redundant_givens(puzzle, budget=budget)) if num_solutions == 1 else None
    stated = None if puzzle.solution is None else is_solution(puzzle.solution, puzzle)
    return {
        "puzzle": puzzle.line,
        "status": "checked",
        "size": puzzle.size,
        "givens": puzzle.num_givens,
        "clashes": [cell_name(cell, puzzle.size) for cell in clashes],
        "solutions": num_solutions,
        "minimal": None if redundant is None else not redundant,
        "redundant": None if redundant is None else [cell_name(cell, puzzle.size) for cell in redundant],
        "stated_solution": stated,
        "error": None,
    }


def _within_budget(question: Callable[[], T]) -> T | None:
    try:
        return question()
    except BudgetError:
        return None


def _describe(report: dict[str, Any]) -> str:
    num_solutions = report["solutions"]
    parts = [f"{report['givens']} givens", _NUM_SOLUTIONS[num_solutions]]
    if report["clashes"]:
        parts.append(f"{', '.join(report['clashes'])} clash")
    if num_solutions == 1:
        parts.append(_MINIMAL[report["minimal"]])
    if report["redundant"]:
        parts.append(f"not needed: {', '.join(report['redundant'])}")
    if report["stated_solution"] is not None:
        parts.append("the stated solution is correct" if report["stated_solution"] else "the stated solution is wrong")
    return ", ".join(parts)
