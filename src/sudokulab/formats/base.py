"""What the formats share: numbered lines that can be looked at ahead, and errors that say where.

A format is a `Format`: how it is recognised, how a text is read, how puzzles are written. A reader yields puzzles and,
for what it cannot read, errors *as values*, then goes on with the next puzzle; who calls it decides whether an error
ends the reading.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats import symbols
from sudokulab.puzzle import MAX_SIZE, BoxShape, Puzzle

__all__ = [
    "LONGEST_LINE",
    "LONGEST_NAME",
    "SIZES",
    "UNPRINTABLE",
    "Format",
    "Record",
    "Remarks",
    "Text",
    "blank_as_zero",
    "column_of",
    "comment_of",
    "one_line",
    "printable",
]

Record = Puzzle | FormatError

SIZES = frozenset(rows * cols for rows in range(2, MAX_SIZE) for cols in range(2, MAX_SIZE) if rows * cols <= MAX_SIZE)

_BOX = re.compile(r"\bbox=(\d{1,2}x\d{1,2})\b")
LONGEST_LINE = 1 << 20  # a 64×64 grid in any format has less; what has more is no puzzle
LONGEST_NAME = 1 << 15
"""The most characters of a name or comment that are written, so that every line can be read again."""
_REMARK_OVERHEAD = 64  # what a short string costs besides its characters
_MOST_AHEAD = 10_000  # the most lines that are held to look ahead

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed: escape sequences begin with them
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # what turns the direction of the text, or ends a line
    "\ud800-\udfff\ufeff\ufffe\uffff]"  # what no encoding, or no XML, has
)
"""Characters that are neither safe to print nor to store."""
_REPLACEMENT = "\ufffd"


class Text:
    """A stream of numbered lines, with a look ahead, read piece by piece and never held.

    Parameters
    ----------
    stream
        Where the text comes from.
    source
        What to call it in errors.
    box
        The box shape the user asked for; None for the most square one.
    owns_stream
        Whether `close` closes the stream.
    """

    def __init__(
        self, stream: TextIO, source: str = "<text>", box: BoxShape | None = None, *, owns_stream: bool = False
    ) -> None:
        self.source = source
        self.box = box
        self.line = 0
        """The number of the line that was read last."""
        self._stream = stream
        self._owns_stream = owns_stream
        self._ahead: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        """Yield the lines that are left, without their ends."""
        while (line := self.next_line()) is not None:
            yield line

    def next_line(self) -> str | None:
        """Return the next line without its end, None after the last."""
        if not self._ahead and not self._fetch():
            return None
        self.line += 1
        return self._ahead.popleft()

    def put_back(self, line: str) -> None:
        """Make a line that was taken the next one again."""
        self.line -= 1
        self._ahead.appendleft(line)

    def peek_line(self) -> str | None:
        """Return the next line without taking it, None after the last."""
        return self._ahead[0] if self._ahead or self._fetch() else None

    def peek(self) -> Iterator[str]:
        """Yield the coming lines without taking them; not all of a text that never comes to the point."""
        position = num_chars = 0
        while position < _MOST_AHEAD and num_chars <= LONGEST_LINE and (position < len(self._ahead) or self._fetch()):
            num_chars += len(self._ahead[position])
            yield self._ahead[position]
            position += 1

    def rest(self) -> Iterator[str]:
        """Yield all that is left, line ends included, in pieces of any size."""
        while self._ahead:
            line = self._ahead.popleft()
            yield line if len(line) == LONGEST_LINE else line + "\n"
        while piece := self._stream.read(1 << 16):
            yield piece

    def _fetch(self) -> bool:
        line = self._stream.readline(LONGEST_LINE)
        if line:
            self._ahead.append(line if len(line) == LONGEST_LINE else line.rstrip("\r\n"))
        return bool(line)

    def close(self) -> None:
        """Close the stream, if it is owned."""
        if self._owns_stream:
            self._stream.close()

    def error(self, problem: str, expected: str, *, column: int = 1, line: int | None = None) -> FormatError:
        """Make an error at a column of the line read last, or of another line."""
        return FormatError(problem, expected, source=self.source, line=line or self.line or 1, column=column)

    def puzzle(
        self,
        cells: bytes,
        *,
        box: BoxShape | None = None,
        name: str = "",
        comment: str = "",
        comment_tells_box: bool = True,
        solution: bytes | None = None,
        column: int = 1,
        line: int | None = None,
    ) -> Record:
        """Make a puzzle, or the error that says why these cells are none.

        A comment may tell the box shape, as `comment_of` writes it, unless the format has another place for it. If it
        tells several, the last one counts.
        """
        told = list(_BOX.finditer(comment))[-1:] if comment_tells_box else []
        for match in told:
            comment = " ".join(f"{comment[: match.start()]} {comment[match.end() :]}".split())
        try:
            box = self.box or (BoxShape.parse(told[0][1]) if told else box)
            return Puzzle(cells, box, name=name, comment=comment, solution=solution)  # type: ignore[arg-type]
        except PuzzleError as error:
            problem, _, expected = str(error).partition(", expected ")
            return self.error(problem, expected or "a grid", column=column, line=line)

    def cells(self, text: str, *, like: str = "", column: int = 1, line: int | None = None) -> bytes | FormatError:
        """Read a grid of one character a cell, or return the error that says why it is none.

        It is taken to be written in the alphabet of the longer text `like`, of which it is a part.
        """
        size = math.isqrt(len(text))
        if self.box and len(text) != self.box.size**2:
            size = 0
        if size not in SIZES or size * size != len(text):
            wanted = f"{self.box.size**2}" if self.box else "81 (or 16, 36, 64, 256, 625, …)"
            return self.error(f"{len(text)} cells", f"{wanted} characters", column=column, line=line)
        index = symbols.unknown_symbol(text, size, like)
        if index >= 0:
            return self.symbol_error(text[index], size, column=column + index, line=line)
        return symbols.decode(text, size, like) or b""

    def symbol_error(self, char: str, size: int, *, column: int, line: int | None = None) -> FormatError:
        """Make the error for a character that is no symbol of this size."""
        first, last = symbols.alphabet(size)[0], symbols.alphabet(size)[-1]
        wanted = f"{first}-{last} or a blank ({' '.join(symbols.BLANKS)})"
        return self.error(f"{char!r} is no digit of a grid of size {size}", wanted, column=column, line=line)


class Remarks:
    """The remarks that belong to a puzzle; of endless ones only the first are kept."""

    def __init__(self) -> None:
        self._remarks: list[str] = []
        self._room = LONGEST_LINE

    def add(self, remark: str) -> None:
        """Keep a remark, if it says something and there is room."""
        if remark and self._room > 0:
            self._remarks.append(remark[: self._room])
            self._room -= len(remark) + _REMARK_OVERHEAD

    def join(self, separator: str = " ") -> str:
        """Return all as one comment."""
        return separator.join(self._remarks)


@dataclass(frozen=True)
class Format:
    """A text format.

    Parameters
    ----------
    name
        The name on the command line.
    title
        What it is, in a few words.
    extensions
        The file endings that mean it.
    read
        Yields the puzzles of a text, and errors for what is none.
    write
        Writes puzzles to a stream.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    read: Callable[[Text], Iterator[Record]]
    write: Callable[[Iterable[Puzzle], TextIO], None]


