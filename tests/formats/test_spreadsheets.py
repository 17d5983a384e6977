"""Grids from spreadsheets, CSV without a header, and unusual blanks."""

from __future__ import annotations

import io

import pytest

from sudokulab import FormatError, Puzzle, parse, read
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY, full_grid

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def cells(puzzle: Puzzle, delimiter: str = ",", blank: str = "") -> str:
    return "".join(delimiter.join(str(digit or blank) for digit in row) + "\n" for row in puzzle)


def rows(text: str, size: int = 9) -> str:
    return "\n".join(text[i : i + size] for i in range(0, size * size, size))


@for_each("delimiter", [",", ";", "\t"])
def test_cells_of_a_spreadsheet_are_a_grid(delimiter: str) -> None:
    for blank in ("", "x", "?"):
        assert list(read(io.StringIO(cells(EASY, delimiter, blank)))) == [EASY], blank
    assert list(read(io.StringIO(cells(EASY, delimiter)), "csv")) == [EASY]
    assert parse(cells(EASY, delimiter).replace("\n", "\r\n")) == EASY
    assert parse("".join(f'"{line}"\n' for line in cells(EASY, f'"{delimiter}"').splitlines())) == EASY


SPARSE = parse("." * 40 + "1" + "." * 40)


@for_each("separator", ["", "\n", "\n\n", ",,,,,,,,\n", "\n,,,,,,,,\n"])
@for_each("puzzles", [[EASY, INKALA, EASY], [EASY, SPARSE], [SPARSE, EASY], [INKALA]])
def test_several_grids_of_cells_may_be_separated_by_empty_rows(puzzles: list[Puzzle], separator: str) -> None:
    text = separator.join(map(cells, puzzles))
    assert list(read(io.StringIO(text), "csv")) == puzzles


def test_empty_rows_around_grids_are_skipped() -> None:
    text = f",,,,,,,,\n{cells(EASY)},,,,,,,,\n{cells(INKALA)},,,,,,,,\n,,,,,,,,\n"
    assert list(read(io.StringIO(text), "csv")) == [EASY, INKALA]
    assert list(read(io.StringIO(text.replace(",", "\t")))) == [EASY, INKALA]


def test_cells_may_be_numbers_or_letters() -> None:
    full = full_grid((4, 4))
    sparse = Puzzle(bytes(0 if i % 3 else digit for i, digit in enumerate(full.cells)))
    assert parse(cells(sparse)) == sparse
    letters = [["" if char == "." else char for char in row] for row in rows(sparse.line, 16).split("\n")]
    assert parse("\n".join(";".join(row) for row in letters)) == sparse


@for_each(
    ("text", "complaint"),
    [
        (
            "\n".join(cells(EASY).split("\n")[:8]) + "\n",
            "<text>:9:1: found 8 rows of 9 cells; write 9 rows for a 9×9 grid",
        ),
        (cells(EASY).replace("6,,,1", "6,,1"), "<text>:2:1: found a row of 8 cells; use 9 as in the first row"),
        (cells(EASY).replace("6,,,1", "6,,,seven"), "<text>:2:5: found 'seven' in a cell; use a digit"),
        (cells(EASY).replace("6,,,1", "6,,,11"), "<text>:2:5: found '11' in a 9×9 grid; use 1 to 9"),
        (cells(EASY).replace("6,,,1", "6,,,q"), "<text>:2:5: 'q' is not a digit of a 9×9 grid; use 1-9"),
    ],
)
def test_errors_in_cells_say_where(text: str, complaint: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(io.StringIO(text), "csv"))
    assert complaint in str(caught.value)
    reader = read(io.StringIO(f"{text}\n{cells(INKALA)}"), "csv", keep_going=True)
    assert list(reader) == [INKALA]


@for_each(
    "row",
    [
        f"{EASY.line},{SOLVED},a name,remark",
        f"7,{EASY.line},{SOLVED}",
        f"{EASY.line},{SOLVED},",
        f'"{EASY.line}","{SOLVED}"',
        f"a;{EASY.line};{SOLVED}",
        f"{SOLVED},{EASY.line},x",
    ],
)
@for_each("format", [None, "csv"])
def test_csv_needs_no_header(row: str, format: str | None) -> None:
    found = list(read(io.StringIO(f"{row}\n{row}\n"), format))
    assert found == [EASY, EASY]
    assert [puzzle.solution for puzzle in found] == [parse(SOLVED)] * 2


def test_columns_without_a_header_are_name_and_comment_in_order() -> None:
    (puzzle,) = read(io.StringIO(f"{EASY.line},{SOLVED},a name,remark,1.5\n"), "csv")
    assert (puzzle.name, puzzle.comment) == ("a name", "remark; column 5=1.5")
    (puzzle,) = read(io.StringIO(f"{EASY.line}\n"), "csv")
    assert puzzle == EASY


def test_a_header_may_use_semicolons() -> None:
    (puzzle,) = read(io.StringIO(f"id;puzzle;solution\n7;{EASY.line};{SOLVED}\n"))
    assert (puzzle, puzzle.name, puzzle.solution) == (EASY, "7", parse(SOLVED))


@for_each("blank", "?xX ")
def test_unusual_blanks_are_read_in_lines_and_grids(blank: str) -> None:
    line = EASY.line.replace(".", blank)
    assert list(read(io.StringIO(f"{line}\n{line}\n"))) == [EASY, EASY]
    assert list(read(io.StringIO(f"{line}\n"), "line")) == [EASY]
    assert list(read(io.StringIO(f"{rows(line)}\n\n{rows(line)}\n"))) == [EASY, EASY]
    assert list(read(io.StringIO(f"Monday\n{rows(line)}"))) == [EASY]
    assert parse(TINY.line.replace(".", blank)) == TINY
    spaced = "\n".join(" ".join(row) for row in rows(line).split("\n"))
    if blank != " ":
        assert parse(spaced) == EASY


def test_rows_may_lack_spaces_at_their_ends() -> None:
    text = rows(EASY.line.replace(".", " "))
    assert parse("\n".join(row.rstrip() if index else row for index, row in enumerate(text.split("\n")))) == EASY
    assert list(read(io.StringIO(f"{text}\n\n{text}"))) == [EASY, EASY]


def test_gaps_between_boxes_are_not_blanks() -> None:
    full = full_grid((2, 4))
    text = "\n".join(f"{row[:4]} {row[4:]}" for row in rows(full.line, 8).split("\n"))
    assert list(read(io.StringIO(f"{text}\n\n{text}\n"))) == [full, full]
    numbers = "\n".join("".join(f"{digit:4}" for digit in row) for row in full_grid((2, 2)))
    assert parse(numbers) == full_grid((2, 2))


def test_x_is_a_digit_where_the_alphabet_has_it() -> None:
    full = full_grid((5, 5))
    assert "X" in full.line
    assert parse(full.line) == full
    assert parse(full.line.replace("Y", "x")).num_givens == 625
    with pytest.raises(FormatError, match="'x' is not a digit"):
        parse(EASY.line.replace("5", "x"))
