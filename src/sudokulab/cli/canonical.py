"""``sudokulab canonical``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Annotated, Any, cast

import typer

from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads
from sudokulab.cli.common import FAILED, UNREADABLE, command, print_message
from sudokulab.cli.inputs import Inputs, reads_puzzles
from sudokulab.cli.options import FieldsOption, JsonOption, ThreadsOption
from sudokulab.cli.schema import VERSION, fields_of
from sudokulab.cli.tables import checked_fields
from sudokulab.equivalence import Through, canonical_array, class_hash_array
from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats.base import one_line, placeholder
from sudokulab.puzzle import Puzzle
from sudokulab.questions import as_strings

__all__ = ["canonical"]

Record = dict[str, Any]
_FIELDS = fields_of("canonical")


@command
@reads_puzzles
def canonical(
    *,
    through: Annotated[
        str,
        typer.Option(
            help="puzzle: the smallest equivalent puzzle. solution: the smallest image of the puzzle under the "
            "transformations that make its solution smallest.",
        ),
    ] = "puzzle",
    as_hash: Annotated[
        bool, typer.Option("--hash", help="Print a hash that equivalent puzzles share; up to 16×16.")
    ] = False,
    as_json: JsonOption = False,
    fields: FieldsOption = None,
    threads: ThreadsOption = None,
    inputs: Inputs,
) -> None:
    """Print the canonical form of each puzzle.

    Equivalent puzzles have the same form. Puzzles are equivalent if they differ only in the order of rows, columns,
    bands and stacks, in transposition, and in the names of the digits. Prints one form per line in the order of the
    input, up to 9×9. A puzzle without a form gives a comment line with the reason. Exit code 0 if all have a form, 1 if
    not (too large, or no unique solution), 2 for bad input.

    Example: sudokulab canonical puzzles.txt --hash | sort | uniq --repeated
    """
    num_threads = checked_threads(threads)
    is_hash_only = as_hash and through == "puzzle"
    records = _records(inputs, cast("Through", through), num_threads, is_hash_only)
    num_missing, keys = 0, checked_fields(fields, _FIELDS)
    for number, found in enumerate(inputs.in_order(inputs.tracked(records, "comparing")), start=1):
        record = _unreadable(found) if isinstance(found, FormatError) else found
        record["version"], record["row"], record["id"] = VERSION, number, record["id"] or str(number)
        num_missing += record["status"] == "no form"
        text = json.dumps({key: record[key] for key in keys}) if as_json else _line(number, found, as_hash)
        sys.stdout.write(f"{text}\n")
    if num_missing:
        print_message(f"{num_missing} of {inputs.num_read} without a canonical form")
    inputs.finish()
    if num_missing:
        raise typer.Exit(FAILED)


def _records(puzzles: Iterable[Puzzle], through: Through, num_threads: int, is_hash_only: bool) -> Iterator[Record]:
    """Yield the fields of each puzzle, always with the same keys."""

    def answers(some: list[Puzzle]) -> list[Record]:
        try:
            return _hashes(some, num_threads) if is_hash_only else _forms(some, through, num_threads)
        except PuzzleError as error:
            if len(some) == 1:
                return [{"status": "no form", "error": str(error)}]
            return [answer for puzzle in some for answer in answers([puzzle])]

    for batch in batches(puzzles, num_threads):
        for _, group in groupby(batch, key=lambda puzzle: puzzle.box):
            some = list(group)
            for puzzle, answer in zip(some, answers(some), strict=True):
                head = {
                    "id": one_line(puzzle.name),
                    "puzzle": puzzle.line,
                    "box": str(puzzle.box),
                    "status": "canonical",
                }
                yield {**dict.fromkeys(_FIELDS), **head, **answer}


def _hashes(puzzles: list[Puzzle], num_threads: int) -> list[Record]:
    return [{"hash": f"{hash:016x}"} for hash in class_hash_array(puzzles, threads=num_threads).tolist()]


def _forms(puzzles: list[Puzzle], through: Through, num_threads: int) -> list[Record]:
    found = canonical_array(puzzles, through=through, threads=num_threads)
    columns = {
        "form": as_strings(found.forms),
        "is_transposed": found.is_transposed.tolist(),
        "rows": found.rows.tolist(),
        "cols": found.cols.tolist(),
        "digits": found.digits.tolist(),
        "num_automorphisms": found.num_automorphisms.tolist(),
        "hash": [f"{hash:016x}" for hash in found.hashes.tolist()],
    }
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _unreadable(error: FormatError) -> Record:
    return {**dict.fromkeys(_FIELDS), "id": error.name, "status": UNREADABLE, "error": str(error)}


def _line(number: int, found: Record | FormatError, as_hash: bool) -> str:
    if isinstance(found, FormatError):
        return f"# {placeholder(number, found)}"
    if found["error"]:
        return f"# {found['id']}: {one_line(found['error'])}"
    return str(found["hash" if as_hash else "form"])
