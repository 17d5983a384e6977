"""Shared parts of the formats: numbered lines with lookahead, and errors with a position.

A reader yields puzzles and, for unreadable ones, errors *as values*, then continues with the next puzzle. The caller
decides whether an error ends the reading.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats import symbols
from sudokulab.puzzle import MAX_SIZE, NINE, BoxShape, Puzzle

if TYPE_CHECKING:
    from sudokulab.formats.columns import Columns

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
    "counted",
    "one_line",
    "placeholder",
    "plain_puzzle",
    "printable",
    "read_pair",
    "size_of",
]

Record = Puzzle | FormatError

SIZES = frozenset(rows * cols for rows in range(2, MAX_SIZE) for cols in range(2, MAX_SIZE) if rows * cols <= MAX_SIZE)

_BOX = re.compile(r"\bbox=(\d{1,2}x\d{1,2})\b")
LONGEST_LINE = 1 << 20
"""The maximum length of a line in characters; a 64×64 grid in any format is shorter."""
LONGEST_NAME = 1 << 15
"""The maximum length of a written name or comment, so that every line can be read again."""
_REMARK_OVERHEAD = 64  # memory of a short string besides its characters
_MOST_AHEAD = 10_000  # lines of lookahead

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters except tab and line feed: they start escape sequences
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # change the direction of the text, or end a line
    "\ud800-\udfff\ufeff\ufffe\uffff]"  # not allowed in UTF-8 or XML
)
"""Characters that are not safe to print or store."""
_REPLACEMENT = "\ufffd"


class Text:
    """A stream of numbered lines with lookahead.

    Parameters
    ----------
    stream
        The text.
    source
        The name of the text in errors.
    box
        The box shape requested by the user; None for the most square one.
    column
        The column of puzzles in a table that the user has named; None for the known names.
    keeps_rows
        Whether the readers of tables keep the fields of each row in `fields`.
    opened
        The table that was opened for `formats.arrow.read`, if it has been.
    checks_solutions
        Whether a stated solution that is not a grid makes its puzzle unreadable; otherwise it becomes a remark.
    owns_stream
        Whether `close` closes the stream.
    """

    def __init__(
        self,
        stream: TextIO,
        source: str = "<text>",
        box: BoxShape | None = None,
        *,
        column: str | None = None,
        keeps_rows: bool = False,
        opened: Any = None,
        checks_solutions: bool = False,
        owns_stream: bool = False,
    ) -> None:
        self.source = source
        self.box = box
        self.column = column
        self.keeps_rows = keeps_rows
        self.opened = opened
        self.checks_solutions = checks_solutions
        self.table: Columns | None = None
        """The columns, if the text is a table with a puzzle per row."""
        self.fields: Sequence[object] = ()
        """The fields of the last row that was read, as they are in the file; empty if it cannot be split.

        A line of JSON has one field: the object.
        """
        self.line = 0
        """The number of the last line read."""
        self.line_end = "\n"
        """The end of the last line read; empty at the end of the text."""
        self.num_chars = 0
        """The number of characters read, lookahead excluded."""
        self.stream = stream
        self._owns_stream = owns_stream
        self._ahead: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        """Yield the remaining lines without their line ends."""
        while (line := self.next_line()) is not None:
            yield line

    def next_line(self) -> str | None:
        """Return the next line without its line end, None after the last; of a line that is too long, its beginning."""
        if not self._ahead and not self._fetch():
            return None
        raw = self._ahead.popleft()
        line = raw.rstrip("\r\n")
        self.line_end = raw[len(line) :]
        self.line += 1
        self.num_chars += len(line) + 1
        while _is_cut(raw) and (self._ahead or self._fetch()):
            raw = self._ahead.popleft()
            self.num_chars += len(raw)
        return line

    def put_back(self, line: str) -> None:
        """Return a line to the stream, to be read again."""
        self.line -= 1
        self.num_chars -= len(line) + 1
        self._ahead.appendleft(f"{line}\n")

    def peek_line(self) -> str | None:
        """Return the next line without consuming it, None after the last."""
        return self._ahead[0].rstrip("\r\n") if self._ahead or self._fetch() else None

    def peek(self) -> Iterator[str]:
        """Yield the next lines without consuming them, up to a limit of lines and characters."""
        position = num_chars = 0
        while position < _MOST_AHEAD and num_chars <= LONGEST_LINE and (position < len(self._ahead) or self._fetch()):
            num_chars += len(self._ahead[position])
            yield self._ahead[position].rstrip("\r\n")
            position += 1

    def rest(self) -> Iterator[str]:
        """Yield the remaining text, including line ends, in pieces of any size."""
        while self._ahead:
            yield self._ahead.popleft()
        while piece := self.stream.read(1 << 16):
            self.num_chars += len(piece)
            yield piece

    def _fetch(self) -> bool:
        line = self.stream.readline(LONGEST_LINE)
        if line:
            self._ahead.append(line)
        return bool(line)

    def close(self) -> None:
        """Close the stream if it is owned."""
        if self._owns_stream:
            self.stream.close()

    def error(self, problem: str, advice: str, *, column: int = 1, line: int | None = None) -> FormatError:
        """Return an error at a column of the last line read, or of another line."""
        return FormatError(problem, advice, source=self.source, line=line or self.line or 1, column=column)

    def puzzle(
        self,
        cells: bytes,
        *,
        box: BoxShape | None = None,
        name: str = "",
        comment: str = "",
        comment_has_box: bool = True,
        solution: bytes | None = None,
        column: int = 1,
        line: int | None = None,
    ) -> Record:
        """Return a puzzle, or the error that says why the cells are not one.

        The comment may contain the box shape, as written by `comment_of`, unless the format stores it elsewhere
        (`comment_has_box`). The last one counts.
        """
        if len(cells) == 729 and (error := self._pencilmarks_error(symbols.encode(cells, 27), column, line)):
            return error
        stated = list(_BOX.finditer(comment))[-1:] if comment_has_box and "box=" in comment else []
        for match in stated:
            comment = " ".join(f"{comment[: match.start()]} {comment[match.end() :]}".split())
        try:
            box = self.box or (BoxShape.parse(stated[0][1]) if stated else box)
            return Puzzle(cells, box, name=name, comment=comment, solution=solution)
        except PuzzleError as error:
            problem, _, advice = str(error).partition("; ")
            return self.error(problem, advice or "write a grid", column=column, line=line)

    def cells(self, text: str, *, like: str = "", column: int = 1, line: int | None = None) -> bytes | FormatError:
        """Return the cells of a grid with one character per cell, or the error that says why it is not one.

        The text is decoded in the alphabet of the longer text `like`, which contains it. Spaces are blanks in a text
        without other blanks. A text of 729 characters can be a pencilmark puzzle, unless the user asked for 27×27. One
        of 81 groups of digits is a pencilmark puzzle.
        """
        if not text:
            return self.error("the puzzle is empty", "write a symbol for each cell", column=column, line=line)
        if " " in text and symbols.is_candidate_list(text.split()):
            return self.error(f"found {symbols.PENCILMARKS}", symbols.ONLY_GIVENS, column=column, line=line)
        size = size_of(len(text))
        if size == 27 and (error := self._pencilmarks_error(text, column, line)):
            return error
        if not size or (self.box and size != self.box.size):
            advice = f"use {self.box.size**2}" if self.box else "use 81 (or 16, 36, 64, 256, 625, …)"
            return self.error(f"found {counted(len(text), 'cell')}", advice, column=column, line=line)
        if " " in text and not symbols.has_blank(text):
            text = text.replace(" ", ".")
        cells = symbols.decode(text, size, like)
        if cells is None:
            index = symbols.unknown_symbol(text, size, like)
            return self.symbol_error(text[index], size, column=column + index, line=line)
        return cells

    def _pencilmarks_error(self, text: str, column: int, line: int | None) -> FormatError | None:
        """Return the error for 729 characters that are a pencilmark puzzle, unless the user asked for 27×27."""
        if (self.box and self.box.size == 27) or not symbols.is_pencilmarks(text):
            return None
        advice = "use one symbol per cell, or box 3x9 for a 27×27 grid"
        return self.error(f"found {symbols.PENCILMARKS}", advice, column=column, line=line)

    def symbol_error(self, char: str, size: int, *, column: int, line: int | None = None) -> FormatError:
        """Return the error for a character that is not a symbol of this size."""
        first, last = symbols.alphabet(size)[0], symbols.alphabet(size)[-1]
        advice = f"use {first}-{last} or a blank ({' '.join(symbols.BLANKS)})"
        return self.error(f"{char!r} is not a digit of a {size}×{size} grid", advice, column=column, line=line)

    def length_error(self, num_rows: int, size: int, *, line: int | None = None) -> FormatError:
        """Return the error for a grid that ends too early."""
        problem = f"found {counted(num_rows, 'row')} of {counted(size, 'cell')}"
        return self.error(problem, f"write {size} rows for a {size}×{size} grid", line=line)


def _is_cut(line: str) -> bool:
    """Return whether a line as it was fetched continues in the next one."""
    return len(line) >= LONGEST_LINE and not line.endswith(("\n", "\r"))


def plain_puzzle(cells: bytes, name: str = "", comment: str = "", solution: Puzzle | None = None) -> Puzzle:
    """Return a 9×9 puzzle from decoded cells, which `Puzzle` would check again at several times the cost."""
    puzzle = object.__new__(Puzzle)
    vars(puzzle).update(cells=cells, box=NINE, name=name, comment=comment, solution=solution)
    return puzzle


def read_pair(
    text: Text, read: Callable[[Any, str], bytes | FormatError], puzzle: object, solution: object
) -> tuple[bytes, bytes | None, str] | FormatError:
    """Return the cells of a puzzle and of its stated solution, and a remark that replaces a solution that is no grid.

    Parameters
    ----------
    text
        Where both come from.
    read
        Returns the cells of a value in the alphabet of a text, or the error that it is no grid.
    puzzle, solution
        The values; a solution that is empty or None is missing.
    """
    are_alike = isinstance(puzzle, str) and isinstance(solution, str) and len(puzzle) == len(solution)
    both = f"{puzzle}{solution}" if are_alike else ""
    cells, stated = read(puzzle, both), read(solution, both) if solution else None
    if both and isinstance(stated, FormatError):
        cells = read(puzzle, "")
    if isinstance(cells, FormatError):
        return cells
    if stated is None or (isinstance(stated, bytes) and len(stated) == len(cells)):
        return cells, stated, ""
    if not text.checks_solutions:
        return cells, None, f"solution={solution}"
    return stated if isinstance(stated, FormatError) else (cells, stated, "")


class Remarks:
    """The remarks on a puzzle, up to a total length."""

    def __init__(self) -> None:
        self._remarks: list[str] = []
        self._room = LONGEST_LINE

    def add(self, remark: str) -> None:
        """Keep a remark if it is not empty and there is room."""
        if remark and self._room > 0:
            self._remarks.append(remark[: self._room])
            self._room -= len(remark) + _REMARK_OVERHEAD

    def join(self, separator: str = " ") -> str:
        """Return the remarks as one comment."""
        return separator.join(self._remarks)


@dataclass(frozen=True)
class Format:
    """A text format.

    Parameters
    ----------
    name
        The name on the command line.
    title
        A description in a few words.
    extensions
        The extensions of its files.
    read
        Yields the puzzles of a text, and errors for unreadable ones.
    write
        Writes puzzles to a stream.
    has_placeholders
        Whether `write` also takes errors and writes a placeholder for each, so that outputs match inputs line by line.
    is_binary
        Whether files contain bytes that are not text.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    read: Callable[[Text], Iterator[Record]]
    write: Callable[[Iterable[Any], Any], None]
    has_placeholders: bool = False
    is_binary: bool = False


