"""Read, detect and write puzzles in all formats."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Self, TextIO, cast

from sudokulab import _core
from sudokulab._internal.documents import parse_json
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import (
    arrow,
    csv,
    grid,
    headed,
    integers,
    jsonl,
    line,
    links,
    opensudoku,
    pencilmarks,
    sdk,
    sdm,
    spreadsheet,
    ss,
    symbols,
    tables,
)
from sudokulab.formats.base import SIZES, Format, Record, Text, size_of
from sudokulab.formats.coercion import PuzzleLike, as_puzzle, one_or_many
from sudokulab.formats.columns import Columns
from sudokulab.formats.compression import SUFFIXES, Part, compressed_bytes, compressed_text, extension_of, open_parts
from sudokulab.formats.recognition import as_text
from sudokulab.puzzle import BoxLike, BoxShape, Puzzle

__all__ = [
    "EXTENSIONS",
    "FORMATS",
    "TEXT_FORMATS",
    "Format",
    "PuzzleReader",
    "format_by_extension",
    "format_of",
    "format_to_write",
    "is_puzzle_file",
    "only_puzzle",
    "parse",
    "read",
    "read_bytes",
    "read_part",
    "sniff",
    "write",
    "write_records",
]

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        *(module.FORMAT for module in (line, grid, integers, sdk, sdm, ss, opensudoku, headed, csv)),
        csv.TSV,
        jsonl.FORMAT,
        *tables.FORMATS,
        links.FPUZZLES,
        links.SUDOKUPAD,
    )
}

TEXT_FORMATS = {name: format for name, format in FORMATS.items() if not format.is_binary}
"""The formats whose files are text."""

EXTENSIONS = tuple(dict.fromkeys(extension for format in FORMATS.values() for extension in format.extensions))
"""The extensions of puzzle files, without compression."""

_BY_EXTENSION = {
    extension: format for format in FORMATS.values() for extension in format.extensions if extension != ".txt"
}
_MAX_ERRORS = 1000
_WORD = re.compile(r"[^\s,;:|#]*")
_BARRED = re.compile(r"[^|\s]+(\|[^|\s]+)+")


class PuzzleReader(Iterator[Puzzle]):
    """An iterator over the puzzles of a text. It closes its file after the last puzzle, or as a context manager.

    Parameters
    ----------
    text
        The text to read.
    format
        The format of the text (default: detected).
    keep_going
        Skip unreadable puzzles instead of raising the error of the first; see `errors`.
    more
        Further texts, each with its format or None, to read after the first.
    """

    def __init__(
        self,
        text: Text,
        format: Format | None = None,
        *,
        keep_going: bool = False,
        more: Iterator[tuple[Text, Format | None]] | None = None,
    ) -> None:
        self.source = text.source
        self.format = format or sniff(text)
        """The format of the text that is being read."""
        self.errors: list[FormatError] = []
        """The errors of the first 1,000 unreadable puzzles: memory does not grow with the file. `records` yields
        all errors."""
        self.num_errors = 0
        """The number of unreadable puzzles so far."""
        self._keep_going = keep_going
        self._more = more or iter(())
        self._num_chars_before = 0
        self._text = text
        self._records = self._read_all()

    @property
    def row(self) -> tuple[Columns | None, Sequence[object]]:
        """The columns of the table that is being read, and the fields of its last row; see `Text`."""
        return self._text.table, self._text.fields

    @property
    def num_chars(self) -> int:
        """The number of characters read so far."""
        return self._num_chars_before + self._text.num_chars

    def __next__(self) -> Puzzle:
        try:
            return self._next_puzzle()
        except BaseException:  # at the end as well
            self.close()
            raise

    def _next_puzzle(self) -> Puzzle:
        for record in self._records:
            if isinstance(record, Puzzle):
                return record
            self.num_errors += 1
            if self.num_errors <= _MAX_ERRORS:
                self.errors.append(record)
            if not self._keep_going:
                raise record
        raise StopIteration

    def records(self) -> Iterator[Record]:
        """Yield the remaining puzzles, and the errors of unreadable ones in their places, which are not collected."""
        try:
            yield from self._records
        finally:
            self.close()

    def _read_all(self) -> Iterator[Record]:
        while True:
            for record in self.format.read(self._text):
                _core.raise_if_cancelled()
                yield record
            self._text.close()
            if not self._start_next():
                return

    def _start_next(self) -> bool:
        text, format = next(self._more, (None, None))
        if text is None:
            return False
        self._num_chars_before = self.num_chars
        self._text, self.source = text, text.source
        self.format = format or sniff(text)
        return True

    def __iter__(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file if the reader opened it."""
        self._text.close()
        self._more = iter(())


