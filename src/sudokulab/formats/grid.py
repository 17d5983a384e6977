"""Grids over several lines, framed or not, as people paste them.

Rows may have gaps or bars between the boxes, rules and empty lines between the bands; cells are single characters or,
parted by spaces, numbers. Bars and gaps tell the box shape. Lines behind ``#`` before a grid are its comment, but for
its
name, which a line of other text gives as well::

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
from itertools import islice
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats import symbols
from sudokulab.formats.base import SIZES, Format, Record, Remarks, Text, comment_of, one_line
from sudokulab.puzzle import MAX_SIZE, BoxShape, Puzzle

__all__ = ["FORMAT", "framed", "is_rule", "read_grid"]

_BARS = re.compile(r"[|!:│┃║╎╏┆┇┊┋]")
_RULE_CHARS = frozenset("-=+|!:*.'`, \t" + "".join(map(chr, range(0x2500, 0x2580))))
_DASHES = frozenset("-=─━═")
_BLANK_TOKENS = {".", "0", "_", "*", "-", "-1"}
_WIDE_BLANK_TOKENS = {"..", "00", "__", "**", "--"}
_NAME = "name:"
_COMMENT = "comment:"  # before a comment that would be taken for a name


@dataclass(frozen=True)
class _Row:
    line: int
    raw: str

    @cached_property
    def groups(self) -> list[str]:
        """What stands between the bars."""
        return [group for group in _BARS.split(self.raw) if group.strip()]

    @cached_property
    def tokens(self) -> list[str]:
        return " ".join(self.groups).split()

    @cached_property
    def columns(self) -> list[int]:
        """The column of each character that is a cell."""
        text = _BARS.sub(" ", self.raw)
        return [column for column, char in enumerate(text, start=1) if not char.isspace()]

    @cached_property
    def chars(self) -> str:
        return "".join(self.tokens)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether each token is a number of a grid that has as many columns as there are tokens."""
        num = len(self.tokens)
        is_wide = any(len(token) == 2 and token.isdecimal() and token != "00" for token in self.tokens)
        blanks = _BLANK_TOKENS | _WIDE_BLANK_TOKENS if is_wide else _BLANK_TOKENS
        return num in SIZES and all(
            token in blanks or (len(token) < 3 and token.isascii() and token.isdecimal() and int(token) <= num)
            for token in self.tokens
        )

    @cached_property
    def size(self) -> int:
        """The size of a grid that begins with this row."""
        return len(self.tokens) if self.has_numbers else len(self.chars)

    @cached_property
    def is_prose(self) -> bool:
        """Whether it is words, not cells: letters that are no digits of a grid as wide, or words of several lengths."""
        known = symbols.alphabet(min(len(self.chars), MAX_SIZE))
        num_letters = sum(char.isalpha() and char not in known and char.upper() not in known for char in self.chars)
        if 2 * num_letters > len(self.chars):
            return True
        has_word = re.search(r"[^\W\d_]{3}", self.raw) is not None
        return has_word and (len(self.chars) <= 9 or len({len(token) for token in self.tokens}) > 2)

    def box_cols(self) -> int:
        """Return the width of a box as bars or gaps show it, 0 if they do not."""
        groups = self.groups if len(self.groups) > 1 else self.raw.split()
        widths = {len(group.split()) if self.has_numbers else len("".join(group.split())) for group in groups}
        return widths.pop() if len(widths) == 1 and len(groups) > 1 else 0


