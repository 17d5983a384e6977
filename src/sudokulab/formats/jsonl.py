"""JSON lines: an object per line with ``puzzle`` and optionally ``box``, ``name``, ``comment`` and ``solution``.

The members of the puzzle, its solution and its name have the names that columns have in tables.

A grid is a string with one character per cell, or a list of integers, flat or nested. A line may also consist of such a
grid alone. Only this format keeps all properties of a puzzle::

    {"puzzle": "1.....3..4.....2", "box": "2x2", "name": "small"}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TextIO, cast

from sudokulab._internal.documents import parse_json
from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats.base import (
    LONGEST_NAME,
    UNPRINTABLE,
    Format,
    Record,
    Text,
    column_of,
    one_line,
    placeholder,
    read_pair,
)
from sudokulab.formats.columns import PUZZLE, SOLUTION, Columns, MissingColumnError, index_of
from sudokulab.formats.symbols import encode
from sudokulab.puzzle import MAX_SIZE, BoxShape, Puzzle

__all__ = ["FORMAT", "first_members", "read", "read_cells"]

_PLAIN_KEY = re.compile(r"[ !#-\[\]-~]*")


def read(text: Text, *, is_first: bool = True) -> Iterator[Record]:
    """Read a puzzle from each line that is neither empty nor a comment.

    Raises
    ------
    MissingColumnError
        If the user has named a column, and the first object has no such member.
    """
    for line in text:
        if line.strip() and not line.startswith("#"):
            yield _read_line(text, line, is_first=is_first)
            is_first = False


def first_members(text: Text) -> Columns | None:
    """Return the members of the first object of a text, None unless the core can read such objects."""
    if not isinstance(next(read(text, is_first=False), None), Puzzle):
        return None
    (value,) = cast(Sequence[dict[str, Any]], text.fields)
    keys = list(value)
    members = [_member(value, names) for names in (_wanted(text), ("id",), ("name",), ("box",))]
    puzzle, id, name, box = (None if member is None else keys.index(member) for member in members)
    name = name if id is None else id
    if puzzle is None or puzzle == name or not all(map(_PLAIN_KEY.fullmatch, keys)):
        return None
    header = tuple(map(json.dumps, keys))
    return Columns(len(keys), puzzle, name=name, header=header, are_members=True, box=box)


def _read_line(text: Text, line: str, *, is_first: bool) -> Record:
    text.fields = ()
    try:
        value = parse_json(line)
    except json.JSONDecodeError as error:
        return text.error(f"invalid JSON: {error.msg}", "write one JSON value per line", column=error.colno)
    except ValueError as error:
        return text.error(f"invalid JSON: {error}", "write one JSON value per line")
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return text.error("found a list of objects", "write one object per line, as with lines=True in pandas")
    if not isinstance(value, dict):
        value = {"puzzle": value}
    text.fields = (value,)
    if is_first and text.column is not None and _member(value, _wanted(text)) is None:
        raise MissingColumnError.of(text, list(value))
    record = _read_object(text, value, line)
    if isinstance(record, FormatError):
        record.name = one_line(_name_of(value))
    return record


def _name_of(value: dict[str, Any]) -> str:
    return next(filter(None, (_text_of(value, key) for key in ("id", "name"))), "")


def _text_of(value: dict[str, Any], name: str) -> str:
    """Return a member as text, empty if it is missing: a text as it is, other values as JSON."""
    found = value.get(_member(value, (name,)) or "")
    return found if isinstance(found, str) else "" if found is None else json.dumps(found, ensure_ascii=False)


def _wanted(text: Text) -> Sequence[str]:
    """Return the names that the member of the puzzle may have."""
    return PUZZLE if text.column is None else (text.column, text.column.strip().lower())


def _member(value: dict[str, Any], names: Sequence[str]) -> str | None:
    """Return the name of a member, by the first of its synonyms."""
    if names[0] in value:  # the common case
        return names[0]
    keys = list(value)
    place = index_of(keys, names)
    return None if place is None else keys[place]


def _read_object(text: Text, value: dict[str, Any], line: str) -> Record:
    key = _member(value, _wanted(text))
    if key is None:
        return text.error("found an object without a puzzle", f'add a member "{one_line(text.column or PUZZLE[0])}"')
    stated = value.get(_member(value, SOLUTION) or "")
    pair = read_pair(text, partial(read_cells, text, line=line), value[key], stated)
    if isinstance(pair, FormatError):
        return pair
    cells, solution, remark = pair
    try:
        box = _box(value.get("box"))
    except PuzzleError:
        return text.error(f"{value['box']!r:.20} is not a box shape", "use rows and columns such as 3x4")
    name, title = _name_of(value), _text_of(value, "name")
    remarks = [_text_of(value, "comment"), remark, f"name={title}" if title not in ("", name) else ""]
    comment = "; ".join(filter(None, remarks))
    return text.puzzle(cells, box=box, name=name, comment=comment, solution=solution, comment_has_box=False)


def _box(value: object) -> BoxShape | None:
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2:
        value = "x".join(str(part) for part in value)
    if not isinstance(value, str):
        raise PuzzleError("not a box shape")
    return BoxShape.parse(value)


def read_cells(text: Text, value: object, like: str, line: str = "") -> bytes | FormatError:
    """Return the cells of a grid: a string, or a list of integers, flat or nested; or the error that it is none."""
    if isinstance(value, str):
        return text.cells(value, like=like, column=column_of(line, value))
    rows = value if isinstance(value, list) else []
    is_square = all(isinstance(row, list) and len(row) == len(rows) for row in rows)
    flat = [cell for row in rows for cell in row] if is_square else rows
    if not flat or not all(type(cell) is int and 0 <= cell <= MAX_SIZE for cell in flat):
        advice = f"use a string, or a list of integers from 0 to {MAX_SIZE}, flat or nested"
        return text.error("the puzzle is not a grid", advice)
    return bytes(flat)


def write(puzzles: Iterable[Record], stream: TextIO) -> None:
    """Write one object per line, without empty members."""
    for number, puzzle in enumerate(puzzles, start=1):
        if isinstance(puzzle, FormatError):
            named = {"name": one_line(puzzle.name)} if puzzle.name else {}
            stream.write(json.dumps({"puzzle": None, **named, "error": placeholder(number, puzzle)}) + "\n")
            continue
        solution = encode(puzzle.solution.cells, puzzle.size) if puzzle.solution else ""
        members = {
            "puzzle": puzzle.line,
            "box": str(puzzle.box),
            "name": puzzle.name[:LONGEST_NAME],
            "comment": puzzle.comment[:LONGEST_NAME],
            "solution": solution,
        }
        text = json.dumps({key: value for key, value in members.items() if value}, ensure_ascii=False)
        stream.write(UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n")


FORMAT = Format("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json"), read, write, has_placeholders=True)