def read(
    source: str | Path | TextIO | BinaryIO,
    format: str | None = None,
    *,
    box: BoxLike | None = None,
    column: str | None = None,
    keep_going: bool = False,
) -> PuzzleReader:
    """Read the puzzles of a file or stream one by one.

    Files and binary streams may be compressed with gzip, zip or Zstandard. All puzzle files of a zip archive are read.

    Parameters
    ----------
    source
        A path, or a stream of text or bytes.
    format
        The name of a format. By default, the extension selects it, or else it is detected from the content.
    box
        The box shape, for sizes with several (default: the most square one).
    column
        The column of puzzles in a table (default: the first with a known name, such as ``puzzle`` or ``board``).
    keep_going
        Skip unreadable puzzles instead of raising the error of the first. The reader's ``errors`` has the first 1,000
        errors, ``num_errors`` their number, and ``records()`` yields all of them among the puzzles.

    Raises
    ------
    FormatError
        At the first unreadable puzzle, unless `keep_going`.
    SudokulabError
        If the file is damaged or not text.
    """
    if isinstance(source, str | Path):
        file = Path(source).open("rb")  # noqa: SIM115  # closed with the reader
        return read_bytes(file, str(source), format, box=box, column=column, keep_going=keep_going)
    if not hasattr(source, "read"):
        raise SudokulabError(f"cannot read from {source!r}; pass a path or a stream")
    name = str(getattr(source, "name", "<text>"))
    if isinstance(source, io.RawIOBase | io.BufferedIOBase):
        return read_bytes(cast(BinaryIO, source), name, format, box=box, column=column, keep_going=keep_going)
    text = Text(cast(TextIO, source), name, None if box is None else BoxShape.of(box), column=column)
    chosen = format_of(format) if format else None
    if chosen and chosen.is_binary:
        raise SudokulabError(f"{name} is text; {chosen.title} are read from a path or a stream of bytes")
    return PuzzleReader(text, chosen, keep_going=keep_going)


def read_bytes(
    file: BinaryIO,
    name: str,
    format: str | None = None,
    *,
    box: BoxLike | None = None,
    column: str | None = None,
    keep_going: bool = False,
) -> PuzzleReader:
    """Read the puzzles of a binary stream one by one, and close it at the end; see `read`."""
    shape = None if box is None else BoxShape.of(box)
    chosen = format_of(format) if format else None
    texts = (_text_of(part, chosen, shape, column) for part in open_parts(file, name, EXTENSIONS))
    text, first_format = next(texts)
    return _reader(text, first_format, keep_going, texts)


def read_part(
    part: Part,
    format: Format | None = None,
    *,
    box: BoxShape | None = None,
    column: str | None = None,
    **settings: Any,
) -> PuzzleReader:
    """Read the puzzles of an opened file, or of a file in an archive; `settings` are those of `Text`."""
    return _reader(*_text_of(part, format, box, column, **settings), keep_going=True)