def printable(text: str) -> str:
    """Return a text that is safe to print and to store: what is not becomes a replacement character (U+FFFD).

    Control characters are not, except tab and line feed, nor is what changes the direction of the text, nor lone
    surrogates.
    """
    return UNPRINTABLE.sub(_REPLACEMENT, text)


def one_line(text: str) -> str:
    """Return a name or comment as it can stand on one line: `printable`, with single spaces, and not too long."""
    return printable(" ".join(text[:LONGEST_NAME].split()))


def comment_of(puzzle: Puzzle, head: str = "") -> str:
    """Return the comment, behind `head`, as it can stand on one line.

    It tells the box shape if that is not the most square one, or if it seems to tell another.
    """
    comment = f"{one_line(head)} {one_line(puzzle.comment)}".strip()
    is_clear = puzzle.box == BoxShape.of_size(puzzle.size) and not _BOX.search(comment)
    return comment if is_clear else f"{comment} box={puzzle.box}".strip()


def column_of(line: str, part: str, start: int = 0) -> int:
    """Return the column, from 1, in which a part of a line begins; 1 if it is not there as it is, but quoted."""
    return max(line.find(part, start), 0) + 1


def blank_as_zero(puzzle: Puzzle) -> str:
    """Return the puzzle with 0 for a blank where 0 cannot be taken for a digit, as older programs want it."""
    return puzzle.line.replace(".", "0") if puzzle.size <= 9 else puzzle.line
