"""Puzzles in the forms that people have."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from sudokulab import FormatError, Puzzle, parse, read
from sudokulab.formats.base import plain_puzzle
from tests.cases import for_each
from tests.puzzles import EASY, TINY, full_grid
from tests.timing import cpu_seconds

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FRAMED = """
+-------+-------+-------+
| 5 3 . | . 7 . | . . . |
| 6 . . | 1 9 5 | . . . |
| . 9 8 | . . . | . 6 . |
+-------+-------+-------+
| 8 . . | . 6 . | . . 3 |
| 4 . . | 8 . 3 | . . 1 |
| 7 . . | . 2 . | . . 6 |
+-------+-------+-------+
| . 6 . | . . . | 2 8 . |
| . . . | 4 1 9 | . . 5 |
| . . . | . 8 . | . 7 9 |
+-------+-------+-------+
"""
BOX_DRAWN = FRAMED.replace("+-------+-------+-------+", "├───────┼───────┼───────┤").replace("|", "│").replace(".", "_")
GAPS = """53. .7. ...
6.. 195 ...
.98 ... .6.

8.. .6. ..3
4.. 8.3 ..1
7.. .2. ..6

.6. ... 28.
... 419 ..5
... .8. .79
"""
ROWS = "\n".join(EASY.line[i : i + 9] for i in range(0, 81, 9))
DASHES = ROWS.replace(".", "-")
SIMPLE_SUDOKU = """*-----------*
|53.|.7.|...|
|6..|195|...|
|.98|...|.6.|
|---+---+---|
|8..|.6.|..3|
|4..|8.3|..1|
|7..|.2.|..6|
|---+---+---|
|.6.|...|28.|
|...|419|..5|
|...|.8.|.79|
*-----------*
"""
SADMAN = f"#AA. Author\n#DAn easy one\n#Cfrom memory\n#B01-02-2003\n[Puzzle]\n{ROWS}\n[State]\n{ROWS}\n"
INTEGERS = "\n".join(" ".join(map(str, row)) for row in EASY.givens.tolist())
PYTHON_LIST = str(EASY.givens.tolist())
NUMPY = str(EASY.givens)
HEADED = "3\r\n1\r\n" + "".join("".join(f"{digit or -1}\t" for digit in row) + "\r\n" for row in EASY.givens.tolist())
OPEN_SUDOKU = (
    f'<?xml version="1.0"?>\n<opensudoku>\n<name>x</name>\n<game data="{EASY.line.replace(".", "0")}"/></opensudoku>'
)
SAVED = "".join(f"{digit or 4}|-|{0 if digit else 1}|" for digit in EASY.cells)
OPEN_SUDOKU_SAVED = f'<opensudoku><game state="1" data="version: 1&#10;{SAVED}"/></opensudoku>'
KAGGLE = f"quizzes,solutions\n{EASY.line.replace('.', '0')},{'1' * 81}\n"


@for_each(
    ("text", "format"),
    [
        (EASY.line, "line"),
        (EASY.line.replace(".", "0"), "line"),
        (EASY.line.replace(".", "*"), "line"),
        (EASY.line.replace(".", "_"), "line"),
        (EASY.line.replace(".", "-"), "line"),
        (f"# head\n\n   {EASY.line}\t easy \r\n", "line"),
        (FRAMED, "grid"),
        (BOX_DRAWN, "grid"),
        (GAPS, "grid"),
        (ROWS, "grid"),
        (DASHES, "grid"),
        (f"Grid 01\n{ROWS}", "grid"),
        (SIMPLE_SUDOKU, "grid"),
        (SIMPLE_SUDOKU.replace("*-----------*\n", "").replace("\n|", "\n").replace("|\n", "\n")[1:], "ss"),
        (SADMAN, "sdk"),
        (INTEGERS, "integers"),
        (INTEGERS.replace(" ", ","), "integers"),
        (INTEGERS.replace("\n", " "), "integers"),
        (INTEGERS.replace("0", "-1"), "integers"),
        (PYTHON_LIST, "jsonl"),
        (PYTHON_LIST.replace("],", "],\n"), "integers"),
        (NUMPY, "integers"),
        (HEADED, "headed"),
        (OPEN_SUDOKU, "opensudoku"),
        (OPEN_SUDOKU_SAVED, "opensudoku"),
        (KAGGLE, "csv"),
        (f"id,puzzle,difficulty\n7,{EASY.line},1.2", "csv"),
        (f'{{"puzzle": "{EASY.line}"}}', "jsonl"),
        (f'"{EASY.line}"', "jsonl"),
    ],
)
def test_the_same_puzzle_in_many_shapes(text: str, format: str) -> None:
    reader = read(io.StringIO(text))
    assert list(reader) == [EASY]
    assert reader.format.name == format


def test_names_and_comments_after_a_puzzle_are_kept() -> None:
    puzzle = parse(f"{EASY.line} s01a # from a set")
    assert (puzzle.name, puzzle.comment) == ("s01a", "from a set")
    puzzle = parse(SADMAN)
    assert (puzzle.name, puzzle.comment) == ("An easy one", "author: A. Author; from memory; date: 01-02-2003")
    puzzle = parse(f"Grid 01\n# a comment\n{ROWS}")
    assert (puzzle.name, puzzle.comment) == ("Grid 01", "a comment")
    puzzle = parse(f"id,puzzle,difficulty\n7,{EASY.line},1.2")
    assert (puzzle.name, puzzle.comment) == ("7", "difficulty=1.2")


def test_hexadecimal_is_distinguished_from_1_to_g() -> None:
    full = full_grid((4, 4)).line
    hexadecimal = full.translate(str.maketrans("123456789ABCDEFG", "0123456789ABCDEF"))
    assert parse(hexadecimal) == full_grid((4, 4))
    assert parse(hexadecimal.lower()) == full_grid((4, 4))
    assert parse("." + hexadecimal[1:]) == parse("." + full[1:])
    assert parse(full.replace("1", "0")) == parse(full.replace("1", "."))  # with a G, 0 is a blank


def test_letters_are_distinguished_from_1_to_p() -> None:
    letters = full_grid((5, 5)).line
    assert set(letters) == set("ABCDEFGHIJKLMNOPQRSTUVWXY")
    digits = letters.translate(str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXY", "123456789ABCDEFGHIJKLMNOP"))
    assert parse(digits) == parse(letters) == full_grid((5, 5))


def test_several_pasted_grids_follow_each_other() -> None:
    assert list(read(io.StringIO(f"Grid 01\n{ROWS}\nGrid 02\n{ROWS}\n\n{FRAMED}"))) == [EASY] * 3


def test_a_grid_of_numbers_may_have_frames() -> None:
    full = full_grid((3, 4))
    rows = [" ".join(f"{digit:2}" for digit in row) for row in full.givens.tolist()]
    text = "\n".join(f"| {row[:11]} | {row[12:23]} | {row[24:]} |" for row in rows)
    assert parse(text) == full


def test_sixteen_characters_are_a_4x4_unless_they_are_rows_of_a_16x16() -> None:
    assert list(read(io.StringIO(f"{TINY.line}\n" * 16))) == [TINY] * 16
    full = full_grid((4, 4))
    rows = "\n".join(full.line[i : i + 16] for i in range(0, 256, 16))
    assert parse(rows) == full


def test_a_stated_solution_is_kept() -> None:
    assert parse(KAGGLE).solution == Puzzle(bytes([1] * 81))


@for_each("name", ["inst9x9_45_0.txt", "inst16x16_45_0.txt", "inst25x25_45_0.txt"])
def test_published_instances_are_read(public_data: Path, name: str) -> None:
    reader = read(public_data / "general" / name)
    (puzzle,) = reader
    assert reader.format.name == "headed"
    assert 0.44 < puzzle.num_givens / puzzle.size**2 < 0.46


def test_a_large_file_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    with path.open("w") as stream:
        stream.writelines(f"{EASY.line}\n" for _ in range(50_000))
    reader = read(path)
    assert next(reader) == EASY
    assert len(reader._text._ahead) < 100
    assert sum(1 for _ in reader) == 49_999


def error(text: str, **options: object) -> str:
    with pytest.raises(FormatError) as caught:
        list(read(io.StringIO(text), **options))  # type: ignore[arg-type]
    return str(caught.value)


@for_each(
    ("text", "complaint"),
    [
        (f"{EASY.line}\n{EASY.line[:80]}", "<text>:2:1: found 80 cells; use 81"),
        (
            f"  {EASY.line[:40]}x{EASY.line[41:]}",
            "<text>:1:43: 'x' is not a digit of a 9×9 grid; use 1-9 or a blank",
        ),
        (f"{ROWS[:-9]}", "<text>:9:1: found 8 rows of 9 cells; write 9 rows for a 9×9 grid"),
        (ROWS.replace("419", "4199"), "<text>:8:1: row 8 has 10 cells; use 9 as in the first row"),
        (FRAMED.replace("4 1 9", "4 x 9"), "<text>:12:13: 'x' is not a digit of a 9×9 grid; use 1-9"),
        ("Dear Sir,\nno puzzle today.", "<text>:1:1: no puzzle found; write a grid"),
        (INTEGERS.replace("9", "99"), "found 99 in a 9×9 grid; use 0 to 9"),
        (INTEGERS + " 7", "<text>:9:1: found a row of 10 integers; use 9 as in the first row"),
        ("3\n1\n1 2 3\n", "<text>:3:1: found a row of 3 integers; use 9 for order 3"),
        ("7 7 7\n", "found a row of 3 cells; use rows of 4, 6, 8, 9"),
        ("9\n1\n", "<text>:1:1: '9' is not an order; use a box side from 2 to 8"),
        ("[Puzzle]\n", "<text>:1:1: found nothing after [Puzzle]; write the rows of a grid"),
        ("puzzle,solution\n123,\n", "<text>:2:1: found 3 cells; use 81"),
        ("puzzle,solution\n" + "." * 81, "found a row with 1 field too few"),
        ('{"puzzle": "123"', "<text>:1:17: invalid JSON"),
        ('{"grid": "123"}', 'add a member "puzzle"'),
        ("[[1, 2], [3, null]]", "the puzzle is not a grid; use a string, or a list of integers"),
        ("<opensudoku><game data='12'/></opensudoku>", "<text>:1:13: game data: found 2 cells; use 81"),
        ("<opensudoku><game", "<text>:1:"),
    ],
)
def test_an_error_names_position_problem_and_advice(text: str, complaint: str) -> None:
    assert complaint in error(text)


def test_the_box_option_decides_what_is_expected() -> None:
    assert "found 81 cells; use 36" in error(EASY.line, box=(2, 3))


def test_a_hostile_document_is_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><opensudoku><game data="&b;"/></opensudoku>'
    assert "a document type declaration; use plain elements" in error(bomb)
    outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><opensudoku><game data="&a;"/></opensudoku>'
    assert "a document type declaration" in error(outside)


def test_keep_going_reads_on_after_errors() -> None:
    reader = read(io.StringIO(f"{EASY.line}\nrubbish\n{EASY.line} last\n123\n"), keep_going=True)
    assert [puzzle.name for puzzle in reader] == ["", "last"]
    assert [(error.line, error.column) for error in reader.errors] == [(2, 1), (4, 1)]
    reader = read(io.StringIO(f"{ROWS[:-1]}x\n\n{ROWS}\n\n{ROWS[:20]}{ROWS[25:]}\n\n{ROWS}"), keep_going=True)
    assert list(reader) == [EASY, EASY]
    assert len(reader.errors) == 2


BANDS = ROWS[:29] + "\n" + ROWS[29:59] + "\n" + ROWS[59:]


INTEGER_BANDS = INTEGERS[:54] + "\n" + INTEGERS[54:108] + "\n" + INTEGERS[108:]


@for_each("grid", [ROWS, BANDS, INTEGERS, INTEGER_BANDS], ids=["rows", "bands", "integers", "integer bands"])
def test_a_missing_row_does_not_shift_the_puzzles_after_it(grid: str) -> None:
    lines = grid.split("\n")
    short = "\n".join(lines[:4] + lines[5:])
    reader = read(io.StringIO(f"{short}\n\n{grid}\n\n{grid}\n"), keep_going=True)
    assert set(reader) <= {EASY}
    assert reader.errors


def test_a_bad_integer_affects_only_its_own_grid() -> None:
    for good in (INTEGERS, INTEGER_BANDS):
        bad = good.replace("4 1 9", "4 x 9")
        reader = read(io.StringIO(f"{good}\n\n{bad}\n\n{good}\n"), keep_going=True)
        assert list(reader) == [EASY, EASY]
        assert len(reader.errors) == 1


def test_titled_grids_without_gaps_survive_a_bad_one() -> None:
    good = "".join(f"Grid {number:02}\n{ROWS}\n" for number in range(10))
    reader = read(
        io.StringIO(good.replace("98....6.", "98..x.6.", 2).replace("98..x.6.", "98....6.", 1)), keep_going=True
    )
    assert [puzzle.name for puzzle in reader] == ["Grid 00", *(f"Grid {number:02}" for number in range(2, 10))]
    assert len(reader.errors) == 1


def test_lines_of_dashes_and_rows_of_dashes_are_distinguished() -> None:
    barred = "\n".join(f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in DASHES.split("\n"))
    lines = barred.split("\n")
    ruled = "\n".join([*lines[:3], "---|---|---", *lines[3:6], "---|---|---", *lines[6:]])
    assert list(read(io.StringIO(f"{ruled}\n\n{ruled}\n"))) == [EASY, EASY]
    assert parse(f"X-Wing example\n{ruled}") == EASY
    sparse = "\n".join(["1--------", *["-" * 9] * 8])
    assert parse(sparse).num_givens == 1


def test_frames_show_the_box_shape() -> None:
    framed = "1 2 | 3 4 | 5 6\n3 4 | 5 6 | 1 2\n5 6 | 1 2 | 3 4\n" + "----+-----+----\n" + "2 1 | 4 3 | 6 5\n" * 3
    assert parse(framed).box == (3, 2)
    assert parse(framed.replace(" ", "").replace("|", " ")).box == (3, 2)


def test_a_second_grid_on_a_line_is_the_solution_or_an_error() -> None:
    assert parse(f"{EASY.line}\t{SOLVED}").solution == parse(SOLVED)
    assert "a second puzzle on the line" in error(f"{EASY.line} {EASY.line}")


def test_a_zero_with_another_blank_is_a_digit_beyond_size_9() -> None:
    full = full_grid((2, 5))
    from_zero = full.line.translate(str.maketrans("123456789A", "0123456789"))
    assert parse("." + from_zero[1:]) == parse("." + full.line[1:])
    assert "found both 0 and another blank" in error("0 1 2 3\n-1 0 1 2\n2 1 3 0\n3 2 0 1\n")


def test_ragged_lists_are_not_grids() -> None:
    assert "the puzzle is not a grid" in error(str([[0] * 10, [0] * 8, *[[0] * 9] * 7]))
    assert "is not a box shape" in error('{"puzzle": "1.....3..4.....2", "box": 3}')
    assert parse('{"puzzle": "' + "." * 36 + '", "box": [3, 2]}').box == (3, 2)


def test_frames_of_any_width_are_recognised() -> None:
    for rule in ("+-----+-----+-----+", "-" * 19, "╔═══╤═══╗", "+---+---+---+---+---+---+---+---+---+", "-" * 16):
        assert parse(f"{rule}\n{ROWS}\n{rule}") == EASY


@for_each("title", ["Sudoku", "Puzzle", "Sudoku of the day for Monday 5 January", "X-Wing example"])
def test_titles_are_not_rows(title: str) -> None:
    assert parse(f"{title}\n{FRAMED}\nCopyright 2005 by nobody\n").name == title


@pytest.mark.timing
def test_a_long_line_does_not_hang_the_reader() -> None:
    text = io.StringIO("5 3 . x\n" + "- " * 500_000 + "x")
    assert cpu_seconds(lambda: list(read(text, keep_going=True))) < 2


def test_saved_games_of_later_versions_are_read() -> None:
    for fields in ("{}|0|{}|", "{}|0|0|{}|", "{}|0|0|0|{}|"):
        cells = "".join(fields.format(digit or 4, 0 if digit else 1) for digit in EASY.cells)
        assert parse(f'<opensudoku><game data="version: 4&#10;{cells}"/></opensudoku>') == EASY


def test_rows_without_a_header_are_read_from_sdk_files() -> None:
    assert list(read(io.StringIO(f"#ARuud\n#DRandom\n{ROWS}\n"), "sdk")) == [EASY]


def test_clashing_givens_are_not_an_error() -> None:
    assert parse("1" * 81).clashes() == list(range(81))


def test_parse_expects_exactly_one_puzzle() -> None:
    with pytest.raises(FormatError, match="several puzzles found; pass one"):
        parse(f"{TINY.line}\n{TINY.line}")
    with pytest.raises(FormatError, match="no puzzle found; pass one"):
        parse("# nothing here")


def test_an_empty_puzzle_can_be_given_in_any_blank() -> None:
    for blank in ".0*_-?x":
        assert parse(blank * 81) == Puzzle.empty(9)


def test_the_fast_constructor_sets_what_the_checked_one_sets() -> None:
    cells, solution = EASY.cells, parse(SOLVED)
    plain = plain_puzzle(cells, "name", "comment", plain_puzzle(solution.cells))
    checked = Puzzle(cells, name="name", comment="comment", solution=solution)
    assert vars(plain) == vars(checked)
    assert (plain, hash(plain), type(plain.box)) == (checked, hash(checked), type(checked.box))
    assert plain.solution == checked.solution
