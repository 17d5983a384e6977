"""``sudokulab rate``."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from sudokulab.cli.common import FAILED, UNREADABLE, command
from sudokulab.cli.completion import complete_scale, complete_techniques
from sudokulab.cli.inputs import Inputs, reads_puzzles
from sudokulab.cli.options import FieldsOption, JsonOption, ThreadsOption, list_option
from sudokulab.cli.schema import fields_of
from sudokulab.cli.tables import checked_fields, head_of, print_record
from sudokulab.errors import FormatError
from sudokulab.formats.base import placeholder
from sudokulab.logic.rating import AnyRating, Scale, rate_many
from sudokulab.search.budget import Budget

__all__ = ["rate"]

_FIELDS: dict[Scale, tuple[str, ...]] = {
    "rules": fields_of("rate"),
    "se": fields_of("rate --scale se"),
    "hodoku": fields_of("rate --scale hodoku"),
    "trial": fields_of("rate --scale trial"),
}


@command
@reads_puzzles
def rate(
    *,
    scale: Annotated[
        str,
        typer.Option(
            help="rules: the level, by the hardest of the ten rules needed, and the nodes of a tree search. se: ER, EP "
            "and ED of Sudoku Explainer. hodoku: HoDoKu's level and score. trial: depth of trial and error, backdoors.",
            autocompletion=complete_scale,
        ),
    ] = "rules",
    as_json: JsonOption = False,
    fields: FieldsOption = None,
    rules: Annotated[
        list[str] | None,
        list_option(
            "--rules",
            metavar="NAME,…",
            help="Scale rules: rules in order (default: NS,HS,BRC,RCB,NP,HP,NT,HT,NQ,HQ).",
            autocompletion=complete_techniques,
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, help="Time limit per puzzle.")] = 60.0,
    relabelings: Annotated[
        int | None, typer.Option(min=0, max=10_000, help="Scale rules: random relabelings for the tree search.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="Random seed for the relabelings of the scale rules.")
    ] = None,
    backdoors: Annotated[
        int | None, typer.Option(min=0, max=1_000_000, help="Number of backdoors to list (with --scale trial).")
    ] = None,
    invariant: Annotated[
        bool,
        typer.Option(
            "--invariant", help="Rate the canonical form (with --scale se), so that equivalent puzzles rate the same."
        ),
    ] = False,
    threads: ThreadsOption = None,
    inputs: Inputs,
) -> None:
    """Rate the difficulty of puzzles.

    Piped output has the fields of --json except version, separated by tabs, after a line with their names. Exit code 0
    if every puzzle was rated, 1 if not (no unique solution, or out of time), 2 for bad input.

    Example: sudokulab rate puzzles.txt --scale se --json
    """
    chosen = cast("Scale", scale.lower())
    options = {
        "rules": rules,
        "relabelings": relabelings,
        "seed": seed,
        "invariant": invariant or None,
        "max_listed": backdoors,
    }
    given = {name: value for name, value in options.items() if value is not None}
    ratings = rate_many(inputs, scale=chosen, budget=Budget(seconds=seconds), threads=threads, **given)
    all_rated = True
    keys = checked_fields(fields, _FIELDS[chosen], as_json=as_json)
    for number, rating in enumerate(inputs.in_order(inputs.tracked(ratings, "rating")), start=1):
        all_rated &= isinstance(rating, FormatError) or rating.is_rated
        head = head_of(number, rating if isinstance(rating, FormatError) else rating.puzzle)
        if isinstance(rating, FormatError):
            sentence = placeholder(number, rating)
        else:
            sentence = f"{head['id']}: {_describe(rating)}"
        record = head | _as_json(rating, chosen)
        print_record({key: record[key] for key in keys}, sentence, as_json=as_json, is_first=number == 1)
    inputs.finish()
    if not all_rated:
        raise typer.Exit(FAILED)


def _as_json(rating: AnyRating | FormatError, scale: Scale) -> dict[str, object]:
    """Return a rating as a JSON object, always with the same keys; None for unknown values."""
    empty = dict.fromkeys(_FIELDS[scale][3:])
    if isinstance(rating, FormatError):
        return {**empty, "status": UNREADABLE, "error": str(rating)}
    head = {
        "puzzle": rating.puzzle.line,
        "status": "rated" if rating.is_rated else "not rated",
    }
    return {**empty, **head, **rating.to_dict()}


def _describe(rating: AnyRating) -> str:
    if rating.is_rated:
        return str(rating)
    if rating.num_solutions is None:
        return "number of solutions unknown (time limit)"
    return "not rated (time limit)" if rating.num_solutions == 1 else _NUMBERS[rating.num_solutions]


_NUMBERS = {0: "no solution", 2: "many solutions"}
