"""Written files can be read back by format name, by extension and by detection."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudokulab import BoxShape, Puzzle, parse, read, write
from sudokulab.formats import FORMATS, TEXT_FORMATS
from sudokulab.formats.base import LONGEST_NAME, one_line
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY, any_puzzles, full_grid, random_instance

pytestmark = pytest.mark.slow

ODD_BOXES = [BoxShape(3, 2), BoxShape(4, 2), BoxShape(4, 3), BoxShape(6, 2), BoxShape(2, 8), BoxShape(2, 18)]
ALL_SIZES = [BoxShape.of_size(size) for size in (4, 6, 8, 9, 10, 12, 15, 16, 20, 25, 36, 49, 64)]
LARGEST = {"f-puzzles": 16, "sudokupad": 16}
"""The largest grids of formats with a limit."""
KEEPS_NAMES = {"line", "sdm", "grid", "sdk", "opensudoku", "csv", "jsonl"}


def supports(format: str, box: BoxShape) -> bool:
    return (format != "headed" or box.rows == box.cols) and box.size <= LARGEST.get(format, 64)


def supported(formats: Iterable[str], boxes: list[BoxShape]) -> list[tuple[str, BoxShape]]:
    """Return the pairs of a format and a box shape that it can hold."""
    return [(format, box) for format in formats for box in boxes if supports(format, box)]


def text_of(puzzles: list[Puzzle], format: str) -> str:
    stream = io.StringIO()
    write(puzzles, stream, format)
    return stream.getvalue()


@for_each("format", TEXT_FORMATS)
@settings(max_examples=10)
@given(data=st.data())
def test_every_format_keeps_every_puzzle(format: str, data: st.DataObject) -> None:
    boxes = [box for box in ALL_SIZES if box.size <= 25 and supports(format, box)]
    puzzles = data.draw(st.lists(any_puzzles(boxes=boxes), min_size=1, max_size=3))
    puzzles = [replace(puzzle, name="", comment="") for puzzle in puzzles]
    assert list(read(io.StringIO(text_of(puzzles, format)), format)) == puzzles


@for_each(("format", "box"), supported(TEXT_FORMATS, ALL_SIZES))
def test_written_formats_are_detected_at_every_size(format: str, box: BoxShape) -> None:
    for puzzle in (random_instance(box, box.size**2 * 2 // 3, seed=1), full_grid(box)):
        reader = read(io.StringIO(text_of([puzzle], format)))
        assert list(reader) == [puzzle]
        # without its extension, a collection is just lines
        assert reader.format.name == {"sdm": "line", "tsv": "csv"}.get(format, format)


@for_each(("format", "box"), supported(TEXT_FORMATS, ODD_BOXES))
def test_an_unusual_box_shape_survives(format: str, box: BoxShape) -> None:
    for num_givens in (0, 3, box.size**2 // 2):
        puzzle = random_instance(box, num_givens, seed=1)
        assert list(read(io.StringIO(text_of([puzzle, puzzle], format)))) == [puzzle, puzzle]


@for_each(("format", "box"), supported(TEXT_FORMATS, ALL_SIZES))
def test_sparse_puzzles_are_detected(format: str, box: BoxShape) -> None:
    for num_givens in (0, 1, 5):
        puzzle = random_instance(box, num_givens, seed=num_givens)
        assert list(read(io.StringIO(text_of([puzzle], format)))) == [puzzle]


@for_each("format", TEXT_FORMATS)
def test_only_the_bad_puzzle_is_lost(format: str) -> None:
    text = text_of([EASY, INKALA, EASY], format)
    other = text_of([EASY, EASY, EASY], format)
    first = next(index for index in range(len(text)) if text[index] != other[index])  # INKALA's first digit, an 8
    for bad in ("x", "99"):
        reader = read(io.StringIO(f"{text[:first]}{bad}{text[first + 1 :]}"), format, keep_going=True)
        assert list(reader) == [EASY, EASY]
        assert len(reader.errors) == 1


@for_each("format", FORMATS)
def test_the_extension_selects_the_format(format: str, tmp_path: Path) -> None:
    for extension in FORMATS[format].extensions:
        path = tmp_path / f"puzzles{extension}"
        write([EASY, INKALA], path)
        assert list(read(path)) == [EASY, INKALA]


@for_each("format", sorted(KEEPS_NAMES))
@given(puzzle=any_puzzles(boxes=[BoxShape(2, 2)]))
def test_names_and_comments_are_kept(format: str, puzzle: Puzzle) -> None:
    puzzle = replace(puzzle, name=f"no. 1 {puzzle.name}".strip(), comment=f"a {puzzle.comment}".strip())
    (back,) = read(io.StringIO(text_of([puzzle], format)), format)
    assert (back.name, back.comment) == (puzzle.name, puzzle.comment)


def test_line_breaks_in_names_cannot_break_a_file() -> None:
    puzzle = replace(TINY, name="two\nlines", comment="and\r\nmore")
    for format in KEEPS_NAMES:
        (back,) = read(io.StringIO(text_of([puzzle], format)), format)
        assert back == puzzle


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_solutions_are_kept(format: str) -> None:
    puzzle = replace(TINY, solution=full_grid((2, 2)))
    (back,) = read(io.StringIO(text_of([puzzle], format)), format)
    assert back.solution == puzzle.solution


def test_json_lines_keep_the_box_shape() -> None:
    puzzle = Puzzle.empty((6, 2))
    assert parse(text_of([puzzle], "jsonl")) == puzzle
    assert parse(puzzle.line, box=(6, 2)) == puzzle


@for_each("box", [(2, 2), (3, 2), (3, 3), (2, 6), (4, 4), (5, 5)])
def test_a_drawn_grid_can_be_read_with_its_box_shape(box: tuple[int, int]) -> None:
    puzzle = full_grid(box)
    assert parse(str(puzzle), box=box) == puzzle
    assert parse(str(Puzzle.empty(box)), box=box) == Puzzle.empty(box)


HOSTILE_WORDS = [
    *[
        "box=4x3",
        "box=3x3",
        "box=99x99",
        "box=",
        "size=4",
        "size=16",
        "name: x",
        "comment: x",
        "puzzle,solution",
        "puzzle",
    ],
    *[
        "#",
        "# box=4x3",
        '"',
        "'",
        ",",
        ";",
        ":",
        "|",
        "\\",
        "{",
        "}",
        "[",
        "]",
        "[Puzzle]",
        "[State]",
        "#D",
        "---",
        "...",
    ],
    *[
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\x00",
        "\x0b",
        "\x0c",
        "\x1b[2J",
        "\x1c",
        "\x85",
        "\x9b31m",
        "\u2028",
        "\u202e",
        "\ufeff",
    ],
    *["\ud800", "\udfff", "\ud83d\ude00", "\ufffe", "\uffff", "\U0001f600", "é", "１", " "],
    *["<game data='1'/>", "-->", "<!--", "]]>", "&amp;", "&a;", "<!DOCTYPE x>", "</opensudoku>"],
    *[TINY.line, full_grid((2, 2)).line, f'"{TINY.line}"', EASY.line, "1" * 81, "0" * 16, "1 2 3 4", "x" * 40_000],
]
HOSTILE = st.one_of(
    st.sampled_from(HOSTILE_WORDS),
    st.lists(st.sampled_from(HOSTILE_WORDS), max_size=4).map("".join),
    st.text(max_size=20),
)


@pytest.mark.thorough
@for_each("format", TEXT_FORMATS)
@settings(max_examples=200)
@given(
    box=st.sampled_from([BoxShape(2, 2), BoxShape(3, 3), BoxShape(3, 2), BoxShape(4, 4)]),
    texts=st.lists(st.tuples(HOSTILE, HOSTILE), min_size=1, max_size=3),
    is_sniffed=st.booleans(),
)
def test_no_name_and_no_comment_changes_a_puzzle(
    format: str, box: BoxShape, texts: list[tuple[str, str]], is_sniffed: bool
) -> None:
    box = BoxShape(2, 2) if format == "headed" and box.rows != box.cols else box
    puzzles = [
        replace(random_instance(box, box.size**2 // 2, seed), name=name, comment=comment)
        for seed, (name, comment) in enumerate(texts)
    ]
    raw = text_of(puzzles, format).encode("utf-8")  # a file can hold it
    text = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig")
    back = list(read(text, None if is_sniffed else format))
    assert back == puzzles
    assert [puzzle.solution for puzzle in back] == [None] * len(puzzles)
    once = text_of(back, format)
    assert text_of(list(read(io.StringIO(once), format)), format) == once, "a second round trip changes nothing"


@given(HOSTILE, HOSTILE)
def test_json_lines_keep_every_name_and_comment(name: str, comment: str) -> None:
    (back,) = read(io.StringIO(text_of([replace(TINY, name=name, comment=comment)], "jsonl")), "jsonl")
    joined = [
        text[:LONGEST_NAME].encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in (name, comment)
    ]
    kept = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in (back.name, back.comment)]
    assert kept == joined


@for_each("format", sorted(KEEPS_NAMES - {"jsonl"}))
@given(HOSTILE, HOSTILE)
def test_other_formats_keep_names_and_comments_on_one_printable_line(format: str, name: str, comment: str) -> None:
    (back,) = read(io.StringIO(text_of([replace(TINY, name=name, comment=comment)], format)), format)
    assert back.comment == one_line(comment)
    if format not in ("line", "sdm"):
        assert back.name == one_line(name)


@pytest.mark.parametrize("format", ["line", "sdm"])
def test_a_name_that_looks_like_a_grid_stays_a_name(format: str) -> None:
    for name in (full_grid((2, 2)).line, TINY.line, f'"{TINY.line}"'):
        (back,) = read(io.StringIO(text_of([replace(TINY, name=name)], format)), format)
        assert (back.name.strip('"'), back.solution) == (name.strip('"'), None)
    (back,) = read(io.StringIO(text_of([replace(TINY, name="no. #1")], format)), format)
    assert back.name == "no. ＃1"


def test_a_box_field_takes_precedence_over_the_comment() -> None:
    puzzle = replace(Puzzle.empty((3, 4)), comment="not box=4x3")
    back = parse(text_of([puzzle], "jsonl"))
    assert (back.box, back.comment) == ((3, 4), "not box=4x3")