@dataclass
class _Grid:
    """A grid being read: its rows so far, and the first thing that was wrong with them."""

    name: str = ""
    remarks: Remarks = field(default_factory=Remarks)
    rows: list[_Row] = field(default_factory=list)
    error: FormatError | None = None
    has_gaps: bool = False  # empty lines between its bands
    is_double_spaced: bool = False  # empty lines between all its rows

    @property
    def size(self) -> int:
        return self.rows[0].size if self.rows else 0

    @property
    def box(self) -> BoxShape | None:
        """The shape that bars or gaps show, if they show one."""
        cols = self.rows[0].box_cols()
        if cols < 2 or self.size % cols or self.size // cols < 2:
            return None
        return BoxShape(self.size // cols, cols)

    @property
    def band_height(self) -> int:
        return (self.box or BoxShape.of_size(self.size)).rows

    def add(self, text: Text, row: _Row) -> None:
        if not self.rows and row.size not in SIZES:
            wanted = "a row of 4, 6, 8, 9, 10, 12, … cells"
            self.error = text.error(f"a row of {row.size} cells", wanted, column=row.columns[0])
        self.rows.append(row)
        if self.error is None and self.size not in (len(row.chars), len(row.tokens)):
            problem = f"row {len(self.rows)} has {len(row.chars)} cells"
            self.error = text.error(problem, f"{self.size} as in the first row", column=row.columns[0])

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
                return text.error(f"{len(row.chars)} cells", f"{size} cells", line=row.line, column=row.columns[0])
        chars = "".join(row.chars for row in rows)
        index = symbols.unknown_symbol(chars, size)
        if index >= 0:
            row = rows[index // size]
            return text.symbol_error(chars[index], size, line=row.line, column=row.columns[index % size])
        decoded = symbols.decode(chars, size) or b""
        return text.puzzle(decoded, box=self.box, name=self.name, comment=self.remarks.join(), line=line, column=column)


def read(text: Text) -> Iterator[Record]:
    """Read one grid after the other."""
    num_read = 0
    while (record := read_grid(text)) is not None:
        num_read += 1
        yield record
    if not num_read:
        yield text.error("no puzzle found", "a grid, or lines of 81 characters", line=1)


def read_grid(text: Text) -> Record | None:
    """Read the next grid; None at the end of the text. A section header in brackets is left to the caller."""
    grid = _Grid()
    dash_is_blank = _uses_dash(text)
    while (line := text.peek_line()) is not None:
        if line.startswith("["):
            break
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
    return grid.error or text.error(
        f"the text ends after {len(grid.rows)} rows", f"{grid.size} rows", line=text.line + 1
    )


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
    """Report that rows are missing, and go to where the next grid must begin.

    In a text whose grids have empty lines only between them that is here; otherwise nobody can tell before a title.
    """
    error = grid.error or text.error(f"the grid ends after {len(grid.rows)} rows", f"{grid.size} rows")
    if grid.has_gaps or len(grid.rows) < grid.band_height:
        _skip(text, lambda line: _Row(0, line).is_prose)
    return error


def _skip(text: Text, is_end: Callable[[str], bool]) -> None:
    """Pass over lines until one that ends it, a remark or a section."""
    while (line := text.peek_line()) is not None and not (line.startswith(("#", "[")) or is_end(line)):
        text.next_line()


def is_rule(line: str) -> bool:
    """Tell whether a line is part of a frame."""
    return _RULE_CHARS.issuperset(line) and not _DASHES.isdisjoint(line)


def _is_row_of_dashes(row: _Row, grid: _Grid) -> bool:
    """Tell a row of blanks from a rule, both nothing but dashes: it has the shape of the row before it."""
    if set(row.chars) != {"-"} or len(row.chars) not in SIZES:
        return False
    if not grid.rows:
        return len(row.groups) == 1
    has_shape = len(row.groups) == len(grid.rows[-1].groups) and len(row.chars) == grid.size
    return has_shape and (len(row.groups) == 1 or len(grid.rows) % grid.band_height != 0)


def _uses_dash(text: Text) -> bool:
    """Whether - stands for a blank in the coming grid: it does if it stands beside digits."""
    rows = (_Row(0, line) for line in islice(text.peek(), 2 * MAX_SIZE) if "-" in line and not line.startswith("#"))
    return any(not row.is_prose and any(char.isalnum() for char in row.chars) for row in rows)


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write framed grids, an empty line between them."""
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
    """Yield the lines of a grid with bars and rules between the boxes."""
    text, size, box = puzzle.line, puzzle.size, puzzle.box
    for row in range(size):
        if row and row % box.rows == 0:
            yield "-+-".join("-".join("-" * box.cols) for _ in range(box.rows))
        chars = text[row * size : (row + 1) * size]
        yield " | ".join(" ".join(chars[col : col + box.cols]) for col in range(0, size, box.cols))


FORMAT = Format("grid", "a grid over several lines, framed or not", (".grid",), read, write)
