"""JSON lines: an object per line with ``puzzle`` and optionally ``box``, ``name``, ``comment`` and ``solution``.

A grid is a string with one character per cell, or a list of integers, flat or nested. A line may also consist of such a
grid alone. Only this format keeps all properties of a puzzle::

    {"puzzle": "1.....3..4.....2", "box": "2x2", "name": "small"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TextIO

from sudokulab._internal.documents import parse_json
from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats.base import LONGEST_NAME, UNPRINTABLE, Format, Record, Text, column_of, one_line, placeholder
from sudokulab.formats.symbols import encode
from sudokulab.puzzle import MAX_SIZE, BoxShape

__all__ = ["FORMAT", "read_cells"]


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each line that is neither empty nor a comment."""
    for line in text:
        if line.strip() and not line.startswith("#"):
            yield _read_line(text, line)


def _read_line(text: Text, line: str) -> Record:
    try:
        value = parse_json(line)
    except json.JSONDecodeError as error:
        return text.error(f"invalid JSON: {error.msg}", "write one JSON value per line", column=error.colno)
    except ValueError as error:
        return text.error(f"invalid JSON: {error}", "write one JSON value per line")
    if not isinstance(value, dict):
        value = {"puzzle": value}
    record = _read_object(text, value, line)
    if isinstance(record, FormatError):
        record.name = one_line(_name_of(value))
    return record


def _name_of(value: dict[str, object]) -> str:
    names = (value.get(key) for key in ("name", "id"))
    return next((str(name) for name in names if name is not None and name != ""), "")


def _read_object(text: Text, value: dict[str, object], line: str) -> Record:
    key = "puzzle" if text.column is None else text.column
    if key not in value:
        return text.error("found an object without a puzzle", f'add a member "{one_line(key)}"')
    both = "".join(part for part in (value[key], value.get("solution")) if isinstance(part, str))
    cells = read_cells(text, value[key], both, line)
    if isinstance(cells, FormatError):
        return cells
    solution = None if value.get("solution") is None else read_cells(text, value["solution"], both, line)
    if isinstance(solution, FormatError):
        return solution
    try:
        box = _box(value.get("box"))
    except PuzzleError:
        return text.error(f"{value['box']!r:.20} is not a box shape", "use rows and columns such as 3x4")
    comment = str(value.get("comment") or "")
    return text.puzzle(cells, box=box, name=_name_of(value), comment=comment, solution=solution, comment_has_box=False)


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
            stream.write(json.dumps({"puzzle": None, "error": placeholder(number, puzzle)}) + "\n")
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
