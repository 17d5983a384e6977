"""Arbitrary bytes cause no crash, no hang, and no errors other than the package's own."""

from __future__ import annotations

import contextlib
import io

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sudokulab import FormatError, Puzzle, parse, read
from sudokulab.formats import TEXT_FORMATS
from sudokulab.formats.columns import MissingColumnError
from tests.cases import for_each

WORDS = r"""
................................................................................. ................ 1.3 12 0 -1 | +-- ,
--------- # [ ] [Puzzle] #D puzzle,solution quizzes " { } {"puzzle": null < > <game data=' '/> <opensudoku> &a;
<!DOCTYPE é ² 𝟜 3 1 99999999999999999999999999999999 version:
"""
SPACES = ["\n", "\n\n", "\r\n", " ", "\t", "\ufeff", "\x00", "puzzle,solution\n", "3\n1\n"]
FRAGMENTS = st.sampled_from([*WORDS.split(), *SPACES])
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=40).map("".join))


@for_each("format", [None, *TEXT_FORMATS])
@settings(max_examples=150)
@given(raw=st.one_of(st.binary(max_size=400), TEXTS.map(lambda text: text.encode("utf-8", errors="surrogatepass"))))
@example(raw=b"[" * 100_000)
@example(raw=b"{" * 100_000)
@example(raw=b'"\xff\xfe')
@example(raw=b"\x00" * 81)
@example(raw=b"9" * 5000)
@example(raw=b'{"puzzle": ' + b"9" * 5000 + b"}")
@example(raw="²³¹".encode() * 27)
def test_readers_survive_anything(format: str | None, raw: bytes) -> None:
    reader = read(io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig", errors="replace"), format, keep_going=True)
    with contextlib.suppress(MissingColumnError):
        for puzzle in reader:
            assert isinstance(puzzle, Puzzle)
    for error in reader.errors:
        assert isinstance(error, FormatError)
        assert error.line >= 1
        assert error.column >= 1
        assert "; " in str(error)


@given(TEXTS)
def test_parse_raises_only_format_errors(text: str) -> None:
    with contextlib.suppress(FormatError):
        parse(text)
