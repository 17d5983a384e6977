"""``sudokulab rate``."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

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
from sudokulab.formats.base import one_line
from sudokulab.logic import Rating, rate_many
from sudokulab.progress import track
from sudokulab.solving import MAX_THREADS

__all__ = ["rate"]


@command
def rate(
    puzzles: PuzzlesArgument = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each puzzle.")] = False,
    rules: Annotated[
        str | None, typer.Option(help="Rules in order, by default NS,HS,BRC,RCB,NP,HP,NT,HT,NQ,HQ.")
    ] = None,
    relabelings: Annotated[int, typer.Option(min=0, max=10_000, help="Random relabelings for the tree search.")] = 5,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Of the relabelings.")] = 0,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="By default one for each core.")] = None,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Say how hard puzzles are: level, highest rule needed, and nodes of a tree search with their deviation.

    Exit code 0 if every puzzle has exactly one solution, 1 if not, 2 for bad input.

    Example: sudokulab rate puzzles.txt --json
    """
    inputs = Inputs(puzzles, format, box, keep_going, verbose)
    order = rules.split(",") if rules else None
    ratings = rate_many(inputs, order, relabelings=relabelings, seed=seed, threads=threads)
    all_rated = True
    for number, rating in enumerate(track(ratings, "rating"), start=1):
        all_rated &= rating.level is not None
        name = one_line(rating.puzzle.name) or str(number)
        if as_json:
            sys.stdout.write(json.dumps({"id": name, "puzzle": str(rating.puzzle), **rating.to_dict()}) + "\n")
        else:
            sys.stdout.write(f"{name}: {_describe(rating)}\n")
    inputs.finish()
    if not all_rated:
        raise typer.Exit(NOT_SOLVED)


def _describe(rating: Rating) -> str:
    if rating.level is None:
        return {0: "no solution", 2: "many solutions"}.get(rating.num_solutions or 0, "number of solutions unknown")
    needs = f", needs a {rating.highest.title}" if rating.highest else ""
    return f"{rating.level.value}{needs}, {rating.mean_nodes:.1f} ± {rating.deviation:.1f} nodes"
