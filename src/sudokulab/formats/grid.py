"""Grids with a row per line, framed or not, as pasted from other programs.

Boxes may be separated by gaps or bars, bands by blank lines or lines of dashes. Cells are single characters, or numbers
separated by spaces. Spaces are blanks in rows of digits and spaces that have the length of a row. Bars and gaps show
the box shape. Before a grid, lines of text and ``# name:`` give its name, other lines with ``#`` its comment::

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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import dropwhile, islice
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats import symbols
from sudokulab.formats.base import SIZES, Format, Record, Remarks, Text, comment_of, counted, one_line
from sudokulab.puzzle import MAX_SIZE, BoxShape, Puzzle

__all__ = ["FORMAT", "framed", "is_rule", "is_spaced", "read_grid", "tokens_of"]

_BARS = re.compile(r"[|!:│┃║╎╏┆┇┊┋]")
_RULE_CHARS = frozenset("-=+|!:*.'`, \t" + "".join(map(chr, range(0x2500, 0x2580))))
_DASHES = frozenset("-=─━═")
_BLANK_TOKENS = {*symbols.BLANKS, "-1", "x", "X"}
_DIGITS_OR_X = re.compile(r"[\dxX]+", re.ASCII)
_SPACED_ROW = re.compile(r"[1-9A-Za-z ]+")
_WIDE_BLANK_TOKENS = {"..", "00", "__", "**", "--"}
_NAME = "name:"
_COMMENT = "comment:"  # precedes a comment that would be read as a name


@dataclass(frozen=True)
class _Row:
    line: int
    raw: str

    @cached_property
    def groups(self) -> list[str]:
        """The text between the bars."""
        return [group for group in _BARS.split(self.raw) if group.strip()]

    @cached_property
    def tokens(self) -> list[str]:
        return tokens_of(self.raw)

    @cached_property
    def columns(self) -> list[int]:
        """The column of each cell."""
        text = _BARS.sub(" ", self.raw)
        return [column for column, char in enumerate(text, start=1) if not char.isspace()]

    @cached_property
    def chars(self) -> str:
        return "".join(self.tokens)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether the tokens are the numbers of a grid with as many columns."""
        num = len(self.tokens)
        is_wide = any(len(token) == 2 and token.isdecimal() and token != "00" for token in self.tokens)
        blanks = _BLANK_TOKENS | _WIDE_BLANK_TOKENS if is_wide else _BLANK_TOKENS
        return num in SIZES and all(
            token in blanks or (len(token) < 3 and token.isascii() and token.isdecimal() and int(token) <= num)
            for token in self.tokens
        )

    @cached_property
    def size(self) -> int:
        """The size of a grid with this row."""
        return len(self.tokens) if self.has_numbers else len(self.chars)

    @cached_property
    def is_prose(self) -> bool:
        """Whether the row is a line of words, not of cells."""
        if len(self.chars) in SIZES and _DIGITS_OR_X.fullmatch(self.chars):
            return False
        known = symbols.alphabet(min(len(self.chars), MAX_SIZE))
        num_letters = sum(char.isalpha() and char not in known and char.upper() not in known for char in self.chars)
        if 2 * num_letters > len(self.chars):
            return True
        has_word = re.search(r"[^\W\d_]{3}", self.raw) is not None
        return has_word and (len(self.chars) <= 9 or len({len(token) for token in self.tokens}) > 2)

    def box_cols(self) -> int:
        """Return the width of a box as shown by bars or gaps, 0 without any."""
        groups = self.groups if len(self.groups) > 1 else self.raw.split()
        widths = {len(group.split()) if self.has_numbers else len("".join(group.split())) for group in groups}
        return widths.pop() if len(widths) == 1 and len(groups) > 1 else 0


