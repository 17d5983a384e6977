"""Links to f-puzzles and SudokuPad, one per line. The link contains the whole puzzle; nothing is downloaded.

::

    https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCALhNAbO8QHEYAzMAVwDtUQA3AQ0oQFkBjAewBNa0ALGAJzgBtYH…
    https://sudokupad.app/fpuzN4IgzglgXgpiBcBOANCALhNAbO8QHEYAzMAVwDtUQA3AQ0oQFkBjAewBNa0ALGAJzgBtYH…

f-puzzles documents (``fpuz…``, ``fpuzzles…``) can be read and written; SudokuPad's own ones (``scl…``, ``ctc…``) can be
read. Both formats read all of these links, and they differ in what they write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TextIO
from urllib.parse import quote, unquote

from sudokulab._internal.documents import parse_json
from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats.base import Format, Record, Text, placeholder
from sudokulab.formats.documents import LONGEST_DOCUMENT, TOO_LONG, document_of, puzzle_of, puzzle_of_pad, unabbreviated
from sudokulab.formats.lz import TooLongError, compress, decompress
from sudokulab.puzzle import Puzzle

__all__ = ["FPUZZLES", "SUDOKUPAD", "format_of", "is_link"]

_ADVICE = "use a link to f-puzzles or SudokuPad that contains the puzzle (…?load=…, …/fpuz…)"

_HOST = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)*(f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com)/(\S*)", re.ASCII
)
_LOAD = re.compile(r"\S*?[?&]load=([^&#\s]+)")
_PAYLOAD = re.compile(r"(?:sudoku/)?(?:[^?\s]*\?(?:[^#\s]*&)?puzzleid=)?(fpuz(?:zles)?|scl|ctc)([^&?#\s]+)")
_BARE = re.compile(r"(?:fpuz(?:zles)?|scl|ctc)[\w+/%-]{40,}=*", re.ASCII)


def is_link(line: str) -> bool:
    """Return whether a line is a link of this format, or the part of one that contains the puzzle."""
    line = line.strip()
    return bool(_HOST.fullmatch(line) or _BARE.fullmatch(line) or line.startswith("?load="))


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each line that is neither empty nor a comment."""
    for line in text:
        link = line.strip()
        if link and not link.startswith("#"):
            try:
                yield _boxed(text, _read_link(link))
            except PuzzleError as error:
                problem, _, advice = str(error).partition("; ")
                yield text.error(problem, advice or _ADVICE, column=line.index(link) + 1)


def _boxed(text: Text, puzzle: Puzzle) -> Puzzle:
    if text.box and text.box != puzzle.box:
        raise PuzzleError(f"the link has boxes of {puzzle.box}; use {text.box}")
    return puzzle


def _read_link(link: str) -> Puzzle:
    kind, letters = _payload(link)
    try:
        document = decompress(unquote(letters).replace(" ", "+"), LONGEST_DOCUMENT)
    except TooLongError:
        raise PuzzleError(TOO_LONG) from None
    except ValueError as error:
        raise PuzzleError(f"the link is damaged: {error}; copy the complete link") from None
    if kind == "fpuz":
        return puzzle_of(_json(document))
    return puzzle_of_pad(unabbreviated(document))


def _payload(link: str) -> tuple[str, str]:
    """Return the kind of a link and its packed document."""
    if load := _LOAD.match(link):
        return "fpuz", load[1]
    host = _HOST.fullmatch(link)
    if match := _PAYLOAD.match(host[2] if host else link):
        return match[1][:4], match[2]
    if host:
        raise PuzzleError(f"the link to {host[1]} has only the number of a puzzle; {_ADVICE}")
    raise PuzzleError(f"{link[:20]!r} is not a link; {_ADVICE}")


def _json(document: str) -> object:
    try:
        return parse_json(document)
    except ValueError:
        raise PuzzleError("the link is damaged: it does not hold JSON; copy the complete link") from None


def _link(start: str, puzzle: Puzzle) -> str:
    document = json.dumps(document_of(puzzle), separators=(",", ":"), ensure_ascii=False)
    return start + quote(compress(document), safe="")


def _write(records: Iterable[Record], stream: TextIO, start: str) -> None:
    """Write one link per line."""
    for number, record in enumerate(records, start=1):
        text = f"# {placeholder(number, record)}" if isinstance(record, FormatError) else _link(start, record)
        stream.write(f"{text}\n")


def _format(name: str, site: str, start: str) -> Format:
    return Format(name, f"links to {site}, one per line", (), read, partial(_write, start=start), has_placeholders=True)


FPUZZLES = _format("f-puzzles", "f-puzzles", "https://www.f-puzzles.com/?load=")
SUDOKUPAD = _format("sudokupad", "SudokuPad", "https://sudokupad.app/fpuz")


def format_of(link: str) -> Format:
    """Return the format that writes links to the same site."""
    return FPUZZLES if "load=" in link else SUDOKUPAD
