"""Print on standard output and error in any encoding: characters that it lacks are replaced, and nothing is lost."""

from __future__ import annotations

import codecs
import io
import sys

__all__ = ["accept_any_encoding"]

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
