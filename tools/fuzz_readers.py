"""Fuzz target for the readers (atheris): any bytes must yield puzzles or a `SudokulabError`.

python -m tools.fuzz_readers tests/attack/corpus/readers -max_total_time=60
"""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from itertools import islice

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

with atheris.instrument_imports(include=["sudokulab"]):
    from sudokulab import formats
    from sudokulab.errors import PuzzleError, SudokulabError
    from sudokulab.formats.coercion import as_puzzle
    from sudokulab.puzzle import Puzzle

NAMES = [None, *formats.TEXT_FORMATS]


@atheris.instrument_func  # type: ignore[untyped-decorator,unused-ignore]
def read_anything(data: bytes) -> None:
    """Read bytes in the format selected by the first byte; the puzzles must survive a round trip."""
    if not data:
        return
    name = NAMES[data[0] % len(NAMES)]
    text = data[1:].decode("utf-8", errors="replace")
    reader = formats.read(io.StringIO(text, newline=None), name, keep_going=True)
    puzzles = list(islice(reader, 50))
    for error in reader.errors:
        assert error.line >= 1, error
        assert error.column >= 1, error
    for puzzle in puzzles[:3]:
        for format in formats.TEXT_FORMATS:
            round_trip(puzzle, format)
    with suppress(SudokulabError):
        as_puzzle(data)


def round_trip(puzzle: Puzzle, format: str) -> None:
    """Write a puzzle and read it back, unless the format cannot represent it."""
    stream = io.StringIO()
    try:
        formats.write([puzzle], stream, format)
    except PuzzleError:
        return
    (again,) = formats.read(io.StringIO(stream.getvalue()), format)
    assert again == puzzle, (format, puzzle, again)


def main() -> None:
    atheris.Setup(sys.argv, read_anything)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
