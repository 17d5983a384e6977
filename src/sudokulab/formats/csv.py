"""Comma-separated values: a puzzle per row, or the cells of a grid as exported from a spreadsheet.

The header names the columns (see `columns`): ``puzzle`` or ``quizzes``, ``solution`` or ``solutions``, ``id`` or
``name``. All other columns are kept in the comment. Without a header, puzzle and solution are found by their content.
Semicolons and tabs may take the place of commas, and fields in quotes may contain line breaks. See `spreadsheet` for
grids with a cell per column.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats import spreadsheet
from sudokulab.formats.base import (
    LONGEST_LINE,
    Format,
    Record,
    Text,
    column_of,
    comment_of,
    counted,
    one_line,
    placeholder,
    plain_puzzle,
    read_pair,
    size_of,
)
from sudokulab.formats.columns import HEADER, PUZZLE, Columns, MissingColumnError, index_of, named_columns
from sudokulab.formats.symbols import decode, encode

__all__ = [
    "FORMAT",
    "TSV",
    "delimiter_of",
    "field_of",
    "find_columns",
    "is_header",
    "is_row",
    "read_fields",
    "read_rows",
    "record_fields",
    "value_of",
]

_SHORTEST_GRID = 16  # characters: shorter numbers are no grids
_VALUES = "write comma-separated values, with two quotation marks for one inside a field"
_LONG_ROW = f"write at most {LONGEST_LINE - 1:,} characters in a row"
_UNSAFE = re.compile('[,;\t"\r\n]')
_FIELD = re.compile('[^"]*|"(?:[^"]|"")*"')


def is_header(line: str, following: str) -> bool:
    """Return whether a line is a header that names a column of puzzles, by itself or because a grid follows."""
    names = [name.strip().strip('"') for name in line.split(_delimiter_of(line))]
    if index_of(names, PUZZLE) is None:
        return False
    if len(names) > 1:
        return not _is_grid((line.split() or [""])[0])  # else a puzzle with a name that mentions puzzles
    return _is_grid(following.strip().strip('"'))


def is_row(line: str) -> bool:
    """Return whether a line is a row with a grid in it, and not a puzzle with a name in the line format."""
    fields = line.split(_delimiter_of(line))
    if len(fields) < 2 or _is_grid(line.split()[0]):
        return False
    if not _is_grid(fields[0]):
        return any(_is_grid(field.strip('"')) for field in fields)
    return len(fields) > 2 and len(fields[1]) == len(fields[0]) and _is_grid(fields[1])


def _is_grid(text: str) -> bool:
    size = size_of(len(text))
    return size > 0 and decode(text, size) is not None


def _delimiter_of(line: str) -> str:
    return spreadsheet.delimiter_of(line) or ","


def read(text: Text, delimiter: str | None = None) -> Iterator[Record]:
    """Read a puzzle from each row, or from the cells of several rows.

    Raises
    ------
    MissingColumnError
        If no column is named for puzzles.
    """
    if spreadsheet.is_grid(text, may_be_integers=True):
        yield from spreadsheet.read(text)
        return
    columns = find_columns(text, delimiter)
    if isinstance(columns, MissingColumnError):
        raise columns
    if isinstance(columns, FormatError):
        yield columns
    elif columns:
        yield from read_rows(text, columns)


def find_columns(text: Text, delimiter: str | None = None) -> Columns | FormatError | None:
    """Return the columns that the header names, or the content of the first row shows; None for an empty text.

    Consumes everything before the first row. By default, the delimiter is found in the first line.
    """
    while (line := text.next_line()) is not None:
        if not line.strip() or line.startswith("#"):
            continue
        delimiter = delimiter or _delimiter_of(line)
        parsed = _parsed(text, line, delimiter)
        if isinstance(parsed, FormatError):
            return parsed
        row, raw = parsed
        if columns := named_columns(row, text.column, delimiter):
            return replace(columns, header=tuple(_raw_fields(raw, delimiter)))
        if text.column is None and (columns := _columns_by_content(row, delimiter)):
            text.put_back(line)
            return columns
        return MissingColumnError.of(text, row)
    return None


def _columns_by_content(row: list[str], delimiter: str) -> Columns | None:
    """Return the columns of a row without a header: grids by their form, then name and comment by their order."""
    grids = [index for index, field in enumerate(row) if _is_grid(field.strip())]
    if not grids:
        return None
    size = size_of(len(row[grids[0]].strip()))
    puzzle = next((index for index in grids if 0 in (decode(row[index].strip(), size) or b"")), grids[0])
    solution = next((index for index in grids if index != puzzle), None)
    rest = [index for index in range(len(row)) if index not in (puzzle, solution)]
    name, comment = [*rest[:2], None, None][:2]
    others = tuple((index, f"column {index + 1}") for index in rest[2:])
    return Columns(len(row), puzzle, solution, name, comment, others, delimiter=delimiter)


def read_rows(text: Text, columns: Columns) -> Iterator[Record]:
    """Read a puzzle from each row after the header."""
    text.table = columns
    for line in text:
        if line.strip():
            yield _read_row(text, line, columns)


def _parsed(text: Text, line: str, delimiter: str) -> tuple[list[str], str] | FormatError:
    """Return the fields of a row and the row as it is.

    A row takes further lines from the text if a field in quotes goes on there.
    """
    lines, ends = [line], [text.line_end]

    def following() -> Iterator[str]:
        yield line + text.line_end
        num_chars = len(line)
        while num_chars < LONGEST_LINE and (more := text.next_line()) is not None:
            num_chars += len(more) + 1
            lines.append(more)
            ends.append(text.line_end)
            yield more + text.line_end

    try:
        row = next(csv.reader(following(), strict=True, delimiter=delimiter))
    except csv.Error as error:
        for more in reversed(lines[1:]):
            text.put_back(more)
        is_large = "limit" in str(error)
        return text.error(str(error) if is_large else "found a quotation mark in the wrong place", _VALUES)
    return row, "".join(line + end for line, end in zip(lines, [*ends[:-1], ""], strict=True))


def _raw_fields(row: str, delimiter: str) -> list[str]:
    """Split a valid row into its fields as they are, quotes included."""
    if '"' not in row:
        return row.split(delimiter)
    pattern = rf'("(?:[^"]|"")*"|[^{delimiter}]*){delimiter}'
    return re.findall(pattern, row + delimiter)


def _read_row(text: Text, line: str, columns: Columns) -> Record:
    text.fields = ()
    first_line = text.line
    if len(line) >= LONGEST_LINE:
        return text.error("found a row that is too long", _LONG_ROW)
    if '"' in line or "\r" in line:
        parsed = _parsed(text, line, columns.delimiter)
        if isinstance(parsed, FormatError):
            row = line.split(columns.delimiter)
            text.fields = [field if _FIELD.fullmatch(field) else field_of(field) for field in row]
            parsed.name = one_line(value_of(_name_in(row, columns)))
            return parsed
        row, raw = parsed
    else:
        row, raw = line.split(columns.delimiter), line
    if text.keeps_rows:
        text.fields = _raw_fields(raw, columns.delimiter)
    name = _name_in(row, columns)
    record = _read_fields(text, row, columns, line, name, first_line)
    if isinstance(record, FormatError):
        record.name = one_line(name)
    return record


def _name_in(row: list[str], columns: Columns) -> str:
    return "" if columns.name is None or columns.name >= len(row) else row[columns.name]


def _read_fields(text: Text, row: list[str], columns: Columns, line: str, name: str, first_line: int) -> Record:
    if len(row) != columns.count:
        wrong = counted(abs(columns.count - len(row)), "field")
        advice = "write a field for each column of the header"
        few = "few" if len(row) < columns.count else "many"
        return text.error(f"found a row with {wrong} too {few}", advice, line=first_line)
    solution = "" if columns.solution is None else row[columns.solution]
    return read_fields(text, row[columns.puzzle], solution, name, _comment(row, columns), line, first_line)


def read_fields(
    text: Text, puzzle: str, solution: str, name: str = "", comment: str = "", line: str = "", number: int | None = None
) -> Record:
    """Read a puzzle from the fields of a row.

    Parameters
    ----------
    text
        Where the row comes from.
    puzzle, solution, name, comment
        The fields; empty if they are missing.
    line
        The first line of the row, to find the columns of errors.
    number
        The number of this line, for errors.
    """
    if len(puzzle) == 81 and len(solution) in (0, 81) and text.box is None and "box=" not in comment:
        both = puzzle + solution  # the common case, in a third of the time
        cells, solved = decode(puzzle, 9, both), decode(solution, 9, both)
        if cells is not None and solved is not None:
            return plain_puzzle(cells, name, comment, plain_puzzle(solved) if solved else None)
    puzzle, solution = _trimmed(puzzle), _trimmed(solution)

    def read(value: str, like: str) -> bytes | FormatError:
        start = 0 if value is puzzle else column_of(line, puzzle) - 1 + len(puzzle)
        return text.cells(value, like=like, column=column_of(line, value, start), line=number)

    pair = read_pair(text, read, puzzle, solution)
    if isinstance(pair, FormatError):
        return pair
    cells, stated, remark = pair
    comment = "; ".join(filter(None, (comment, remark)))
    return text.puzzle(cells, name=name, comment=comment, solution=stated, line=number)


def _comment(row: list[str], columns: Columns) -> str:
    if columns.comment is None and not columns.others:
        return ""
    remarks = [] if columns.comment is None else [row[columns.comment]]
    remarks += [f"{key}={row[index]}" for index, key in columns.others if row[index]]
    return "; ".join(filter(None, remarks))


def _trimmed(field: str) -> str:
    """Strip a field unless the spaces are blanks of a grid."""
    return field if len(field) == 81 else field.strip()


def field_of(value: str) -> str:
    """Return a text as a field of CSV: in quotes if necessary, or if it could be read as a number."""
    is_number = value.isdecimal() and len(value) >= _SHORTEST_GRID
    return '"' + value.replace('"', '""') + '"' if is_number or _UNSAFE.search(value) else value


def value_of(field: str) -> str:
    """Return the value of a field of CSV as it is in the file."""
    return field[1:-1].replace('""', '"') if field[:1] == '"' else field


def record_fields(record: Record, number: int) -> list[str]:
    """Return the fields of a puzzle, or of an unreadable one at this position, in the order of `HEADER`."""
    if isinstance(record, FormatError):
        return ["", "", field_of(one_line(record.name)), field_of(placeholder(number, record))]
    solution = encode(record.solution.cells, record.size) if record.solution else ""
    return [field_of(value) for value in (record.line, solution, one_line(record.name), comment_of(record))]


def write(records: Iterable[Record], stream: TextIO, delimiter: str = ",") -> None:
    """Write a header and a row for each puzzle."""
    stream.write(f"{delimiter.join(HEADER)}\n")
    for number, record in enumerate(records, start=1):
        stream.write(f"{delimiter.join(record_fields(record, number))}\n")


def delimiter_of(format: Format) -> str | None:
    """Return the character between the columns of a format; None if the first line of a file shows it."""
    return "\t" if format is TSV else None


FORMAT = Format(
    "csv",
    "comma-separated values: puzzle and solution, or a cell per column",
    (".csv",),
    read,
    write,
    has_placeholders=True,
)
TSV = replace(
    FORMAT,
    name="tsv",
    title="tab-separated values, with the columns of csv",
    extensions=(".tsv",),
    read=partial(read, delimiter="\t"),
    write=partial(write, delimiter="\t"),
)
