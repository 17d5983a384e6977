"""Check the arguments of calls, so that a wrong one is reported by its name."""

from __future__ import annotations

from numbers import Integral
from typing import TypeGuard

from sudokulab.errors import ParameterError

__all__ = ["checked_count", "checked_text", "is_integer"]


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer of Python or numpy."""
    return type(value) is int or isinstance(value, Integral)  # the first is far faster


def checked_count(name: str, value: object, least: int = 0, most: int | None = None) -> int:
    """Return an integer in a range, or raise ParameterError."""
    if not is_integer(value) or value < least or (most is not None and value > most):
        bounds = f"{least} or more" if most is None else f"{least:,} to {most:,}"
        kind = "" if is_integer(value) else "an integer, "
        raise ParameterError(f"{name}: {value!r}; choose {kind}{bounds}")
    return int(value)


def checked_text(name: str, value: object) -> str:
    """Return text, or raise ParameterError."""
    if not isinstance(value, str):
        raise ParameterError(f"{name}: {value!r}; pass text")
    return value
