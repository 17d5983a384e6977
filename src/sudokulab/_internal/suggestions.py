"""Messages for names that do not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

__all__ = ["did_you_mean", "unknown_name"]

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
    suggestion = did_you_mean(name, names) if isinstance(name, str) else ""
    hint = f"run `{listed_by}` for a list" if listed_by else f"known: {', '.join(names) or 'none'}"
    return f"unknown {kind} {name!r}{suggestion} ({hint})"


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Return the end of a message that suggests the closest known names; empty if no name is close.

    Examples
    --------
    >>> did_you_mean("hrad", ["easy", "hard"])
    "; did you mean 'hard'?"
    """
    close = " or ".join(map(repr, _closest(name.lower(), known)))
    return f"; did you mean {close}?" if close else ""


def _closest(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names that are most like a name or begin like it; none if all are too different.

    A number is not a mistyped name.
    """
    if not name or name.isdecimal() or len(name) > _MAX_LENGTH:
        return []
    likeness = {other: _likeness(name, other.lower()) for other in known}
    best = max(likeness.values(), default=(0.0, 0.0))
    least = _MIN_LIKENESS if len(name) > 2 else _MIN_LIKENESS_OF_PAIRS
    return [other for other in known if likeness[other] == best][:_MAX_SUGGESTIONS] if best[0] >= least else []


def _likeness(name: str, other: str) -> tuple[float, float]:
    """Return the likeness to a name or its beginning, and to the whole name, which decides between equals."""
    whole, beginning = (SequenceMatcher(None, name, text).ratio() for text in (other, other[: len(name)]))
    return max(whole, beginning), whole