@dataclass
class _Grid:
    """A grid being read: its rows so far and the first error in them."""

    name: str = ""
    remarks: Remarks = field(default_factory=Remarks)
    rows: list[_Row] = field(default_factory=list)
    error: FormatError | None = None
    has_gaps: bool = False  # blank lines between its bands
    is_double_spaced: bool = False  # blank lines between all its rows

    @property
    def size(self) -> int:
        return self.rows[0].size if self.rows else 0

    @property
    def box(self) -> BoxShape | None:
        """The box shape shown by bars or gaps, None without any."""
        cols = self.rows[0].box_cols()
        if cols < 2 or self.size % cols or self.size // cols < 2:
            return None
        return BoxShape(self.size // cols, cols)

    @property
    def band_height(self) -> int:
        return (self.box or BoxShape.of_size(self.size)).rows

    def add(self, text: Text, row: _Row) -> None:
        if not self.rows and row.size not in SIZES:
            advice = "use rows of 4, 6, 8, 9, 10, 12, … cells"
            self.error = text.error(f"found a row of {counted(row.size, 'cell')}", advice, column=row.columns[0])
        self.rows.append(row)
        if self.error is None and self.size not in (len(row.chars), len(row.tokens)):
            problem = f"row {len(self.rows)} has {counted(len(row.chars), 'cell')}"
            self.error = text.error(problem, f"use {self.size} as in the first row", column=row.columns[0])

    def puzzle(self, text: Text) -> Record:
        rows, size = self.rows, self.size
        line, column = rows[0].line, rows[0].columns[0]
        if self.error:
            return self.error
        if any(row.has_numbers and any(len(token) > 1 for token in row.tokens) for row in rows):
            tokens = [token for row in rows for token in row.tokens]
            cells = bytes(int(token) if token.isdecimal() and len(token) < 3 else 0 for token in tokens)
            return text.puzzle(
                cells, box=self.box, name=self.name, comment=self.remarks.join(), line=line, column=column
            )
        for row in rows:
            if len(row.chars) != size:
                problem = f"found a row of {counted(len(row.chars), 'cell')}"
                return text.error(problem, f"use {size} as in the first row", line=row.line, column=row.columns[0])
        chars = "".join(row.chars for row in rows)
        index = symbols.unknown_symbol(chars, size)
        if index >= 0:
            row = rows[index // size]
            return text.symbol_error(chars[index], size, line=row.line, column=row.columns[index % size])
        decoded = symbols.decode(chars, size) or b""
        return text.puzzle(decoded, box=self.box, name=self.name, comment=self.remarks.join(), line=line, column=column)


def tokens_of(row: str) -> list[str]:
    """Return the words of a row without its bars."""
    return _BARS.sub(" ", row).split()


def read(text: Text) -> Iterator[Record]:
    """Read one grid after the other."""
    num_read = 0
    while (record := read_grid(text)) is not None:
        num_read += 1
        yield record
    if not num_read:
        yield text.error("no puzzle found", "write a grid, or one puzzle per line with one character per cell", line=1)


def read_grid(text: Text) -> Record | None:
    """Read the next grid; None at the end of the text or at a section header in brackets."""
    grid = _Grid()
    dash_is_blank = _uses_dash(text)
    while (line := text.peek_line()) is not None:
        if line.startswith("["):
            break
        if not grid.rows and (size := _spaced_size(text.peek())):
            return _read_spaced(text, size, grid)
        if not line.strip():
            text.next_line()
            if len(grid.rows) == 1:
                grid.is_double_spaced = True
            elif grid.rows and not grid.is_double_spaced:
                if len(grid.rows) % grid.band_height != 0:
                    return _give_up_at_gap(text, grid)
                grid.has_gaps = True
            continue
        row = _Row(text.line + 1, line)
        if is_rule(line) and not (dash_is_blank and _is_row_of_dashes(row, grid)):
            text.next_line()
            continue
        is_title = line.lstrip().startswith("#") or row.is_prose
        if is_title and grid.rows:
            break
        text.next_line()
        if is_title:
            _add_title(grid, line)
        elif row.chars:
            grid.add(text, row)
            if len(grid.rows) == grid.size:
                return grid.puzzle(text)
            if grid.error and grid.size not in SIZES:
                _skip(text, lambda line: not line.strip())
                return grid.error
    if not grid.rows:
        return None
    return grid.error or text.length_error(len(grid.rows), grid.size, line=text.line + 1)


def is_spaced(text: Text) -> bool:
    """Return whether a text begins with a grid whose blanks are spaces."""
    return _spaced_size(dropwhile(lambda line: not line or line.startswith("#"), text.peek())) > 0


def _spaced_size(lines: Iterator[str]) -> int:
    """Return the size of the grid in the next lines if its blanks are spaces, otherwise 0.

    Rows may lack spaces at their ends, but the grid must not be readable as one with gaps: the number of digits differs
    between rows.
    """
    first = next(lines, "")
    size = len(first)
    if size not in SIZES or not _SPACED_ROW.fullmatch(first):
        return 0
    rows = [first, *islice(lines, size - 1)]
    are_rows = all(_SPACED_ROW.fullmatch(row) and (len(row) == size or 0 < len(row.rstrip()) < size) for row in rows)
    num_digits = {len("".join(row.split())) for row in rows} if are_rows and len(rows) == size else {0}
    if len(num_digits) == 1 and not num_digits.isdisjoint({0, *SIZES}):
        return 0
    chars = "".join(row.ljust(size)[:size] for row in rows).replace(" ", ".")
    return size if symbols.decode(chars, size) is not None else 0


def _read_spaced(text: Text, size: int, grid: _Grid) -> Record:
    first_line = text.line + 1
    chars = "".join((text.next_line() or "").ljust(size)[:size] for _ in range(size)).replace(" ", ".")
    cells = symbols.decode(chars, size) or b""
    return text.puzzle(cells, name=grid.name, comment=grid.remarks.join(), line=first_line)


def _add_title(grid: _Grid, line: str) -> None:
    if not line.lstrip().startswith("#"):
        grid.name = line.strip()
        return
    remark = line.lstrip().removeprefix("#").strip()
    if remark.startswith(_NAME):
        grid.name = remark.removeprefix(_NAME).strip()
    else:
        grid.remarks.add(remark.removeprefix(_COMMENT).strip())


def _give_up_at_gap(text: Text, grid: _Grid) -> FormatError:
    """Return the error for missing rows, and skip to the next grid.

    It begins here if blank lines only separate grids. If they also separate bands, it can only begin after a title.
    """
    error = grid.error or text.length_error(len(grid.rows), grid.size)
    if grid.has_gaps or len(grid.rows) < grid.band_height:
        _skip(text, lambda line: _Row(0, line).is_prose)
    return error


def _skip(text: Text, is_end: Callable[[str], bool]) -> None:
    """Skip lines up to an end, a remark or a section header."""
    while (line := text.peek_line()) is not None and not (line.startswith(("#", "[")) or is_end(line)):
        text.next_line()


def is_rule(line: str) -> bool:
    """Return whether a line is part of a frame."""
    return _RULE_CHARS.issuperset(line) and not _DASHES.isdisjoint(line)


def _is_row_of_dashes(row: _Row, grid: _Grid) -> bool:
    """Return whether a line of dashes is a row of blanks: it has the shape of the row before it."""
    if set(row.chars) != {"-"} or len(row.chars) not in SIZES:
        return False
    if not grid.rows:
        return len(row.groups) == 1
    has_shape = len(row.groups) == len(grid.rows[-1].groups) and len(row.chars) == grid.size
    return has_shape and (len(row.groups) == 1 or len(grid.rows) % grid.band_height != 0)


def _uses_dash(text: Text) -> bool:
    """Return whether ``-`` is a blank in the coming grid, which has it between digits."""
    rows = (_Row(0, line) for line in islice(text.peek(), 2 * MAX_SIZE) if "-" in line and not line.startswith("#"))
    return any(not row.is_prose and any(char.isalnum() for char in row.chars) for row in rows)


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write framed grids separated by blank lines."""
    for number, puzzle in enumerate(puzzles):
        if number:
            stream.write("\n")
        if puzzle.name:
            stream.write(f"# {_NAME} {one_line(puzzle.name)}\n")
        if comment := comment_of(puzzle):
            is_like_name = comment.startswith((_NAME, _COMMENT))
            stream.write(f"# {_COMMENT} {comment}\n" if is_like_name else f"# {comment}\n")
        for row in framed(puzzle):
            stream.write(f"{row}\n")


def framed(puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines of a grid with bars and dashes between the boxes."""
    text, size, box = puzzle.line, puzzle.size, puzzle.box
    for row in range(size):
        if row and row % box.rows == 0:
            yield "-+-".join("-".join("-" * box.cols) for _ in range(box.rows))
        chars = text[row * size : (row + 1) * size]
        yield " | ".join(" ".join(chars[col : col + box.cols]) for col in range(0, size, box.cols))


FORMAT = Format("grid", "a grid with a row per line, framed or not", (".grid",), read, write)
