"""``sudokulab rate``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sudokulab._internal.native import MAX_THREADS
from sudokulab.budget import Budget
from sudokulab.cli.common import (
    NOT_SOLVED,
    UNREADABLE,
    BoxOption,
    FromOption,
    Inputs,
    KeepGoingOption,
    PuzzlesArgument,
    RulesOption,
    VerboseOption,
    command,
)
from sudokulab.cli.tables import print_record
from sudokulab.errors import FormatError
from sudokulab.formats.base import one_line, placeholder
from sudokulab.logic import Rating, rate_many

__all__ = ["rate"]

_KEYS = ("id", "puzzle", "status", "solutions", "level", "highest", "firings", "nodes", "deviation", "error")


@command
def rate(
    puzzles: PuzzlesArgument = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per puzzle.")] = False,
    rules: RulesOption = None,
    seconds: Annotated[float, typer.Option(min=0, help="Time limit per puzzle for the tree searches.")] = 60.0,
    relabelings: Annotated[int, typer.Option(min=0, max=10_000, help="Random relabelings for the tree search.")] = 5,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed for the relabelings.")] = 0,
    threads: Annotated[
        int | None, typer.Option(min=1, max=MAX_THREADS, help="Number of threads (default: all cores).")
    ] = None,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Rate the difficulty of puzzles.

    Prints the level, the hardest rule needed, and the mean and deviation of the nodes of a tree search. Piped
    output has the fields of --json, separated by tabs. Exit code 0 if every puzzle has exactly one solution, else
    1; 2 for bad input.

    Example: sudokulab rate puzzles.txt --json
    """
    inputs = Inputs(puzzles, format, box, keep_going, verbose)
    budget = Budget(seconds=seconds)
    ratings = rate_many(inputs, rules, relabelings=relabelings, seed=seed, budget=budget, threads=threads)
    all_rated = True
    for number, rating in enumerate(inputs.in_order(inputs.tracked(ratings, "rating")), start=1):
        all_rated &= isinstance(rating, FormatError) or rating.level is not None
        print_record(_as_json(number, rating), _line(number, rating), as_json=as_json)
    inputs.finish()
    if not all_rated:
        raise typer.Exit(NOT_SOLVED)


def _as_json(number: int, rating: Rating | FormatError) -> dict[str, Any]:
    """Return a rating as a JSON object, always with the same keys; None for unknown values."""
    empty = dict.fromkeys(_KEYS)
    if isinstance(rating, FormatError):
        return {**empty, "id": str(number), "status": UNREADABLE, "error": str(rating)}
    head = {"id": _name(number, rating), "puzzle": rating.puzzle.line, "status": "rated"}
    return {**empty, **head, **rating.to_dict()}


def _line(number: int, rating: Rating | FormatError) -> str:
    if isinstance(rating, FormatError):
        return placeholder(number, rating)
    return f"{_name(number, rating)}: {_describe(rating)}"


def _name(number: int, rating: Rating) -> str:
    return one_line(rating.puzzle.name) or str(number)


def _describe(rating: Rating) -> str:
    if rating.level is None:
        if rating.num_solutions is None:
            return "number of solutions unknown (time limit)"
        return "many solutions" if rating.num_solutions else "no solution"
    needs = f", needs a {rating.highest.title}" if rating.highest else ""
    if rating.mean_nodes is None:
        return f"{rating.level.value}{needs}, nodes unknown (time limit)"
    return f"{rating.level.value}{needs}, {rating.mean_nodes:.1f} ± {rating.deviation:.1f} nodes"
