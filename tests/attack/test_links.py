"""Links whose packing is valid, but whose documents are damaged, hostile or far too long."""

from __future__ import annotations

import copy
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from sudokulab import BoxShape, FormatError, Puzzle, parse
from sudokulab.cli import app
from sudokulab.formats.base import LONGEST_NAME
from sudokulab.formats.documents import LONGEST_DOCUMENT, MAX_TOKENS, document_of
from sudokulab.formats.lz import compress
from tests.cases import for_each
from tests.puzzles import TINY, full_grid

SOLVED = Puzzle(TINY.cells, TINY.box, name="Tiny", solution=full_grid(TINY.box))
BOXES = [[[row + at // 2, col + at % 2] for at in range(4)] for row in (0, 2) for col in (0, 2)]
CELLS = [[{"v": digit} if digit else {} for digit in row] for row in SOLVED]
METADATA = {"title": "Tiny", "author": "Ada", "rules": "Normal rules apply.", "solution": [1, 2, 3, 4] * 4}
DOCUMENTS: dict[str, dict[str, Any]] = {
    "fpuz": {**document_of(SOLVED), "author": "Ada", "ruleset": "Normal rules apply.", "killercage": []},
    "scl": {"id": "tiny", "ce": CELLS, "re": BOXES, "ca": [{"v": "rules"}], "l": [], "metadata": METADATA},
}
DOCUMENTS["fpuz"]["grid"][0][0] |= {"region": 0, "givenPencilMarks": []}

ODD: list[Any] = [None, True, False, 0, 1, -1, 5, 1.5, 10**30, "", "x", "1", [], [1], [[]], [[1]], {}, {"a": 1}]
ODD += [{"cells": [[0, 0]]}, [{"cells": 1}], json.loads("[" * 60 + "]" * 60)]
"""Values to put in place of any part of a document."""


def link_to(kind: str, document: Any) -> str:
    return f"https://sudokupad.app/{kind}{compress(json.dumps(document))}"


def paths_in(value: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a document."""
    yield ()
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from ((key, *path) for path in paths_in(member))


def with_part(document: Any, path: tuple[Any, ...], part: Any) -> Any:
    """Return a document with another part at a path."""
    if not path:
        return part
    changed = copy.deepcopy(document)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = part
    return changed


def part_of(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def mutated(rng: random.Random) -> str:
    """Return a link to a document in which some parts have been replaced by odd values or by other parts."""
    kind, document = rng.choice(list(DOCUMENTS.items()))
    for _ in range(rng.randint(1, 6)):
        paths = list(paths_in(document))
        part = rng.choice([rng.choice(ODD), part_of(document, rng.choice(paths))])
        document = with_part(document, rng.choice(paths), part)
    return link_to(kind, document)


def is_read(link: str) -> bool:
    """Return whether a link is a puzzle or a clear error; any other error is raised."""
    try:
        return isinstance(parse(link), Puzzle)
    except FormatError as error:
        return bool(error.problem and error.advice)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_documents_are_read(kind: str) -> None:
    assert parse(link_to(kind, DOCUMENTS[kind])) == SOLVED


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_an_odd_value_in_any_place_is_read_or_refused(kind: str) -> None:
    for path in paths_in(DOCUMENTS[kind]):
        for part in ODD:
            assert is_read(link_to(kind, with_part(DOCUMENTS[kind], path, part))), (path, part)


@given(st.integers(0, 2**32))
def test_mutated_documents_are_read_or_refused(seed: int) -> None:
    assert is_read(mutated(random.Random(seed)))


@for_each(
    ("kind", "part", "message"),
    [
        ("scl", {"ca": 1}, "'cages' is a number; use a list"),
        ("scl", {"re": 1}, "'regions' is a number; use a list"),
        ("scl", {"re": ["x"]}, "a region is text; use a list"),
        ("scl", {"metadata": [1]}, "'metadata' is a list; use an object"),
        ("scl", {"ce": [[1] * 4] * 4}, "a cell is a number; use an object"),
        ("fpuz", {"title": {"a": 1}}, "'title' is an object; use text"),
        ("fpuz", {"ruleset": [1]}, "'ruleset' is a list; use text"),
        ("fpuz", {"grid": [[{"value": True, "given": True}] * 4] * 4}, "a digit is true or false; use 1 to 4"),
        ("fpuz", {"grid": [[{"region": [1]}] * 4] * 4}, "a region is a list; use a number"),
    ],
)
def test_damaged_members_are_named(kind: str, part: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(link_to(kind, DOCUMENTS[kind] | part))


def test_a_damaged_document_is_an_error_on_the_command_line() -> None:
    result = CliRunner().invoke(app, ["solve", link_to("scl", DOCUMENTS["scl"] | {"ca": 1})])
    assert result.exit_code == 2
    assert "'cages' is a number; use a list" in result.output


def test_a_variant_is_refused_with_advice() -> None:
    cages = {"ca": [{"ce": [[0, 0], [0, 1]], "v": 8}]}
    result = CliRunner().invoke(app, ["solve", link_to("scl", DOCUMENTS["scl"] | cages)])
    assert result.exit_code == 2
    words = " ".join(result.output.split())
    assert "the puzzle has cages, which Sudokulab does not support" in words
    assert "remove the other constraints on the site and copy the link again" in words


def test_unknown_kinds_of_puzzles_are_refused_with_the_supported_ones() -> None:
    result = CliRunner().invoke(app, ["generate", "--kind", "killer"])
    assert result.exit_code == 2
    words = " ".join(result.output.replace("│", " ").split())
    assert "unique, full, fixed, shuffled-root, past-rules" in words
    assert "variants such as killer are not supported" in words


def test_the_longest_document_of_our_own_is_read_again() -> None:
    puzzle = Puzzle.empty(16)
    longest = Puzzle(puzzle.cells, BoxShape(2, 8), name='"' * LONGEST_NAME, solution=full_grid(BoxShape(2, 8)))
    assert parse(f"fpuz{compress(json.dumps(document_of(longest)))}").name == longest.name


def test_documents_longer_than_any_grid_are_not_unpacked() -> None:
    bomb = compress("[" * 900_000)
    with pytest.raises(FormatError, match="too long for a classic puzzle; use a classic Sudoku"):
        parse(f"fpuz{bomb}")


def test_documents_with_more_words_than_any_grid_are_not_read() -> None:
    def link_with_commas(number: int) -> str:
        document = json.dumps(DOCUMENTS["scl"]).replace('"tiny"', f"[{',' * number}]")
        return f"scl{compress(document)}"

    assert parse(link_with_commas(10)) == SOLVED
    with pytest.raises(FormatError, match="too long for a classic puzzle; use a classic Sudoku"):
        parse(link_with_commas(MAX_TOKENS))


def test_a_grid_of_the_largest_size_with_all_pencil_marks_is_read() -> None:
    puzzle = full_grid(BoxShape(4, 4))
    cells = [[{"v": digit, "pm": list(range(1, 17))} for digit in row] for row in puzzle]
    regions = [[divmod(cell, 16) for cell in range(256) if puzzle.box.units_of(cell)[2] == box] for box in range(16)]
    document = {"ce": cells, "re": regions, "metadata": {"solution": list(puzzle.cells)}}
    assert parse(link_to("scl", document)) == puzzle


def test_quotes_without_an_end_take_linear_time() -> None:
    link = f"scl{compress('{ce:' + chr(39) + (chr(92) + chr(39)) * (LONGEST_DOCUMENT // 2 - 10))}"
    start = time.thread_time()
    with pytest.raises(FormatError, match="damaged document"):
        parse(link)
    assert time.thread_time() - start < 2  # CPU time; 0.02 s is usual, and quadratic time would take 20 s
