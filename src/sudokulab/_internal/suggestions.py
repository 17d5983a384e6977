"""Messages for names that do not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

__all__ = ["unknown_name"]

_MIN_LIKENESS = 0.6
_MIN_LIKENESS_OF_PAIRS = 0.5  # one of two characters
_MAX_LENGTH = 100
_MAX_SUGGESTIONS = 3


def unknown_name(kind: str, name: object, known: Iterable[str], *, listed_by: str = "") -> str:
    """Return the message for an unknown name, with the closest known one as a suggestion.

    A mistyped beginning of a name is enough. Names that a command lists are not listed in the message.

    Examples
    --------
    >>> unknown_name("solver", "ant-colny", ["auto", "ant-colony"])
    "unknown solver 'ant-colny'; did you mean 'ant-colony'? (known: auto, ant-colony)"
    >>> unknown_name("paper", "lloid", ["lewis-2007", "lloyd-2019"], listed_by="sudokulab help")
    "unknown paper 'lloid'; did you mean 'lloyd-2019'? (run `sudokulab help` for a list)"
    """
    names = list(known)
    close = " or ".join(map(repr, _closest(name.lower(), names))) if isinstance(name, str) else ""
    suggestion = f"; did you mean {close}?" if close else ""
    hint = f"run `{listed_by}` for a list" if listed_by else f"known: {', '.join(names) or 'none'}"
    return f"unknown {kind} {name!r}{suggestion} ({hint})"


def _closest(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names that are most like a name or begin like it; none if all are too different."""
    if not name or len(name) > _MAX_LENGTH:
        return []
    likeness = {other: _likeness(name, other.lower()) for other in known}
    best = max(likeness.values(), default=(0.0, 0.0))
    least = _MIN_LIKENESS if len(name) > 2 else _MIN_LIKENESS_OF_PAIRS
    return [other for other in known if likeness[other] == best][:_MAX_SUGGESTIONS] if best[0] >= least else []


def _likeness(name: str, other: str) -> tuple[float, float]:
    """Return the likeness to a name or its beginning, and to the whole name, which decides between equals."""
    whole, beginning = (SequenceMatcher(None, name, text).ratio() for text in (other, other[: len(name)]))
    return max(whole, beginning), whole