def _text_of(
    part: Part, format: Format | None, box: BoxShape | None, column: str | None, **settings: Any
) -> tuple[Text, Format | None]:
    if isinstance(settings.get("opened"), arrow.Table):
        text = Text(cast(TextIO, part.stream), part.name, box, column=column, owns_stream=True, **settings)
        return text, tables.FORMATS[0]
    found = arrow.kind_of(part.stream.peek())
    format = FORMATS[found] if found else format or format_by_extension(part.name)
    is_binary = format is not None and format.is_binary
    stream = part.stream if is_binary else as_text(part.stream, is_exact=bool(settings.get("keeps_rows")))
    text = Text(cast(TextIO, stream), part.name, box, column=column, owns_stream=True, **settings)
    return text, format


def _reader(
    text: Text,
    format: Format | None,
    keep_going: bool,
    more: Iterator[tuple[Text, Format | None]] | None = None,
) -> PuzzleReader:
    try:
        return PuzzleReader(text, format, keep_going=keep_going, more=more)
    except BaseException:  # damage in the lines that show the format
        text.close()
        raise


def parse(text: str | bytes, format: str | None = None, *, box: BoxLike | None = None) -> Puzzle:
    r"""Read exactly one puzzle from a string in any format.

    Examples
    --------
    >>> parse("1.....3..4.....2").num_givens
    4
    >>> parse("1 0 0 0\n0 0 3 0\n0 4 0 0\n0 0 0 2").line
    '1.....3..4.....2'
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", errors="replace")
    if not isinstance(text, str):
        raise SudokulabError(f"cannot parse {type(text).__name__}; pass text, or use Puzzle() for other forms")
    if format is None and box is None and len(text) == 81 and (cells := symbols.decode(text, 9)):
        return Puzzle(cells)  # the common case, without detection
    return only_puzzle(read(io.StringIO(text), format, box=box))


def only_puzzle(reader: PuzzleReader) -> Puzzle:
    """Return the puzzle of a text, which must contain exactly one."""
    puzzles = list(islice(reader, 2))
    if len(puzzles) != 1:
        raise FormatError(f"{('no puzzle', '', 'several puzzles')[len(puzzles)]} found", "pass one")
    return puzzles[0]


def write(puzzles: PuzzleLike | Iterable[PuzzleLike], target: str | Path | TextIO, format: str | None = None) -> None:
    """Write puzzles to a file or stream.

    A file appears, or is replaced, only after everything has been written. The extensions ``.gz``, ``.zip`` and
    ``.zst`` compress it, as in ``puzzles.csv.gz``.

    Parameters
    ----------
    puzzles
        One puzzle or several, in any form. An iterable is consumed one by one.
    target
        A path, or a stream of text.
    format
        The name of a format. By default, the extension selects it; ``.txt`` and no extension mean one puzzle per line.

    Raises
    ------
    SudokulabError
        If no format has the extension.
    """
    write_records(map(as_puzzle, one_or_many(puzzles)), target, format)


def write_records(records: Iterable[Record], target: str | Path | TextIO, format: str | None = None) -> None:
    """Write puzzles, and placeholders for unreadable ones; see `write`."""
    if not isinstance(target, str | Path):
        if not hasattr(target, "write"):
            raise SudokulabError(f"cannot write to {target!r}; pass a path or a stream of text")
        chosen = format_of(format or "line")
        chosen.write(_cancellable(records), _binary(target) if chosen.is_binary else target)
        return
    path = Path(target)
    chosen = format_of(format) if format else format_to_write(path)
    with (compressed_bytes if chosen.is_binary else compressed_text)(path) as stream:
        chosen.write(_cancellable(records), stream)


def _cancellable(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        _core.raise_if_cancelled()
        yield record


def _binary(stream: TextIO | BinaryIO) -> BinaryIO:
    """Return the stream of bytes below a stream of text."""
    found = getattr(stream, "buffer", stream)
    if isinstance(found, io.TextIOBase):
        raise SudokulabError("this format is binary: pass a path or a stream of bytes, or choose a text format")
    return cast(BinaryIO, found)


def format_of(name: str) -> Format:
    """Return a format by its name, or by the extension of a file name."""
    format = (FORMATS.get(name) or format_by_extension(name)) if isinstance(name, str) else None
    if format is None:
        raise SudokulabError(unknown_name("format", name, FORMATS))
    return format


def format_by_extension(path: str | Path) -> Format | None:
    """Return the format of an extension, None for ``.txt`` and unknown ones."""
    return _BY_EXTENSION.get(extension_of(path))


def is_puzzle_file(path: str | Path) -> bool:
    """Return whether the extension belongs to a puzzle file, compressed or not."""
    is_compressed = Path(path).suffix.lower() in SUFFIXES
    return extension_of(path) in EXTENSIONS or (is_compressed and not extension_of(path))


def format_to_write(path: str | Path, others: Iterable[str] = ()) -> Format:
    """Return the format in which a file is written, and refuse extensions of other kinds of files.

    Parameters
    ----------
    path
        The file. Without an extension, and for devices such as ``/dev/stdout``, one puzzle per line is written.
    others
        Further extensions that the caller supports, for the error message.
    """
    path = Path(path)
    extension = extension_of(path)
    if extension in (*line.FORMAT.extensions, "") or (path.exists() and not path.is_file() and not path.is_dir()):
        return format_by_extension(path) or line.FORMAT
    format = format_by_extension(path)
    if format is None:
        raise SudokulabError(f"{path}: {unknown_name('output extension', extension, [*EXTENSIONS, *others])}")
    return format


def sniff(text: Text) -> Format:
    """Detect the format of a text from its first lines, without consuming them."""
    lines = (line for line in text.peek() if line.strip() and not line.startswith("#") and not grid.is_rule(line))
    raw = next(lines, "")
    first, second = raw.strip(), ""
    if first.startswith("<"):
        return opensudoku.FORMAT
    if links.is_link(first):
        return links.format_of(first)
    if pencilmarks.is_next(text):
        return pencilmarks.FORMAT
    if len(first) < 40:
        second = next(lines, "").strip()
    if csv.is_header(first, second) or (text.column is not None and not first.startswith("{")):
        return csv.FORMAT
    if first.startswith("{") or (first.startswith("[") and _is_json(first)):
        return jsonl.FORMAT
    if spreadsheet.is_grid(text) or (first and csv.is_row(first)):
        return csv.FORMAT
    if first.startswith('"'):
        return jsonl.FORMAT
    if first.lower() in ("[puzzle]", "[state]"):
        return sdk.FORMAT
    if all(len(header) < 3 and header.isascii() and header.isdecimal() for header in (first, second)):
        return headed.FORMAT
    if line.has_blank_spaces(raw):
        return line.FORMAT
    if grid.is_spaced(text):
        return grid.FORMAT
    if integers.is_row(first):
        return integers.FORMAT
    if _BARRED.fullmatch(first) and len(first.replace("|", "")) in SIZES:
        return ss.FORMAT
    return line.FORMAT if not first or _is_line(first, text) else grid.FORMAT


def _is_json(first: str) -> bool:
    try:
        value = parse_json(first)
    except ValueError:
        return False
    return isinstance(value, list) and (len(value) >= 16 or any(isinstance(row, list) for row in value))


def _first_word(line: str) -> str:
    found = _WORD.match(line)
    return found[0] if found else ""


def _is_line(first: str, text: Text) -> bool:
    """Return whether a line is a whole puzzle, not a row of a grid."""
    length = len(_first_word(first))
    root = size_of(length)
    if text.box:
        return length > text.box.size  # a row is not longer, and a group of its cells is shorter
    if not root:
        return length > 16 and length not in SIZES  # a line of the wrong length, reported by its reader
    if length not in SIZES:
        return True
    # 16, 36 and 64 characters can be either, but a grid of this width has larger digits somewhere
    words = [_first_word(line) for line in islice(text.peek(), length)]
    return all(symbols.unknown_symbol(word, root) < 0 for word in words if len(word) == length)
