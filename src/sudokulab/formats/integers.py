"""Integers parted by spaces, tabs or commas, any size: a row on each line, or a whole grid on one.

A blank is ``0``, ``-1``, ``.``, ``_`` or ``*``. Brackets are taken for spaces, so that printed lists and arrays can be
pasted. What follows ``#`` is a comment.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats.base import SIZES, Format, Record, Text, one_line
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT", "is_row", "read_row"]

_TOKEN = re.compile(r"[^\s,;|()\[\]{}]+")
_BLANKS = {"0", "-1", ".", "_", "*"}


def is_row(line: str) -> bool:
    """Tell whether a line can be nothing else than integers."""
    tokens = _TOKEN.findall(line.partition("#")[0])
    are_numbers = [len(token) < 4 and token.isascii() and token.lstrip("-").isdecimal() for token in tokens]
    has_numbers = all(are_numbers) or "," in line or any(len(token) > 1 for token in tokens)
    return (
        len(tokens) >= 4
        and "|" not in line
        and has_numbers
        and all(is_number or token in _BLANKS for token, is_number in zip(tokens, are_numbers, strict=True))
    )


def read(text: Text) -> Iterator[Record]:
    """Read one grid after the other."""
    while (record := _read_grid(text)) is not None:
        yield record


def _read_grid(text: Text) -> Record | None:
    numbers: list[int] = []
    comments: list[str] = []
    first_line = size = 0
    for line in text:
        body, _, comment = line.partition("#")
        comments += [comment.strip()] * bool(comment.strip())
        row = read_row(text, body)
        if isinstance(row, FormatError):
            return row
        if not row:
            continue
        if not size:
            first_line = text.line
            size = _grid_size(row, text)
            if size not in SIZES:
                return text.error(
                    f"{len(row)} integers", "a row of 4, 6, 8, 9, … or a grid of 16, 36, 64, 81, … integers"
                )
        numbers += row
        if len(row) != size and len(numbers) != size * size:
            return text.error(f"a row of {len(row)} integers", f"{size} as in the first row")
        if len(numbers) == size * size:
            if max(numbers) > size:
                return text.error(f"digit {max(numbers)} in a grid of size {size}", f"0 to {size}", line=first_line)
            return text.puzzle(bytes(numbers), comment=" ".join(comments), line=first_line)
    if not size:
        return None
    return text.error(f"the text ends after {len(numbers)} integers", f"{size * size}", line=text.line + 1)


def read_row(text: Text, line: str) -> list[int] | FormatError:
    """Read the integers of a line, 0 for a blank."""
    row = []
    for match in _TOKEN.finditer(line):
        token = match[0]
        if token in _BLANKS:
            row.append(0)
        elif token.isascii() and token.isdecimal() and len(token) < 4:
            row.append(int(token))
        else:
            return text.error(
                f"{token[:20]!r} is no digit", "an integer, 0 or -1 for a blank", column=match.start() + 1
            )
    return row


def _grid_size(row: list[int], text: Text) -> int:
    """Return the size of the grid that begins with this row: the row's length, or its root if it is the whole grid."""
    if text.box:
        return text.box.size
    root = math.isqrt(len(row))
    if root * root != len(row) or root not in SIZES:
        return len(row)
    if len(row) not in SIZES:
        return root
    # 16, 36 and 64 integers can be either: a row holds larger digits somewhere in its grid
    tokens = (token for line in islice(text.peek(), len(row)) for token in _TOKEN.findall(line.partition("#")[0]))
    digits = [*row, *(int(token) for token in tokens if token.isascii() and token.isdecimal() and len(token) < 4)]
    return len(row) if max(digits) > root else root


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write a row a line, an empty line between grids."""
    for number, puzzle in enumerate(puzzles):
        if number:
            stream.write("\n")
        comment = one_line(f"{puzzle.name} {puzzle.comment}")
        if comment:
            stream.write(f"# {comment}\n")
        for row in puzzle.givens.tolist():
            stream.write(" ".join(map(str, row)) + "\n")


FORMAT = Format("integers", "integers parted by spaces or commas", (".ints",), read, write)
