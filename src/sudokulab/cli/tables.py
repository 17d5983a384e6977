"""Tables and records: for people on a terminal, tab-separated text everywhere else."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence

from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.schema import VERSION
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.puzzle import Puzzle

__all__ = ["checked_fields", "head_of", "print_record", "print_row", "print_table"]


def checked_fields(fields: Sequence[str] | None, known: Sequence[str], *, as_json: bool = True) -> Sequence[str]:
    """Return the fields of ``--fields``, each of them known and named once; all known fields by default.

    Only JSON has the field ``version``.
    """
    known = [name for name in known if as_json or name != "version"]
    for place, field in enumerate(fields or ()):
        if field not in known:
            raise SudokulabError(f"--fields: {unknown_name('field', field, known)}")
        if field in (fields or ())[:place]:
            raise SudokulabError(f"--fields: {field!r} is repeated; name each field once")
    return fields or known


def head_of(number: int, puzzle: Puzzle | FormatError) -> dict[str, object]:
    """Return the first fields of a record: ``version``, the number of the puzzle, and its name or number as ``id``."""
    return {"version": VERSION, "row": number, "id": one_line(puzzle.name) or str(number)}


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table to standard output.

    A terminal gets aligned columns, fitted to its width. A pipe or a file gets one row per line and one tab between
    fields, after a line with the column names: nothing is wrapped or cut off.
    """
    words = [[_text(value) for value in row] for row in rows]
    if not sys.stdout.isatty():
        for row in [list(columns), *words]:
            print_row(row)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD)
    for place, column in enumerate(columns):
        are_numbers = all(_is_number(row[place]) for row in words)
        table.add_column(column, justify="right" if are_numbers else "left")
    for row in words:
        table.add_row(*map(Text, row))
    Console().print(table)


def print_row(values: Iterable[object]) -> None:
    """Print one line of fields, separated by tabs."""
    sys.stdout.write("\t".join(map(_text, values)) + "\n")


def print_record(record: Mapping[str, object], sentence: str, *, as_json: bool, is_first: bool) -> None:
    """Print the answer to one puzzle.

    Parameters
    ----------
    record
        The fields. With ``--json`` they are printed as an object; in a pipe, as tab-separated values in the same order,
        after a line with their names.
    sentence
        The answer for people, on a terminal.
    as_json
        Whether ``--json`` was given.
    is_first
        Whether no record was printed before.
    """
    if as_json:
        sys.stdout.write(f"{json.dumps(record)}\n")
    elif sys.stdout.isatty():
        sys.stdout.write(f"{sentence}\n")
    else:
        if is_first:
            print_row(record)
        print_row(record.values())


def _is_number(word: str) -> bool:
    return not word or word.replace(",", "").replace(".", "").isdecimal()


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={one}" for key, one in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else one_line(str(value))
