"""Slices of large arrays: Ctrl-C has no effect within numpy."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["slices"]

_CELLS = 1 << 20


def slices(number: int, width: int) -> Iterator[slice]:
    """Split `number` rows of `width` cells so that work on a slice takes little memory and time."""
    num_rows = max(1, _CELLS // width)
    return (slice(start, start + num_rows) for start in range(0, number, num_rows))
