"""Links to f-puzzles and SudokuPad contain classic puzzles, in both directions."""

from __future__ import annotations

import contextlib
import io
import json
import time
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from sudokulab import BoxShape, FormatError, Puzzle, PuzzleError, parse, read, write
from sudokulab.cli import app
from sudokulab.formats.lz import compress, decompress
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SMALL, any_puzzles, full_grid

LINKED_BOXES = [BoxShape(2, 2), BoxShape(3, 2), BoxShape(2, 3), BoxShape(4, 2), BoxShape(3, 3), BoxShape(3, 4)]
LINKED_BOXES += [BoxShape(6, 2), BoxShape(4, 4), BoxShape(8, 2)]


def link_of(puzzle: Puzzle, format: str = "f-puzzles") -> str:
    stream = io.StringIO()
    write(puzzle, stream, format)
    return stream.getvalue().strip()


def document_in(link: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(decompress(unquote(link.partition("load=")[2])))
    return document


def link_to(document: Any) -> str:
    return f"https://www.f-puzzles.com/?load={compress(json.dumps(document))}"


def scl_of(document: str) -> str:
    return f"https://sudokupad.app/scl{compress(document)}"


# Compression


@for_each(
    ("text", "letters"),  # made with lz-string 1.5.0
    [
        ("", "Q==="),
        ("a", "IZA="),
        ("aaaaaaaa", "IY0o"),
        ('{"size":9}', "N4IgzglgXgpiBcBOAvkA"),
        ("Ünï → 😀 ツ", "DsOw9wBISYQYvBuAB7FAjDEA"),
    ],
)
def test_texts_are_packed_as_by_lz_string(text: str, letters: str) -> None:
    assert compress(text) == letters
    assert decompress(letters) == text


@given(st.one_of(st.text(), st.text("01", max_size=300), st.text("ab→", max_size=300)))
def test_packed_texts_are_unpacked(text: str) -> None:
    assert decompress(compress(text)) == text
    assert decompress(compress(text).replace("/", "-").replace("=", "$")) == text


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", max_size=60))
def test_damaged_letters_raise_only_value_errors(letters: str) -> None:
    with contextlib.suppress(ValueError):
        decompress(letters)


def test_a_packed_text_cannot_fill_the_memory() -> None:
    with pytest.raises(ValueError, match="more than 1000 characters"):
        decompress(compress("a" * 1_000_000), 1000)


# Links


@pytest.mark.parametrize("format", ["f-puzzles", "sudokupad"])
@given(puzzle=any_puzzles(boxes=LINKED_BOXES))
def test_a_link_keeps_the_puzzle(format: str, puzzle: Puzzle) -> None:
    back = parse(link_of(puzzle, format))
    assert back == puzzle
    assert back.name == puzzle.name


def test_a_link_keeps_the_solution() -> None:
    puzzle = Puzzle(SMALL.cells, SMALL.box, solution=full_grid(SMALL.box))
    assert parse(link_of(puzzle)).solution == full_grid(SMALL.box)


FPUZ = compress(json.dumps(document_in(link_of(EASY))))


@for_each(
    "link",
    [
        f"https://www.f-puzzles.com/?load={FPUZ}",
        f"https://f-puzzles.com/?load={FPUZ}",
        f"www.f-puzzles.com/?load={FPUZ.replace('+', ' ').replace(' ', '%2B')}",
        f"?load={FPUZ}",
        f"fpuzzles{FPUZ}",
        f"fpuz{FPUZ}",
        f"https://sudokupad.app/fpuz{FPUZ}",
        f"https://sudokupad.app/fpuzzles{FPUZ}",
        f"https://beta.sudokupad.app/sudoku/fpuz{FPUZ}",
        f"https://sudokupad.app/?puzzleid=fpuz{FPUZ}",
        f"https://sudokupad.app/fpuz{FPUZ}?setting-nogrid=1",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{FPUZ}",
        f"https://app.crackingthecryptic.com/fpuz{FPUZ}",
    ],
)
def test_every_kind_of_link_is_read(link: str) -> None:
    assert parse(link) == EASY
    assert parse(f"  {link}\n") == EASY


def test_digits_that_are_not_given_are_the_players() -> None:
    document = document_in(link_of(EASY))
    document["grid"][0][2] = {"value": 4}
    assert parse(link_to(document)) == EASY


def test_title_and_author_make_the_name_and_rules_the_comment() -> None:
    document = document_in(link_of(EASY)) | {"title": "Easy", "author": "Ada", "ruleset": "Normal rules\napply."}
    puzzle = parse(link_to(document))
    assert (puzzle.name, puzzle.comment) == ("Easy by Ada", "Normal rules apply.")


def test_a_file_may_have_a_link_per_line() -> None:
    text = f"# two\n{link_of(EASY)}\n\n{link_of(INKALA, 'sudokupad')}\n"
    reader = read(io.StringIO(text))
    assert list(reader) == [EASY, INKALA]
    assert reader.format.name == "f-puzzles"


CONSTRAINTS: list[tuple[str, Any, str]] = [
    ("killercage", [{"cells": ["R1C1", "R1C2"], "value": "8"}], "killer cages"),
    ("thermometer", [{"lines": [["R1C1", "R1C2"]]}], "thermometers"),
    ("diagonal+", True, "a diagonal"),
    ("antiknight", True, "the anti-knight rule"),
    ("brandnew", [1], "the constraint 'brandnew'"),
]


@for_each(("name", "value", "message"), CONSTRAINTS)
def test_a_variant_is_refused_by_name(name: str, value: Any, message: str) -> None:
    document = document_in(link_of(EASY))
    with pytest.raises(FormatError, match=f"the puzzle has {message}.* does not support; use a classic Sudoku"):
        parse(link_to(document | {name: value}))
    assert parse(link_to(document | {name: type(value)()})) == EASY, "an empty list is no constraint"


def test_irregular_regions_are_refused() -> None:
    document = document_in(link_of(EASY))
    document["grid"][0][0]["region"], document["grid"][0][3]["region"] = 1, 0
    with pytest.raises(FormatError, match="regions other than boxes"):
        parse(link_to(document))


@for_each(
    ("link", "message"),
    [
        ("https://sudokupad.app/8iqs2sbx5i", "only the number of a puzzle"),
        ("https://www.f-puzzles.com/?id=yabc12", "only the number of a puzzle"),
        (f"https://www.f-puzzles.com/?load={FPUZ[:100]}", "damaged"),
        ("https://www.f-puzzles.com/?load=%%%", "damaged"),
        (link_to({"size": 9}), "no grid"),
        (link_to({"grid": [[{}] * 5] * 5}), "a 5×5 grid"),
        (link_to({"grid": [[{"value": 10, "given": True}] + [{}] * 8] + [[{}] * 9] * 8}), "'10' is not a digit"),
        (link_to([]), "no grid"),
    ],
)
def test_other_links_are_refused(link: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(link)


def test_links_to_large_grids_are_refused() -> None:
    with pytest.raises(PuzzleError, match="up to 16×16, found 25×25"):
        link_of(Puzzle.empty(25))


# SudokuPad's own documents


def abbreviated(puzzle: Puzzle, more: str = "") -> str:
    rows = ",".join("[" + ",".join(f"{{v:{digit}}}" if digit else "" for digit in row) + "]" for row in puzzle)
    size = puzzle.size
    boxes = [[cell for cell in range(size * size) if puzzle.box.units_of(cell)[2] == box] for box in range(size)]
    regions = json.dumps([[divmod(cell, size) for cell in cells] for cells in boxes])
    return f"{{cs:50,ce:[{rows}],re:{regions},metadata:{{title:'It\\'s \"easy\"',author:Ada}}{more}}}"


@for_each("puzzle", [EASY, SMALL, Puzzle.empty((3, 2))], ids=lambda puzzle: str(puzzle.box))
def test_a_sudokupad_document_is_read(puzzle: Puzzle) -> None:
    for prefix in ("scl", "ctc"):
        back = parse(scl_of(abbreviated(puzzle)).replace("/scl", f"/{prefix}"))
        assert back == puzzle
        assert back.name == 'It\'s "easy" by Ada'


def test_drawings_in_a_sudokupad_document_are_refused() -> None:
    for more, message in [(",l:[{wp:[[1,1],[2,2]]}]", "lines"), (",ca:[{ce:[[0,0],[0,1]],v:8}]", "cages")]:
        with pytest.raises(FormatError, match=f"the puzzle has {message}"):
            parse(scl_of(abbreviated(EASY, more)))
    assert parse(scl_of(abbreviated(EASY, ",ca:[{v:'rules: none'}],l:[],u:[]"))) == EASY


@pytest.mark.timing
@for_each(
    "link",
    ["?load=" * 16_000 + "&", "?load=&" + "&puzzleid=fpuzx" * 6_000 + " y", f"?load={compress('a' * 1_000_000)}"],
    ids=["many documents", "many numbers", "one letter a million times"],
)
def test_hostile_links_are_refused_quickly(link: str) -> None:
    start = time.process_time()
    with pytest.raises(FormatError):
        parse(link)
    assert time.process_time() - start < 2  # milliseconds


@given(st.text("{}[],:'\"abct12\\ ", max_size=40))
def test_damaged_documents_raise_only_format_errors(document: str) -> None:
    with pytest.raises(FormatError):
        parse(scl_of(document))


# Command line


def test_the_command_line_reads_and_writes_links() -> None:
    runner = CliRunner()
    solved = runner.invoke(app, ["solve", link_of(EASY)])
    assert "534678912" in solved.output.replace(" ", "").replace("|", "").replace("\n", "")
    converted = runner.invoke(app, ["convert", link_of(EASY), "--to", "sudokupad"])
    assert converted.output.strip() == link_of(EASY, "sudokupad")
