"""Find full grids in a program's output, in any of our formats and among other text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sudokulab import formats
from sudokulab.errors import SudokulabError
from sudokulab.formats.grid import is_rule
from sudokulab.puzzle import Puzzle

__all__ = ["full_grids"]

_SEPARATORS = re.compile(r"[\s,;|!:\[\](){}│┃║]+")
_QUOTES = re.compile(r"[\s,;:=|\"']+")


def full_grids(text: str, puzzle: Puzzle) -> Iterator[Puzzle]:
    """Yield the full grids of the puzzle's size in a text, last one first."""
    size = puzzle.size
    lines = [line for line in text.splitlines() if line.strip() and not is_rule(line)]
    rows = [[cell for cell in _SEPARATORS.split(line) if cell] for line in lines]
    is_row = [size in (len(row), sum(map(len, row))) for row in rows]
    for end in range(len(lines), 0, -1):
        line, start = lines[end - 1], end - size
        if len(line) >= size * size:
            yield from filter(None, (_full(part, puzzle) for part in (line, *reversed(_QUOTES.split(line)))))
        if start >= 0 and all(is_row[start:end]):
            grid = _full("\n".join(" ".join(row) for row in rows[start:end]), puzzle, "grid")
            yield from [grid] if grid else []


def _full(text: str, puzzle: Puzzle, format: str | None = None) -> Puzzle | None:
    """Return the full grid in a text, or the solution stated with a puzzle; None if there is neither."""
    if len(text) < len(puzzle.cells):
        return None
    try:
        read = formats.parse(text, format, box=puzzle.box)
    except SudokulabError:
        return None
    cells = (read.solution or read).cells
    return None if 0 in cells else Puzzle(cells, puzzle.box)
