"""Tables: aligned columns on a terminal, tab-separated text everywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from sudokulab.formats.base import one_line

__all__ = ["print_table"]


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table to standard output.

    A terminal gets aligned columns, fitted to its width. A pipe or a file gets one row per line and one tab between
    fields, after a line with the column names: nothing is wrapped or cut off.
    """
    words = [[_text(value) for value in row] for row in rows]
    if not sys.stdout.isatty():
        for row in [list(columns), *words]:
            sys.stdout.write("\t".join(row) + "\n")
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


def _is_number(word: str) -> bool:
    return not word or word.replace(",", "").replace(".", "").isdecimal()


def _text(value: object) -> str:
    return "" if value is None else one_line(str(value))
