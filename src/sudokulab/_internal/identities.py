"""Distinct identities for the puzzles of a set or a stream."""

from __future__ import annotations

__all__ = ["Identities"]


class Identities:
    """Names puzzles one by one: by their own name if it is free, else by their position, counted from 1.

    If both are taken, the position is repeated in parentheses. Only names take memory, so that streams of millions of
    unnamed puzzles can be numbered.

    Examples
    --------
    >>> identity = Identities()
    >>> [identity(name) for name in ("2", "", "hard", "hard")]
    ['2', '2 (2)', 'hard', '4']
    """

    def __init__(self) -> None:
        self._names = set[str]()
        self._is_numbered = bytearray()

    def __call__(self, name: str = "") -> str:
        """Return the identity of the next puzzle, which may have a name."""
        position = str(len(self._is_numbered) + 1)
        identity = name if name and not self._is_taken(name) else position
        while self._is_taken(identity):
            identity = f"{identity} ({position})"
        self._is_numbered.append(identity == position)
        if identity != position:
            self._names.add(identity)
        return identity

    def _is_taken(self, identity: str) -> bool:
        return identity in self._names or self._is_position(identity)

    def _is_position(self, identity: str) -> bool:
        """Return whether an earlier puzzle is identified by this position."""
        if len(identity) > 18 or not identity.isdecimal() or not identity.isascii() or identity[0] == "0":
            return False
        return int(identity) <= len(self._is_numbered) and bool(self._is_numbered[int(identity) - 1])
