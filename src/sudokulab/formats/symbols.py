"""One character per cell: the alphabets in which grids are written.

========  =================================  =========================================
size      written as                         also read
========  =================================  =========================================
up to 9   ``1``-``9``
16        ``1``-``9A``-``G``                 hexadecimal, ``0``-``F`` for 1-16
25        ``A``-``Y``                        ``1``-``9A``-``P``
others    ``1``-``9A``-``Z``, ``a``-``z``,
          then ``$%&``
========  =================================  =========================================

A blank is written ``.`` and read from any of ``. 0 * _ -``. Beyond size 9 a ``0`` beside another blank is a digit, the
first of an alphabet ``0``-``9A``-``Z``. Up to size 35 lower-case letters are read as capitals.
"""

from __future__ import annotations

import string
from functools import cache

__all__ = ["BLANKS", "alphabet", "decode", "encode", "unknown_symbol"]

BLANKS = ".0*_-"
_LONGEST = string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase + "$%&"
_FROM_ZERO = string.digits + string.ascii_uppercase
_NONE = 255  # what a character that is no symbol is decoded to


def alphabet(size: int) -> str:
    """Return the symbols of the digits 1..size, in order, as they are written."""
    return string.ascii_uppercase[:25] if size == 25 else _LONGEST[:size]


def encode(cells: bytes, size: int) -> str:
    """Write cells (0 for a blank) as text, one character each."""
    return cells.translate(_encoder(size)).decode("ascii")


def decode(text: str, size: int, like: str = "") -> bytes | None:
    """Read text, one character a cell, or return None if a character is no symbol of this size.

    Which of a size's alphabets it is written in, `like` may tell better: the text with more of the same kind.
    """
    cells = _decode(text, size, like)
    return None if _NONE in cells else cells


def unknown_symbol(text: str, size: int, like: str = "") -> int:
    """Return the index of the first character that is no symbol, -1 if all are."""
    return _decode(text, size, like).find(_NONE)


def _decode(text: str, size: int, like: str) -> bytes:
    raw = text.encode("latin-1", errors="replace")  # what latin-1 lacks becomes '?', which is no symbol
    return raw.translate(_decoder(_alphabet_of(like or text, size), size))


def _alphabet_of(text: str, size: int) -> str:
    """Choose among the alphabets of a size the one that the text is written in."""
    if size > 9 and "0" in text and size <= len(_FROM_ZERO) and _FROM_ZERO[size : size + 1] not in text.upper():
        has_other_blank = any(blank in text for blank in BLANKS if blank != "0")
        rows = [text[i : i + size] for i in range(0, len(text), size)]
        is_full = size == 16 and all(row.count("0") == 1 for row in rows)
        if has_other_blank or is_full:
            return _FROM_ZERO[:size]
    if size == 25 and any(digit in text for digit in string.digits[1:]):
        return _LONGEST[:25]
    return alphabet(size)


@cache
def _encoder(size: int) -> bytes:
    return ("." + alphabet(size)).encode("ascii").ljust(256, b"?")


@cache
def _decoder(symbols: str, size: int) -> bytes:
    table = bytearray([_NONE]) * 256
    for blank in BLANKS:
        table[ord(blank)] = 0
    for digit, symbol in enumerate(symbols, start=1):
        table[ord(symbol)] = digit
        if size <= 35:
            table[ord(symbol.lower())] = digit
    return bytes(table)
