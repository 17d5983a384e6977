"""LZ compression of text as letters, as puzzle sites put it into links (the base64 variant of lz-string).

The text is a sequence of UTF-16 code units. A packer and an unpacker build the same dictionary of phrases: each code
adds the previous phrase, extended by the first unit of the current one. Code 0 announces a new unit of 8 bits, code 1
one of 16 bits, and code 2 is the end. Codes start with 2 bits and get one bit longer whenever the dictionary could
outgrow them. Numbers are written from the lowest bit, and every 6 bits make a letter, highest bit first.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["TooLongError", "compress", "decompress"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(_LETTERS)} | {"-": 63}  # "-" in the variant for addresses
_BITS_PER_LETTER = 6
_SHORT, _LONG, _END = 0, 1, 2
_NUM_RESERVED = 3


class TooLongError(ValueError):
    """A text is longer than the caller allows."""


class _Width:
    """The number of bits of a code, which grows with the dictionary."""

    def __init__(self) -> None:
        self.bits = 2
        self._left = 2

    def count(self) -> None:
        """Note a new entry of the dictionary."""
        self._left -= 1
        if self._left == 0:
            self._left = 1 << self.bits
            self.bits += 1


def compress(text: str) -> str:
    """Return a text as letters, digits, ``+`` and ``/``, padded with ``=`` to a multiple of four.

    Examples
    --------
    >>> decompress(compress("111111.")), compress("")
    ('111111.', 'Q===')
    """
    bits = "".join(f"{number:0{num_bits}b}"[::-1] for number, num_bits in _codes(_units(text)))
    bits += "0" * (_BITS_PER_LETTER - len(bits) % _BITS_PER_LETTER)  # at least one
    letters = "".join(
        _LETTERS[int(bits[start : start + _BITS_PER_LETTER], 2)] for start in range(0, len(bits), _BITS_PER_LETTER)
    )
    return letters + "=" * (-len(letters) % 4)


def _units(text: str) -> str:
    """Return the UTF-16 code units of a text as characters."""
    raw = text.encode("utf-16-le", errors="surrogatepass")
    return "".join(chr(raw[start] | raw[start + 1] << 8) for start in range(0, len(raw), 2))


def _codes(units: str) -> Iterator[tuple[int, int]]:
    """Yield the numbers of a packed text, each with its number of bits."""
    width = _Width()
    numbers: dict[str, int] = {}
    unsent: set[str] = set()

    def sent(phrase: str) -> Iterator[tuple[int, int]]:
        if phrase in unsent:
            unsent.remove(phrase)
            is_short = ord(phrase) < 256
            yield (_SHORT if is_short else _LONG), width.bits
            yield ord(phrase), 8 if is_short else 16
            width.count()
        else:
            yield numbers[phrase], width.bits
        width.count()

    phrase = ""
    for unit in units:
        if unit not in numbers:
            numbers[unit] = len(numbers) + _NUM_RESERVED
            unsent.add(unit)
        if phrase + unit in numbers:
            phrase += unit
            continue
        yield from sent(phrase)
        numbers[phrase + unit] = len(numbers) + _NUM_RESERVED
        phrase = unit
    if phrase:
        yield from sent(phrase)
    yield _END, width.bits


class _Bits:
    """The bits of a packed text."""

    def __init__(self, letters: str) -> None:
        self._bits = "".join(f"{_VALUES[letter]:0{_BITS_PER_LETTER}b}" for letter in letters)
        self._position = 0

    def number(self, num_bits: int) -> int:
        """Return the next number of so many bits."""
        start, self._position = self._position, self._position + num_bits
        if self._position > len(self._bits):
            raise ValueError("it ends too early")
        return int(self._bits[start : self._position][::-1], 2)


def decompress(letters: str, max_length: int = 1 << 20) -> str:
    """Return the text of letters written by `compress`.

    Raises
    ------
    TooLongError
        If the letters stand for more than `max_length` characters.
    ValueError
        If the letters are damaged.
    """
    letters = letters.rstrip("=$")
    unknown = next((letter for letter in letters if letter not in _VALUES), None)
    if unknown is not None:
        raise ValueError(f"it contains {unknown!r}")
    raw = "".join(_phrases(_Bits(letters), max_length)).encode("utf-16-le", errors="surrogatepass")
    return raw.decode("utf-16-le", errors="replace")


def _phrases(bits: _Bits, max_length: int) -> Iterator[str]:
    width = _Width()
    phrases = [""] * _NUM_RESERVED
    before = ""
    num_units = 0
    while (code := bits.number(width.bits)) != _END:
        if code in (_SHORT, _LONG):
            phrases.append(chr(bits.number(8 if code == _SHORT else 16)))
            code = len(phrases) - 1
            width.count()
        if code > len(phrases) or (code == len(phrases) and not before):
            raise ValueError("it contains an unknown code")
        phrase = phrases[code] if code < len(phrases) else before + before[0]
        num_units += len(phrase)
        if num_units > max_length:
            raise TooLongError(f"it contains more than {max_length} characters")
        yield phrase
        if before:
            phrases.append(before + phrase[0])
        width.count()
        before = phrase
