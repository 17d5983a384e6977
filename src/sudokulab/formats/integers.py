"""Integers separated by spaces, tabs or commas: a row per line, or a whole grid on one line.

A blank is ``0``, ``-1``, ``.``, ``_``, ``*``, ``?``, or ``x`` in a row without other blanks. Brackets are read as
spaces, so printed lists and arrays can be pasted. Comments begin with ``#``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats.base import SIZES, Format, Record, Remarks, Text, comment_of, counted, size_of
from sudokulab.puzzle import BoxShape, Puzzle

__all__ = ["FORMAT", "is_row", "read_row"]

_TOKEN = re.compile(r"[^\s,;|()\[\]{}]+")
_SIZE = re.compile(r"(?<!\S)size=([0-9]{1,2})(?!\S)")
_BLANKS = {"0", "-1", ".", "_", "*", "?", "x", "X"}
_AMBIGUOUS = {size * size for size in SIZES} & SIZES  # as many integers can be a row or a smaller grid


def is_row(line: str) -> bool:
    """Return whether a line can only be a row of integers."""
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
    comments = Remarks()
    first_line = size = 0
    has_gaps = False
    for line in text:
        body, _, comment = line.partition("#")
        comments.add(comment.strip())
        row = read_row(text, body)
        if isinstance(row, FormatError):
            width = size or len(_TOKEN.findall(body))
            _skip_grid(text, width, len(numbers) + width, has_gaps)
            return row
        if not row:
            if not line.strip() and numbers:
                band = size * BoxShape.of_size(size).rows
                if len(numbers) % band:
                    error = text.length_error(len(numbers) // size, size)
                    if has_gaps or len(numbers) < band:
                        _skip_to_remark(text)
                    return error
                has_gaps = True
            continue
        if not size:
            first_line = text.line
            size, comments = _stated_size(comments)
            size = size or _grid_size(row, text)
            if size not in SIZES:
                advice = "use a row of 4, 6, 8, 9, … or a grid of 16, 36, 64, 81, …"
                return text.error(f"found {counted(len(row), 'integer')}", advice)
        numbers += row
        if len(row) != size and len(numbers) != size * size:
            error = text.error(f"found a row of {counted(len(row), 'integer')}", f"use {size} as in the first row")
            _skip_grid(text, size, len(numbers) + size - len(row), has_gaps)
            return error
        if len(numbers) == size * size:
            if max(numbers) > size:
                return text.error(f"found {max(numbers)} in a {size}×{size} grid", f"use 0 to {size}", line=first_line)
            return text.puzzle(bytes(numbers), comment=comments.join(), line=first_line)
    if not size:
        return None
    return text.length_error(len(numbers) // size, size, line=text.line + 1)


def read_row(text: Text, line: str) -> list[int] | FormatError:
    """Return the integers of a line, 0 for a blank, or an error."""
    row = []
    tokens = set(_TOKEN.findall(line))
    blanks = tokens & (_BLANKS - {"x", "X"})
    if "0" in tokens and len(blanks) > 1:
        return text.error("found both 0 and another blank", "use digits from 1 and one kind of blank")
    for match in _TOKEN.finditer(line):
        token = match[0]
        if token in _BLANKS and not (token in "xX" and blanks):
            row.append(0)
        elif token.isascii() and token.isdecimal() and len(token) < 4:
            row.append(int(token))
        else:
            advice = "use an integer, or 0 or -1 for a blank"
            return text.error(f"{token[:20]!r} is not a digit", advice, column=match.start() + 1)
    return row


def _skip_grid(text: Text, size: int, num_read: int, has_gaps: bool) -> None:
    """Skip the rest of an unreadable grid: the missing rows, or everything up to a blank line."""
    num_rows = (size * size - num_read) // size if size else 0
    while num_rows > 0 and (line := text.peek_line()) is not None and (line.strip() or has_gaps):
        text.next_line()
        num_rows -= bool(line.strip())


def _skip_to_remark(text: Text) -> None:
    """Skip to the next line that begins with ``#``: before it, the start of a grid cannot be recognised."""
    while (line := text.peek_line()) is not None and not line.startswith("#"):
        text.next_line()


def _stated_size(comments: Remarks) -> tuple[int, Remarks]:
    """Return the size stated in the comments, 0 without one, and the comments without it.

    `write` states it last, for grids that could be mistaken for a row.
    """
    comment = comments.join()
    stated = list(_SIZE.finditer(comment))[-1:]
    if not stated:
        return 0, comments
    others = Remarks()
    others.add(f"{comment[: stated[0].start()]}{comment[stated[0].end() :]}".strip())
    return int(stated[0][1]), others


def _grid_size(row: list[int], text: Text) -> int:
    """Return the size of the grid that begins with this row, or that is this row."""
    if text.box:
        return text.box.size
    root = size_of(len(row))
    if not root:
        return len(row)
    if len(row) not in SIZES:
        return root
    # 16, 36 and 64 integers can be either, but a grid of this width has larger digits somewhere
    tokens = (token for line in islice(text.peek(), len(row)) for token in _TOKEN.findall(line.partition("#")[0]))
    digits = [*row, *(int(token) for token in tokens if token.isascii() and token.isdecimal() and len(token) < 4)]
    return len(row) if max(digits) > root else root


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write a row per line, with blank lines between grids."""
    for number, puzzle in enumerate(puzzles):
        if number:
            stream.write("\n")
        comment = comment_of(puzzle, head=puzzle.name)
        if puzzle.size in _AMBIGUOUS or _SIZE.search(comment):
            comment = f"{comment} size={puzzle.size}".strip()
        if comment:
            stream.write(f"# {comment}\n")
        for row in puzzle.givens.tolist():
            stream.write(" ".join(map(str, row)) + "\n")


FORMAT = Format("integers", "integers separated by spaces or commas", (".ints",), read, write)
