"""Alphabets for grids with one character per cell.

========  =================================  =========================================
size      written as                         also read
========  =================================  =========================================
up to 9   ``1``-``9``
16        ``1``-``9A``-``G``                 hexadecimal, ``0``-``F`` for 1-16
25        ``A``-``Y``                        ``1``-``9A``-``P``
others    ``1``-``9A``-``Z``, ``a``-``z``,
          then ``$%&``
========  =================================  =========================================

A blank is written as ``.`` and read from any of ``. 0 * _ - ?``. ``x`` is a blank in grids that have no other blank and
no digit X. Beyond size 9, a ``0`` in a grid with another blank is a digit, the first of the alphabet
``0``-``9A``-``Z``. Up to size 35, lower-case letters are read as capitals.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import cache

__all__ = [
    "BLANKS",
    "ONLY_GIVENS",
    "PENCILMARKS",
    "alphabet",
    "decode",
    "encode",
    "has_blank",
    "is_candidate_group",
    "is_candidate_list",
    "is_candidates",
    "is_pencilmarks",
    "unknown_symbol",
]

BLANKS = ".0*_-?"
_LONGEST = string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase + "$%&"
_FROM_ZERO = string.digits + string.ascii_uppercase
_NONE = 255  # the code of characters that are not symbols
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
PENCILMARKS = "a pencilmark puzzle (candidates for 81 cells), which is not supported"
"""The description of `is_pencilmarks` and `is_candidate_list` in errors."""
ONLY_GIVENS = "write only the givens, one symbol per cell, with . for a blank"
"""What to do instead."""
_ANY_BLANK = re.compile(f"[{re.escape(BLANKS)}]")
_CANDIDATES = "".join(f"[{digit}{re.escape(BLANKS)}xX ]" for digit in range(1, 10))  # of one cell
_ALL_CANDIDATES = re.compile(f"({_CANDIDATES})+")
_CANDIDATE_GROUP = re.compile("[1-9]{1,9}")


def alphabet(size: int) -> str:
    """Return the symbols of the digits 1..size in order, as they are written."""
    return string.ascii_uppercase[:25] if size == 25 else _LONGEST[:size]


def encode(cells: bytes, size: int) -> str:
    """Return cells (0 for a blank) as text with one character per cell."""
    return cells.translate(_encoder(size)).decode("ascii")


def decode(text: str, size: int, like: str = "") -> bytes | None:
    """Return the cells of a text with one character per cell, None if a character is not a symbol of this size.

    Parameters
    ----------
    text
        The text to decode.
    size
        The size of the grid.
    like
        A longer text in the same alphabet, such as puzzle and solution together, to choose the alphabet by.
    """
    cells = _decode(text, size, like)
    return None if _NONE in cells else cells


def unknown_symbol(text: str, size: int, like: str = "") -> int:
    """Return the index of the first character that is not a symbol of this size, -1 if there is none."""
    return _decode(text, size, like).find(_NONE)


def has_blank(text: str) -> bool:
    """Return whether a text contains a blank; ``x`` and spaces do not count."""
    return _ANY_BLANK.search(text) is not None


def is_candidates(text: str) -> bool:
    """Return whether a text lists the candidates of 9×9 cells: nine characters per cell, each its digit or blank."""
    return _ALL_CANDIDATES.fullmatch(text) is not None


def is_pencilmarks(text: str, min_digits: int = 28) -> bool:
    """Return whether a text is a 9×9 puzzle given by its candidates, of which there are at least `min_digits`.

    Candidates are the digits in their places, or ones among zeros. A 27×27 grid of the same form with more than 27
    digits would repeat one in a column, so no valid grid is mistaken.
    """
    if len(text) != 729 or sum(map(text.count, string.digits[1:])) < min_digits:
        return False
    return is_candidates(text) or set(text) == {"0", "1"}


def is_candidate_group(text: str) -> bool:
    """Return whether a text lists the candidates of a 9×9 cell, such as ``145``."""
    return _CANDIDATE_GROUP.fullmatch(text) is not None and len(set(text)) == len(text)


def is_candidate_list(groups: Sequence[str]) -> bool:
    """Return whether texts list the candidates of all cells of a 9×9 puzzle; single digits alone are a full grid."""
    return len(groups) == 81 and any(len(group) > 1 for group in groups) and all(map(is_candidate_group, groups))


def _decode(text: str, size: int, like: str) -> bytes:
    raw = (text if text.isascii() else _NOT_ASCII.sub("\0", text)).encode("ascii")
    like = like or text
    symbols = _alphabet_of(like, size)
    x_is_blank = ("x" in like or "X" in like) and "X" not in symbols and not has_blank(like)
    return raw.translate(_decoder(symbols, size, x_is_blank))


def _alphabet_of(text: str, size: int) -> str:
    """Return the alphabet of this size in which a text is written."""
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
def _decoder(symbols: str, size: int, x_is_blank: bool) -> bytes:
    table = bytearray([_NONE]) * 256
    for blank in BLANKS + ("xX" if x_is_blank else ""):
        table[ord(blank)] = 0
    for digit, symbol in enumerate(symbols, start=1):
        table[ord(symbol)] = digit
        if size <= 35:
            table[ord(symbol.lower())] = digit
    return bytes(table)
