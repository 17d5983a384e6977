"""SadMan puzzles: ``#`` lines with a letter for their meaning, then the rows after ``[Puzzle]``.

The description (``#D``) becomes the name of the puzzle; author, date, level, source and so on become its comment. The
``[State]`` section, a game in progress, is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from sudokulab.errors import FormatError
from sudokulab.formats.base import Format, Record, Remarks, Text, comment_of, one_line
from sudokulab.formats.grid import read_grid
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT"]

_TAGS = {"A": "author", "B": "date", "C": "", "L": "level", "S": "source", "U": "url"}


def read(text: Text) -> Iterator[Record]:
    """Read the puzzle after each [Puzzle] line."""
    name = ""
    comments = Remarks()
    in_state = False
    for line in text:
        tag, value = line[1:2].upper(), line[2:].strip()
        in_state &= bool(line.strip()) and not line.startswith("#")
        if line.strip().lower() == "[puzzle]" or (line[:1] not in ("", "#", "[") and not in_state):
            in_state = False
            if not line.startswith("["):
                text.put_back(line)  # some programs write rows without a header
            yield _with_head(text, read_grid(text), name, comments.join("; "))
            name, comments = "", Remarks()
        elif line.startswith("["):
            in_state = True
        elif line.startswith("#") and tag == "D":
            name = value
        elif line.startswith("#") and tag in _TAGS and value:
            comments.add(f"{_TAGS[tag]}: {value}".removeprefix(": "))


def _with_head(text: Text, record: Record | None, name: str, comment: str) -> Record:
    if record is None:
        return text.error("found nothing after [Puzzle]", "write the rows of a grid")
    if isinstance(record, FormatError):
        return record
    return text.puzzle(record.cells, name=name, comment=comment)


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write the header lines and rows of each puzzle."""
    for puzzle in puzzles:
        if puzzle.name:
            stream.write(f"#D{one_line(puzzle.name)}\n")
        if comment := comment_of(puzzle):
            stream.write(f"#C{comment}\n")
        stream.write("[Puzzle]\n")
        text = puzzle.line
        for start in range(0, len(text), puzzle.size):
            stream.write(f"{text[start : start + puzzle.size]}\n")


FORMAT = Format("sdk", "SadMan puzzle", (".sdk",), read, write)