def size_of(num_cells: int) -> int:
    """Return the size of the grid with this many cells; 0 if no grid has as many.

    Examples
    --------
    >>> size_of(81), size_of(80), size_of(25)
    (9, 0, 0)
    """
    root = math.isqrt(num_cells)
    return root if root in SIZES and root * root == num_cells else 0


def printable(text: str) -> str:
    """Return a text that is safe to print and store, with U+FFFD for unsafe characters.

    Unsafe are control characters except tab and line feed, characters that change the direction of the text, and lone
    surrogates.
    """
    return UNPRINTABLE.sub(_REPLACEMENT, text)


def one_line(text: str) -> str:
    """Return a name or comment that fits on one line: `printable`, with single spaces, and not too long."""
    return printable(" ".join(text[:LONGEST_NAME].split()))


def comment_of(puzzle: Puzzle, head: str = "") -> str:
    """Return the comment on one line, after `head`.

    The box shape is added unless it is the most square one and the comment does not mention another.
    """
    comment = f"{one_line(head)} {one_line(puzzle.comment)}".strip()
    is_clear = puzzle.box == BoxShape.of_size(puzzle.size) and not _BOX.search(comment)
    return comment if is_clear else f"{comment} box={puzzle.box}".strip()


def column_of(line: str, part: str, start: int = 0) -> int:
    """Return the column, from 1, where a part of a line begins; 1 if the line contains it only in quoted form."""
    return max(line.find(part, start), 0) + 1


def blank_as_zero(puzzle: Puzzle) -> str:
    """Return the puzzle with 0 for a blank where 0 cannot be a digit, as older programs expect."""
    return puzzle.line.replace(".", "0") if puzzle.size <= 9 else puzzle.line


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 row``, ``1,000 rows``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def placeholder(number: int, error: FormatError) -> str:
    """Return the comment that takes the place of an unreadable puzzle in the output."""
    return f"{one_line(error.name) or number}: unreadable, {one_line(error.problem)}; {one_line(error.advice)}"
