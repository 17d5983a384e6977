"""Recognise and refuse 9×9 puzzles given by their candidates: nine characters or a group of digits per cell.

With nine characters per cell, a puzzle on one line, or on 27 lines, has the shape of a 27×27 grid, and is refused by
`Text`. One on 81 or 9 lines has the shape of nine 9×9 puzzles. Groups of digits, as HoDoKu writes them, are on one line
or nine, in a frame or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import NamedTuple, TextIO

from sudokulab.formats import grid, line, symbols
from sudokulab.formats.base import Format, Record, Text
from sudokulab.puzzle import Puzzle

__all__ = ["FORMAT", "is_next"]


class _Found(NamedTuple):
    num_lines: int  # with the blank lines, remarks and frame lines between them
    advice: str
    follower: Format  # of the text behind it


def is_next(text: Text) -> bool:
    """Return whether a text begins with a pencilmark puzzle that has not the shape of a grid."""
    return _find(text) is not None


def read(text: Text) -> Iterator[Record]:
    """Refuse the pencilmark puzzles, and read what follows them as grids or lines."""
    follower = line.FORMAT
    while found := _find(text):
        num_lines, advice, follower = found
        first = next(number for number, row in enumerate(text.peek(), text.line + 1) if _is_content(row))
        for _ in range(num_lines):
            text.next_line()
        yield text.error(f"found {symbols.PENCILMARKS}", advice, line=first)
    if any(map(_is_content, text.peek())):
        yield from follower.read(text)


def _find(text: Text) -> _Found | None:
    return _find_wrapped(text) or _find_groups(text)


def _find_wrapped(text: Text) -> _Found | None:
    """Find nine characters per cell on 81 or 9 lines, unless the user asked for a box shape."""
    if text.box is not None:
        return None
    lines = ((number, row) for number, row in enumerate(text.peek(), 1) if _is_content(row))
    rows = list(islice(takewhile(lambda line: symbols.is_candidates(line[1]), lines), 81))
    for num_rows, follower in ((81, grid.FORMAT), (9, line.FORMAT)):
        chosen = [row for _, row in rows[:num_rows]]
        # with more than 81 digits, one of nine 9×9 puzzles would repeat one in a column
        if {len(row) * num_rows for row in chosen} == {729} and symbols.is_pencilmarks("".join(chosen), min_digits=82):
            return _Found(rows[num_rows - 1][0], "use one symbol per cell, or box 3x3 for nine 9×9 grids", follower)
    return None


def _find_groups(text: Text) -> _Found | None:
    """Find the candidates of each cell as a group of digits, on one line or nine, framed or not."""
    groups: list[str] = []
    is_framed = False
    lines = enumerate(text.peek(), 1)
    for number, row in lines:
        if grid.is_rule(row):
            is_framed = True
        elif _is_content(row):
            own = grid.tokens_of(row)
            if len(own) not in (9, 81) or not all(map(symbols.is_candidate_group, own)):
                return None
            groups += own
            if symbols.is_candidate_list(groups):
                ends_frame = is_framed and grid.is_rule(next(lines, (0, ""))[1])
                follower = line.FORMAT if len(own) == 81 else grid.FORMAT
                return _Found(number + ends_frame, symbols.ONLY_GIVENS, follower)
        if len(groups) >= 81:
            return None
    return None


def _is_content(row: str) -> bool:
    return bool(row.strip()) and not row.startswith("#")


def _write(puzzles: Iterable[Puzzle], stream: TextIO) -> None:
    raise NotImplementedError


FORMAT = Format("pencilmarks", symbols.PENCILMARKS, (), read, _write)
"""Not among the formats to choose from: only the result of detection."""
