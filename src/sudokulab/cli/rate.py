"""``sudokulab rate``."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from sudokulab._internal.native import MAX_THREADS
from sudokulab._internal.progress import track
from sudokulab.budget import Budget
from sudokulab.cli.common import (
    NOT_SOLVED,
    BoxOption,
    FromOption,
    Inputs,
    KeepGoingOption,
    PuzzlesArgument,
    RulesOption,
    VerboseOption,
    command,
)
from sudokulab.formats.base import one_line
from sudokulab.logic import Rating, rate_many

__all__ = ["rate"]


@command
def rate(
    puzzles: PuzzlesArgument = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per puzzle.")] = False,
    rules: RulesOption = None,
    seconds: Annotated[float, typer.Option(min=0, help="Time limit for the tree searches of each puzzle.")] = 60.0,
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
    """Rate how hard puzzles are: level, highest rule needed, and mean and deviation of tree search nodes.

    Exit code 0 if every puzzle has exactly one solution, else 1; 2 for bad input.

    Example: sudokulab rate puzzles.txt --json
    """
    inputs = Inputs(puzzles, format, box, keep_going, verbose)
    budget = Budget(seconds=seconds)
    ratings = rate_many(inputs, rules, relabelings=relabelings, seed=seed, budget=budget, threads=threads)
    all_rated = True
    for number, rating in enumerate(track(ratings, "rating"), start=1):
        all_rated &= rating.level is not None
        name = one_line(rating.puzzle.name) or str(number)
        if as_json:
            sys.stdout.write(json.dumps({"id": name, "puzzle": rating.puzzle.line, **rating.to_dict()}) + "\n")
        else:
            sys.stdout.write(f"{name}: {_describe(rating)}\n")
    inputs.finish()
    if not all_rated:
        raise typer.Exit(NOT_SOLVED)


def _describe(rating: Rating) -> str:
    if rating.level is None:
        if rating.num_solutions is None:
            return "number of solutions unknown (time limit)"
        return "many solutions" if rating.num_solutions else "no solution"
    needs = f", needs a {rating.highest.title}" if rating.highest else ""
    if rating.mean_nodes is None:
        return f"{rating.level.value}{needs}, nodes unknown (time limit)"
    return f"{rating.level.value}{needs}, {rating.mean_nodes:.1f} ± {rating.deviation:.1f} nodes"
