"""Grids over several lines, framed or not, as people paste them.

Rows may have gaps or bars between the boxes, rules and empty lines between the bands; cells are single characters or,
parted by spaces, numbers. Lines behind ``#`` before a grid are its comment, but for its name, which a line of other
text gives as well::

    # name: Grid 01
    # from a newspaper
    5 3 . | . 7 . | . . .
    6 . . | 1 9 5 | . . .
    . 9 8 | . . . | . 6 .
    ------+-------+------
    ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TextIO

from sudokulab import symbols
from sudokulab.errors import FormatError
from sudokulab.formats.base import SIZES, Format, Record, Text, one_line
from sudokulab.puzzle import MAX_SIZE, Puzzle

__all__ = ["FORMAT"]

_BARS = re.compile(r"[|!:│┃║╎╏┆┇┊┋]")
_RULE = re.compile(r"[\s|!:+*.'`,=─-╿-]*[-=─━═][\s|!:+*.'`,=─-╿-]*")
_NAME = "name:"
_BLANK_TOKENS = {".", "..", "0", "00", "_", "__", "*", "**", "-", "--", "-1"}


@dataclass(frozen=True)
class _Row:
    line: int
    text: str  # the line with its bars blanked out, so that columns stay what they were

    @cached_property
    def tokens(self) -> list[str]:
        return self.text.split()

    @cached_property
    def columns(self) -> list[int]:
        """The column of each character that is a cell."""
        return [column for column, char in enumerate(self.text, start=1) if not char.isspace()]

    @cached_property
    def chars(self) -> str:
        return "".join(self.tokens)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether each token is a number of a grid that has as many columns as there are tokens."""
        num = len(self.tokens)
        return num in SIZES and all(
            token in _BLANK_TOKENS or (len(token) < 3 and token.isascii() and token.isdecimal() and int(token) <= num)
            for token in self.tokens
        )


def read(text: Text) -> Iterator[Record]:
    """Read one grid after the other."""
    num_read = 0
    while (record := read_grid(text)) is not None:
        num_read += 1
        yield record
        if isinstance(record, FormatError):
            _skip_paragraph(text)
    if not num_read:
        yield text.error("no puzzle found", "a grid, or lines of 81 characters", line=1)


def read_grid(text: Text) -> Record | None:
    """Read the next grid; None at the end of the text."""
    name, comment = "", ""
    rows: list[_Row] = []
    size = 0
    dash_is_blank = _uses_dash(text)
    for line in text:
        if not line.strip() or (_is_rule(line) and not (dash_is_blank and _is_row_of_dashes(line))):
            continue
        row = _row(text.line, line)
        if not row.chars:
            continue
        if not rows:
            if line.lstrip().startswith("#"):
                remark = line.lstrip().removeprefix("#").strip()
                if remark.startswith(_NAME):
                    name = remark.removeprefix(_NAME).strip()
                else:
                    comment = f"{comment} {remark}".strip()
                continue
            if _is_prose(row):
                name = line.strip()
                continue
            size = len(row.tokens) if row.has_numbers else len(row.chars)
            if size not in SIZES:
                return text.error(
                    f"a row of {size} cells", "a row of 4, 6, 8, 9, 10, 12, … cells", column=row.columns[0]
                )
        if size not in (len(row.chars), len(row.tokens)):
            problem = f"row {len(rows) + 1} has {len(row.chars)} cells"
            return text.error(problem, f"{size} as in the first row", column=row.columns[0])
        rows.append(row)
        if len(rows) == size:
            return _puzzle(text, rows, name, comment)
    if not rows:
        return None
    return text.error(f"the text ends after {len(rows)} rows", f"{size} rows", line=text.line + 1)


def _puzzle(text: Text, rows: list[_Row], name: str, comment: str) -> Record:
    line, column = rows[0].line, rows[0].columns[0]
    if all(row.has_numbers for row in rows) and any(len(token) > 1 for row in rows for token in row.tokens):
        cells = bytes(0 if token in _BLANK_TOKENS else int(token) for row in rows for token in row.tokens)
        return text.puzzle(cells, name=name, comment=comment, line=line, column=column)
    size = len(rows)
    for row in rows:
        if len(row.chars) != size:
            return text.error(f"{len(row.chars)} cells", f"{size} cells", line=row.line, column=row.columns[0])
    chars = "".join(row.chars for row in rows)
    index = symbols.unknown_symbol(chars, size)
    if index >= 0:
        row = rows[index // size]
        return text.symbol_error(chars[index], size, line=row.line, column=row.columns[index % size])
    return text.puzzle(symbols.decode(chars, size) or b"", name=name, comment=comment, line=line, column=column)


def _row(number: int, line: str) -> _Row:
    return _Row(number, _BARS.sub(" ", line))


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None


def _is_row_of_dashes(line: str) -> bool:
    chars = "".join(_row(0, line).tokens)
    return set(chars) == {"-"} and len(chars) in SIZES


def _uses_dash(text: Text) -> bool:
    """Whether - stands for a blank in the coming grid: it does if it stands beside digits."""
    for number, line in enumerate(text.peek()):
        if "-" in line and any(char.isalnum() for char in line) and not line.lstrip().startswith("#"):
            return True
        if number == 64:
            break
    return False


def _is_prose(row: _Row) -> bool:
    """Whether most of a line is letters that are no digits of a grid as wide as the line."""
    known = symbols.alphabet(min(len(row.chars), MAX_SIZE))
    num_letters = sum(char.isalpha() and char not in known and char.upper() not in known for char in row.chars)
    return 2 * num_letters > len(row.chars)


def _skip_paragraph(text: Text) -> None:
    for line in text:
        if not line.strip():
            return


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write framed grids, an empty line between them."""
    for number, puzzle in enumerate(puzzles):
        if number:
            stream.write("\n")
        if puzzle.name:
            stream.write(f"# {_NAME} {one_line(puzzle.name)}\n")
        if puzzle.comment:
            stream.write(f"# {one_line(puzzle.comment)}\n")
        for row in framed(puzzle):
            stream.write(f"{row}\n")


def framed(puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines of a grid with bars and rules between the boxes."""
    text, size, box = str(puzzle), puzzle.size, puzzle.box
    for row in range(size):
        if row and row % box.rows == 0:
            yield "-+-".join("-".join("-" * box.cols) for _ in range(box.rows))
        chars = text[row * size : (row + 1) * size]
        yield " | ".join(" ".join(chars[col : col + box.cols]) for col in range(0, size, box.cols))


FORMAT = Format("grid", "a grid over several lines, framed or not", (".grid",), read, write)
