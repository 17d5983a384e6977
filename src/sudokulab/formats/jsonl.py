r"""JSON lines: on each line an object with ``puzzle`` and, if known, ``box``, ``name``, ``comment`` and ``solution``.

A grid is a string of one character a cell, or a list of integers, flat or row by row. A line that is nothing but such a
grid will do as well. This is the one format that keeps everything::

    {"puzzle": "1.....3..4.....2", "box": "2x2", "name": "small"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats.base import Format, Record, Text
from sudokulab.puzzle import MAX_SIZE, BoxShape, Puzzle
from sudokulab.symbols import encode

__all__ = ["FORMAT"]


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each line that is not empty."""
    for line in text:
        if line.strip():
            yield _read_line(text, line)


def _read_line(text: Text, line: str) -> Record:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        return text.error(f"no JSON: {error.msg}", "one JSON value a line", column=error.colno)
    except (RecursionError, ValueError) as error:
        return text.error(f"no JSON: {error}", "one JSON value a line")
    if not isinstance(value, dict):
        value = {"puzzle": value}
    if "puzzle" not in value:
        return text.error("an object without a puzzle", 'a member "puzzle"')
    cells = _cells(text, value["puzzle"])
    if isinstance(cells, FormatError):
        return cells
    solution = None if value.get("solution") is None else _cells(text, value["solution"])
    if isinstance(solution, FormatError):
        return solution
    box = value.get("box")
    try:
        shape = BoxShape.parse(box) if isinstance(box, str) else None
    except PuzzleError as error:
        return text.error(str(error).partition(",")[0], "a box shape such as 3x4")
    name, comment = (str(value.get(key) or "") for key in ("name", "comment"))
    return text.puzzle(cells, box=shape, name=name, comment=comment, solution=solution)


def _cells(text: Text, value: Any) -> bytes | FormatError:
    if isinstance(value, str):
        return text.cells(value)
    flat = (
        [cell for row in value for cell in (row if isinstance(row, list) else [row])] if isinstance(value, list) else []
    )
    if not flat or not all(type(cell) is int and 0 <= cell <= MAX_SIZE for cell in flat):
        return text.error("a puzzle that is no grid", f"a string, or a list of integers from 0 to {MAX_SIZE}")
    return bytes(flat)


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write one object a line, without the members that are empty."""
    for puzzle in puzzles:
        solution = encode(puzzle.solution, puzzle.size) if puzzle.solution else ""
        members = {
            "puzzle": str(puzzle),
            "box": str(puzzle.box),
            "name": puzzle.name,
            "comment": puzzle.comment,
            "solution": solution,
        }
        stream.write(json.dumps({key: value for key, value in members.items() if value}, ensure_ascii=False) + "\n")


FORMAT = Format("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json"), read, write)
