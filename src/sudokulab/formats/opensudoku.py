"""OpenSudoku's XML, read as a stream. Safe for hostile files: document types, and therefore entities, are refused.

::

    <opensudoku><name>My puzzles</name><game data="530070000600195000..."/></opensudoku>

Tags and comments of more than a megabyte, which older parsers scan repeatedly, and elements nested more than a hundred
deep are refused as well.

A saved game (``data="version: 1 ..."``: value, notes and an editable flag for each cell) is read as its givens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO
from xml.parsers import expat

from sudokulab.errors import FormatError
from sudokulab.formats.base import LONGEST_LINE, Format, Record, Text, blank_as_zero, comment_of, one_line
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT"]

_DEEPEST = 100


class _RefusedError(Exception):
    """Well-formed XML that is not a file of puzzles: the problem, and what to do."""


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each <game> element."""
    records: list[Record] = []
    parser = expat.ParserCreate()
    depth = num_unread = 0

    def on_element(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, num_unread
        depth, num_unread = depth + 1, 0
        if depth > _DEEPEST:
            raise _RefusedError(f"found elements nested {depth} deep", f"use at most {_DEEPEST}")
        if tag == "game":
            text.line = parser.CurrentLineNumber
            records.append(_read_game(text, attributes, parser.CurrentColumnNumber + 1))

    def on_end(_: str) -> None:
        nonlocal depth, num_unread
        depth, num_unread = depth - 1, 0

    def on_progress(*_: object) -> None:
        nonlocal num_unread
        num_unread = 0

    def on_doctype(*_: object) -> None:
        raise _RefusedError("found a document type declaration", "use plain elements (entities are refused)")

    parser.StartElementHandler = on_element
    parser.EndElementHandler = on_end
    parser.DefaultHandler = on_progress
    parser.StartDoctypeDeclHandler = on_doctype
    try:
        for piece in text.rest():
            num_unread += len(piece)
            parser.Parse(piece, False)
            yield from records
            records.clear()
            if num_unread > LONGEST_LINE:
                raise _RefusedError(f"found a tag or comment of more than {LONGEST_LINE:,} characters", "write puzzles")
        parser.Parse("", True)
    except _RefusedError as error:
        yield from records
        problem, advice = error.args
        yield text.error(problem, advice, line=parser.CurrentLineNumber)
    except (expat.ExpatError, ValueError) as error:
        yield from records
        problem = f"invalid XML: {expat.ErrorString(getattr(error, 'code', 0)) or error}"
        column = parser.CurrentColumnNumber + 1
        yield text.error(problem, "write well-formed XML", line=parser.CurrentLineNumber, column=column)


def _read_game(text: Text, attributes: dict[str, str], column: int) -> Record:
    data = attributes.get("data", "").strip()
    if data.startswith("version"):
        data = _givens_of_saved_game(data)
    cells = text.cells(data, column=column)
    if isinstance(cells, FormatError):
        return text.error(f"game data: {cells.problem}", cells.advice, column=column)
    return text.puzzle(cells, name=attributes.get("name", ""), comment=attributes.get("note", ""), column=column)


def _givens_of_saved_game(data: str) -> str:
    """Return the givens: a cell's first field is its digit, its last says whether the player may change it."""
    fields = data.split(None, 2)[-1].strip().removesuffix("|").split("|")
    width = len(fields) // 81 or 1
    return "".join(
        value if flag == "0" else "0" for value, flag in zip(fields[::width], fields[width - 1 :: width], strict=False)
    )


def write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    """Write one document with a game for each puzzle."""
    from xml.sax.saxutils import quoteattr  # loads an HTTP client, which most users do not need

    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n')
    for puzzle in puzzles:
        name = f" name={quoteattr(one_line(puzzle.name))}" if puzzle.name else ""
        note = f" note={quoteattr(comment_of(puzzle))}" if comment_of(puzzle) else ""
        stream.write(f"  <game data={quoteattr(blank_as_zero(puzzle))}{name}{note}/>\n")
    stream.write("</opensudoku>\n")


FORMAT = Format("opensudoku", "OpenSudoku XML", (".opensudoku", ".xml"), read, write)
