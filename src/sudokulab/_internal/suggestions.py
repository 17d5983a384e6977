"""Messages for names that do not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["unknown_name"]


def unknown_name(kind: str, name: str, known: Iterable[str], *, listed_by: str = "") -> str:
    """Return the message for an unknown name, with the closest known one as a suggestion.

    Names that a command lists are not listed in the message.

    Examples
    --------
    >>> unknown_name("solver", "ant-colny", ["auto", "ant-colony"])
    "unknown solver 'ant-colny'; did you mean 'ant-colony'? (known: auto, ant-colony)"
    """
    names = list(known)
    by_lower = {other.lower(): other for other in names}
    close = get_close_matches(name.lower(), by_lower, n=1)
    suggestion = f"; did you mean {by_lower[close[0]]!r}?" if close else ""
    hint = f"run `{listed_by}` for a list" if listed_by else f"known: {', '.join(names) or 'none'}"
    return f"unknown {kind} {name!r}{suggestion} ({hint})"
