"""SadMan collections: one puzzle per line with ``0`` for a blank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats import line
from sudokulab.formats.base import Format, Record, blank_as_zero, placeholder

__all__ = ["FORMAT"]


def write(records: Iterable[Record], stream: TextIO) -> None:
    """Write one puzzle per line."""
    for number, record in enumerate(records, start=1):
        if isinstance(record, FormatError):
            stream.write(f"# {placeholder(number, record)}\n")
        else:
            stream.write(f"{blank_as_zero(record)}{line.write_line(record)[len(record.cells) :]}\n")


FORMAT = Format("sdm", "SadMan collection, one puzzle per line", (".sdm",), line.read, write, has_placeholders=True)
