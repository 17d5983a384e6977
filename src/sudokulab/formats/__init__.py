"""Puzzles as text: one file for each format, and the sniffer that tells them apart.

`read` opens a file of any format and yields its puzzles one by one; `parse` reads one puzzle from a string; `write`
writes any format. Files of millions of puzzles are streamed.
"""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Self, TextIO

from sudokulab._internal.files import whole_file
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import csv, grid, headed, integers, jsonl, line, opensudoku, sdk, sdm, ss, symbols
from sudokulab.formats.base import SIZES, Format, Text
from sudokulab.puzzle import BoxShape, Puzzle

__all__ = [
    "EXTENSIONS",
    "FORMATS",
    "Format",
    "PuzzleReader",
    "format_by_extension",
    "format_of",
    "format_to_write",
    "parse",
    "read",
    "sniff",
    "write",
]

FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT for module in (line, grid, integers, sdk, sdm, ss, opensudoku, headed, csv, jsonl)
}

EXTENSIONS = tuple(dict.fromkeys(ending for format in FORMATS.values() for ending in format.extensions))
"""The endings of files of puzzles."""

_BY_EXTENSION = {ending: format for format in FORMATS.values() for ending in format.extensions if ending != ".txt"}
_WORD = re.compile(r"[^\s,;:|#]*")
_BARRED = re.compile(r"[^|\s]+(\|[^|\s]+)+")


