"""Integers after two header lines: the order (box side) and the number 1; -1 for a blank.

This is the format of the instances published with the ant colony of Lloyd and Amos. It supports only square boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats.base import Format, Record, Text, counted
from sudokulab.formats.integers import read_row
from sudokulab.puzzle import BoxShape, Puzzle

__all__ = ["FORMAT"]


def read(text: Text) -> Iterator[Record]:
    """Read one grid after the other, each with its own header."""
    while (header := _next_line(text)) is not None:
        yield _read_grid(text, header)


def _read_grid(text: Text, header: str) -> Record:
    record = _read_headed(text, header)
    if isinstance(record, FormatError):
        # a line with one number is the next header
        while (line := text.peek_line()) is not None and len(line.split()) != 1:
            text.next_line()
    return record


def _read_headed(text: Text, header: str) -> Record:
    order = header.strip()
    if not (order.isascii() and order.isdecimal() and len(order) < 3 and 2 <= int(order) <= 8):
        return text.error(f"{order[:20]!r} is not an order", "use a box side from 2 to 8")
    size, first_line = int(order) ** 2, text.line
    second = (_next_line(text) or "").strip()
    if not (second.isascii() and second.isdecimal()):
        return text.error(f"found {second[:20]!r} in the second header line", "write the number 1")
    numbers: list[int] = []
    for _ in range(size):
        row = read_row(text, _next_line(text) or "")
        if isinstance(row, FormatError):
            return row
        if len(row) != size:
            return text.error(f"found a row of {counted(len(row), 'integer')}", f"use {size} for order {order}")
        if max(row) > size:
            return text.error(f"found {max(row)} in a {size}×{size} grid", f"use 1 to {size}, or -1")
        numbers += row
    return text.puzzle(bytes(numbers), box=BoxShape(int(order), int(order)), line=first_line)


def _next_line(text: Text) -> str | None:
    return next((line for line in text if line.strip() and not line.startswith("#")), None)


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write the header and rows of each puzzle."""
    for puzzle in puzzles:
        if puzzle.box.rows != puzzle.box.cols:
            raise PuzzleError(
                f"the format 'headed' does not support {puzzle.box.rows}×{puzzle.box.cols} boxes; choose another format"
            )
        stream.write(f"{puzzle.box.rows}\n1\n")
        for row in puzzle.givens.tolist():
            stream.write("\t".join(str(digit or -1) for digit in row) + "\n")


FORMAT = Format("headed", "integers after two header lines (order, 1), -1 for a blank", (), read, write)
