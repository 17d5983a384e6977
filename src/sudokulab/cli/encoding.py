"""Print on standard output and error in any encoding; characters that it lacks are replaced."""

from __future__ import annotations

import codecs
import io
import sys
from typing import TextIO

__all__ = ["accept_any_encoding", "output_of_puzzles"]

_SIMILAR = {
    **{"×": "x", "÷": "/", "–": "-", "—": "-", "−": "-", "±": "+-", "·": "*", "≤": "<=", "≥": ">=", "≠": "!="},
    **{"…": "...", "→": "->", "µ": "u", "“": '"', "”": '"', "‘": "'", "’": "'", "✓": "yes", "✗": "no"},
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("─━═", "-"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬", "+"),
}
_HANDLER = "sudokulab.similar"


def accept_any_encoding() -> None:
    """Let standard output and error replace characters that their encoding lacks."""
    codecs.register_error(_HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def output_of_puzzles() -> TextIO:
    """Return standard output for a file of puzzles: UTF-8, as every file that we write and read, except on a terminal.

    In another encoding, readers would lose the names, and the declaration of an XML file would be wrong.
    """
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdout


def _replaced(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError), "only streams to write to use it"
    text = error.object[error.start : error.end]
    return "".join(map(_similar, text)), error.end


def _similar(char: str) -> str:
    """Return ASCII characters that look like another character, or a question mark."""
    import unicodedata  # which few outputs need

    if char in _SIMILAR:
        return _SIMILAR[char]
    return unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode() or "?"
