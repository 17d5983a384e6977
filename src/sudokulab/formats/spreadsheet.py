"""Grids exported from spreadsheets: a row of cells per line, separated by commas, semicolons or tabs.

::

    5,3,,,7,,,,
    6,,,1,9,5,,,
    ,9,8,,,,,6,

Empty cells are blanks. Grids may be separated by blank lines, by rows without any digit, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from sudokulab.errors import FormatError
from sudokulab.formats import symbols
from sudokulab.formats.base import SIZES, Record, Text, counted
from sudokulab.puzzle import MAX_SIZE

__all__ = ["delimiter_of", "is_grid", "read"]

_DELIMITERS = ",;\t"
_INTEGRAL = re.compile(r"(?<=\d)\.0$")  # 5.0, as pandas writes a column with empty cells
_MOST_ROWS = 4 * MAX_SIZE  # lookahead to decide whether an empty row is part of a grid
_BLANKS = {"", "0", "-1", *symbols.BLANKS, "x", "X"}


def is_grid(text: Text, *, may_be_integers: bool = False) -> bool:
    """Return whether a text begins with the rows of a grid.

    Rows of integers alone are left to the format ``integers``, unless `may_be_integers`.
    """
    rows: list[list[str]] = []
    for line in islice((line for line in text.peek() if line.strip(" ") and not line.startswith("#")), MAX_SIZE):
        delimiter = delimiter_of(line)
        row = _split(line, delimiter) if delimiter else []
        if len(row) not in SIZES or (rows and len(row) != len(rows[0])) or not all(map(_is_cell, row)):
            break
        rows.append(row)
        if len(rows) == len(row):
            break
    if may_be_integers and rows and len(rows) == len(rows[0]):
        return True
    return any(cell in ("", "?", "x", "X") for row in rows for cell in row)


def delimiter_of(line: str) -> str | None:
    """Return the character that separates the cells of a line: a comma, else a semicolon, else a tab."""
    return next((delimiter for delimiter in _DELIMITERS if delimiter in line), None)


def _split(line: str, delimiter: str) -> list[str]:
    return [_INTEGRAL.sub("", cell.strip().strip('"')) for cell in line.split(delimiter)]


def _is_cell(cell: str) -> bool:
    return cell in _BLANKS or (len(cell) < 3 and cell.isascii() and (cell.isdecimal() or len(cell) == 1))


def read(text: Text) -> Iterator[Record]:
    """Read one grid after the other."""
    while (line := text.peek_line()) is not None:
        if not line.strip(" ") or line.startswith("#"):
            text.next_line()
        elif not _skip_separator(text, line):
            yield _read_grid(text)


def _read_grid(text: Text) -> Record:
    first_line = text.line + 1
    delimiter = delimiter_of(text.peek_line() or "") or ","
    lines: list[str] = []
    rows: list[list[str]] = []
    while (line := text.peek_line()) is not None and line.strip(" "):
        row = _split(line, delimiter)
        size = len(rows[0]) if rows else len(row)
        if len(row) != size or size not in SIZES:
            text.next_line()
            advice = f"use {size} as in the first row" if rows else "use rows of 4, 6, 8, 9, 10, 12, … cells"
            return _skip_rest(text, text.error(f"found a row of {counted(len(row), 'cell')}", advice))
        text.next_line()
        lines.append(line)
        rows.append(row)
        if (bad := next((index for index, cell in enumerate(row) if not _is_cell(cell)), None)) is not None:
            column = _column(line, delimiter, bad)
            error = text.error(f"found {row[bad][:20]!r} in a cell", "use a digit or an empty cell", column=column)
            return _skip_rest(text, error)
        if len(rows) == size:
            record = _puzzle(text, rows, first_line)
            if isinstance(record, FormatError):  # its column is the number of a cell so far
                record.column = _column(lines[record.line - first_line], delimiter, record.column - 1)
            return record
    return text.length_error(len(rows), len(rows[0]), line=text.line + 1)


def _column(line: str, delimiter: str, index: int) -> int:
    """Return the column, from 1, where a cell begins."""
    return len("".join(f"{cell}{delimiter}" for cell in line.split(delimiter)[:index])) + 1


def _puzzle(text: Text, rows: list[list[str]], first_line: int) -> Record:
    """Return the puzzle, or an error whose column is the number of the cell in its row."""
    cells, size = [cell for row in rows for cell in row], len(rows)
    if any(len(cell) == 2 and cell.isdecimal() for cell in cells):
        digits = [0 if cell in _BLANKS else int(cell) if cell.isdecimal() else MAX_SIZE + 1 for cell in cells]
        if max(digits) > size:
            index = digits.index(max(digits))
            problem, advice = f"found {cells[index]!r} in a {size}×{size} grid", f"use 1 to {size} or an empty cell"
            return text.error(problem, advice, line=first_line + index // size, column=index % size + 1)
        return text.puzzle(bytes(digits), line=first_line)
    blanks = ("", "-1") if "X" in symbols.alphabet(size) else ("", "-1", "x", "X")
    chars = "".join("." if cell in blanks else cell for cell in cells)
    index = symbols.unknown_symbol(chars, size)
    if index >= 0:
        return text.symbol_error(chars[index], size, column=index % size + 1, line=first_line + index // size)
    return text.puzzle(symbols.decode(chars, size) or b"", line=first_line)


def _skip_rest(text: Text, error: FormatError) -> FormatError:
    """Skip the rest of an unreadable grid, up to a blank line."""
    while (line := text.peek_line()) is not None and line.strip(f'{_DELIMITERS} "'):
        text.next_line()
    return error


def _skip_separator(text: Text, line: str) -> bool:
    """Skip a row without digits, unless it is the first row of a grid; return whether it was skipped."""
    if not _is_empty(line):
        return False
    size = len(_split(line, delimiter_of(line) or ","))
    rows = list(takewhile(lambda line: line.strip(" "), islice(text.peek(), _MOST_ROWS)))
    if len(rows) <= size:
        is_separator = len(rows) < size and all(map(_is_empty, rows))
    elif len(rows) < _MOST_ROWS and len(rows) % size == 0:
        is_separator = False  # grids without separators
    else:
        is_separator = len(rows) == size + 1 or _is_empty(rows[size + 1])
    if is_separator:
        text.next_line()
    return is_separator


def _is_empty(line: str) -> bool:
    return bool(line.strip(" ")) and not line.strip(f'{_DELIMITERS} "')