class PuzzleReader(Iterator[Puzzle]):
    """The puzzles of a text, one by one; closes its file after the last one, or as a context manager.

    Parameters
    ----------
    text
        What to read.
    format
        Its format; by default the sniffer finds it.
    keep_going
        Whether to pass over what cannot be read, and collect it in `errors`, instead of raising it.
    """

    def __init__(self, text: Text, format: Format | None = None, *, keep_going: bool = False) -> None:
        self.source = text.source
        self.format = format or sniff(text)
        """What the text was taken for."""
        self.errors: list[FormatError] = []
        """What could not be read, if reading went on."""
        self._keep_going = keep_going
        self._text = text
        self._records = self.format.read(text)

    def __next__(self) -> Puzzle:
        for record in self._records:
            if isinstance(record, Puzzle):
                return record
            self.errors.append(record)
            if not self._keep_going:
                break
        self.close()
        if self.errors and not self._keep_going:
            raise self.errors[0]
        raise StopIteration

    def __iter__(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if the reader opened one."""
        self._text.close()


def read(
    source: str | Path | TextIO,
    format: str | None = None,
    *,
    box: tuple[int, int] | None = None,
    keep_going: bool = False,
) -> PuzzleReader:
    """Read the puzzles of a file or stream, one by one.

    Parameters
    ----------
    source
        A path, or a stream of text.
    format
        The name of a format; by default the file's ending tells, or else the sniffer.
    box
        The box shape, where the size leaves a choice; by default the most square one.
    keep_going
        Whether to pass over what cannot be read, and collect it in the reader's ``errors``, instead of raising it.

    Raises
    ------
    FormatError
        At the first thing that cannot be read, unless `keep_going`.
    """
    shape = BoxShape(*box) if box else None
    chosen = format_of(format) if format else None
    if not isinstance(source, str | Path):
        name = str(getattr(source, "name", "<text>"))
        return PuzzleReader(Text(source, name, shape), chosen, keep_going=keep_going)
    path = Path(source)
    stream = path.open(encoding="utf-8-sig", errors="replace", newline=None)
    chosen = chosen or format_by_extension(path)
    return PuzzleReader(Text(stream, str(source), shape, owns_stream=True), chosen, keep_going=keep_going)


def parse(text: str, format: str | None = None, *, box: tuple[int, int] | None = None) -> Puzzle:
    r"""Read exactly one puzzle from a string in any format.

    Examples
    --------
    >>> parse("1.....3..4.....2").num_givens
    4
    >>> parse("1 0 0 0\n0 0 3 0\n0 4 0 0\n0 0 0 2").line
    '1.....3..4.....2'
    """
    if format is None and box is None and len(text) == 81 and (cells := symbols.decode(text, 9)):
        return Puzzle(cells)  # the common case, without the sniffer
    puzzles = list(islice(read(io.StringIO(text), format, box=box), 2))
    if len(puzzles) != 1:
        raise FormatError(f"{('no puzzle', '', 'several puzzles')[len(puzzles)]}", "exactly one puzzle")
    return puzzles[0]


def write(puzzles: Iterable[Puzzle], target: str | Path | TextIO, format: str | None = None) -> None:
    """Write puzzles to a file or stream.

    Parameters
    ----------
    puzzles
        What to write; taken one by one, so that it may be longer than memory.
    target
        A path, or a stream of text.
    format
        The name of a format. By default the extension selects it; ``.txt`` and no extension mean one puzzle per line.

    A file appears, or is replaced, only when all has been written.

    Raises
    ------
    SudokulabError
        If the extension is none that can be written.
    """
    if not isinstance(target, str | Path):
        format_of(format or "line").write(puzzles, target)
        return
    path = Path(target)
    chosen = format_of(format) if format else format_to_write(path)
    with whole_file(path) as stream:
        chosen.write(puzzles, stream)


def format_of(name: str) -> Format:
    """Return the format of a name, or of a file's name by its ending."""
    format = FORMATS.get(name) or format_by_extension(name)
    if format is None:
        raise SudokulabError(f"no format named {name!r}, expected one of {', '.join(FORMATS)}")
    return format


def format_by_extension(path: str | Path) -> Format | None:
    """Return the format that a file's ending tells; ``.txt`` can be anything."""
    return _BY_EXTENSION.get(Path(path).suffix.lower())


def format_to_write(path: str | Path, others: Iterable[str] = ()) -> Format:
    """Return the format that a file is written in; refuse an extension that nobody would expect text behind.

    Parameters
    ----------
    path
        The file. Without an extension, and for devices such as ``/dev/stdout``, lines are written.
    others
        More extensions that the caller can write, for the error.
    """
    path = Path(path)
    extension = path.suffix.lower()
    if extension in (*line.FORMAT.extensions, "") or (path.exists() and not path.is_file() and not path.is_dir()):
        return format_by_extension(path) or line.FORMAT
    format = format_by_extension(path)
    if format is None:
        known = ", ".join([*EXTENSIONS, *others])
        raise SudokulabError(f"{path}: cannot write {extension} files, expected one of {known}")
    return format


def sniff(text: Text) -> Format:
    """Tell the format of a text by its first lines; looks no further ahead than it must."""
    telling = (line for line in text.peek() if line.strip() and not line.startswith("#") and not grid.is_rule(line))
    first, second = next(telling, "").strip(), ""
    if first.startswith("<"):
        return opensudoku.FORMAT
    if len(first) < 40:
        second = next(telling, "").strip()
    if csv.is_header(first, second):
        return csv.FORMAT
    if first[:1] in ("{", '"') or (first.startswith("[") and _is_json(first)):
        return jsonl.FORMAT
    if first.lower() in ("[puzzle]", "[state]"):
        return sdk.FORMAT
    if all(len(header) < 3 and header.isascii() and header.isdecimal() for header in (first, second)):
        return headed.FORMAT
    if integers.is_row(first):
        return integers.FORMAT
    if _BARRED.fullmatch(first) and len(first.replace("|", "")) in SIZES:
        return ss.FORMAT
    return line.FORMAT if not first or _is_line(first, text) else grid.FORMAT


def _is_json(first: str) -> bool:
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list) and (len(value) >= 16 or any(isinstance(row, list) for row in value))


def _is_line(first: str, text: Text) -> bool:
    """Tell one-line puzzles from the rows of a grid."""
    length = len(_WORD.match(first)[0])  # type: ignore[index]  # matches the empty string at worst
    root = math.isqrt(length)
    if text.box:
        return length != text.box.size
    if root not in SIZES or root * root != length:
        return length > 16 and length not in SIZES  # a line of the wrong length: its reader will say so
    if length not in SIZES:
        return True
    # 16, 36 and 64 characters can be either: a row holds larger digits somewhere in its grid
    words = [_WORD.match(line)[0] for line in islice(text.peek(), length)]  # type: ignore[index]
    return all(symbols.unknown_symbol(word, root) < 0 for word in words if len(word) == length)
