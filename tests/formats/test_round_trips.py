"""What is written can be read back, by name, by ending and by the sniffer."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import BoxShape, Puzzle, parse, read, write
from sudokulab.formats import FORMATS
from tests.puzzles import EASY, INKALA, TINY, any_puzzles, full_grid, random_instance

ODD_BOXES = [BoxShape(3, 2), BoxShape(4, 2), BoxShape(4, 3), BoxShape(6, 2), BoxShape(2, 8), BoxShape(2, 18)]
ALL_SIZES = [BoxShape.of_size(size) for size in (4, 6, 8, 9, 10, 12, 15, 16, 20, 25, 36, 49, 64)]
SQUARE = [box for box in ALL_SIZES if box.rows == box.cols]
KEEPS_NAMES = {"line", "sdm", "grid", "sdk", "opensudoku", "csv", "jsonl"}


def text_of(puzzles: list[Puzzle], format: str) -> str:
    stream = io.StringIO()
    write(puzzles, stream, format)
    return stream.getvalue()


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_every_format_keeps_every_puzzle(format: str, data: st.DataObject) -> None:
    boxes = [box for box in (SQUARE if format == "headed" else ALL_SIZES) if box.size <= 25]
    puzzles = data.draw(st.lists(any_puzzles(boxes=boxes), min_size=1, max_size=3))
    puzzles = [replace(puzzle, name="", comment="") for puzzle in puzzles]
    assert list(read(io.StringIO(text_of(puzzles, format)), format)) == puzzles


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("box", ALL_SIZES, ids=str)
def test_the_sniffer_recognises_what_we_write_at_every_size(format: str, box: BoxShape) -> None:
    if format == "headed" and box not in SQUARE:
        pytest.skip("the format has no room for boxes that are not square")
    for puzzle in (random_instance(box, box.size**2 * 2 // 3, seed=1), full_grid(box)):
        reader = read(io.StringIO(text_of([puzzle], format)))
        assert list(reader) == [puzzle]
        # a collection without its ending is nothing but lines
        assert reader.format.name == {"sdm": "line"}.get(format, format)


@pytest.mark.parametrize("format", sorted(set(FORMATS) - {"headed"}))
@pytest.mark.parametrize("box", ODD_BOXES, ids=str)
def test_an_unusual_box_shape_survives(format: str, box: BoxShape) -> None:
    for num_givens in (0, 3, box.size**2 // 2):
        puzzle = random_instance(box, num_givens, seed=1)
        assert list(read(io.StringIO(text_of([puzzle, puzzle], format)))) == [puzzle, puzzle]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("box", ALL_SIZES, ids=str)
def test_sparse_puzzles_are_recognised_too(format: str, box: BoxShape) -> None:
    if format == "headed" and box not in SQUARE:
        pytest.skip("the format has no room for boxes that are not square")
    for num_givens in (0, 1, 5):
        puzzle = random_instance(box, num_givens, seed=num_givens)
        assert list(read(io.StringIO(text_of([puzzle], format)))) == [puzzle]


@pytest.mark.parametrize("format", FORMATS)
def test_a_bad_puzzle_between_good_ones_is_the_only_loss(format: str) -> None:
    text = text_of([EASY, INKALA, EASY], format)
    other = text_of([EASY, EASY, EASY], format)
    first = next(index for index in range(len(text)) if text[index] != other[index])  # INKALA's first digit, an 8
    for bad in ("x", "99"):
        reader = read(io.StringIO(f"{text[:first]}{bad}{text[first + 1 :]}"), format, keep_going=True)
        assert list(reader) == [EASY, EASY]
        assert len(reader.errors) == 1


@pytest.mark.parametrize("format", FORMATS)
def test_the_ending_tells_the_format(format: str, tmp_path: Path) -> None:
    for ending in FORMATS[format].extensions:
        path = tmp_path / f"puzzles{ending}"
        write([EASY, INKALA], path)
        assert list(read(path)) == [EASY, INKALA]


@given(puzzle=any_puzzles(boxes=[BoxShape(2, 2)]))
@pytest.mark.parametrize("format", sorted(KEEPS_NAMES))
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
    assert parse(str(puzzle), box=(6, 2)) == puzzle
