"""Slices of large arrays: neither Ctrl-C nor a `Cancellation` has an effect within numpy."""

from __future__ import annotations

from collections.abc import Iterator

from sudokulab import _core

__all__ = ["slices"]

_CELLS = 1 << 20


def slices(number: int, width: int) -> Iterator[slice]:
    """Split `number` rows of `width` cells so that work on a slice takes little memory and time."""
    num_rows = max(1, _CELLS // width)
    for start in range(0, number, num_rows):
        _core.raise_if_cancelled()
        yield slice(start, start + num_rows)
