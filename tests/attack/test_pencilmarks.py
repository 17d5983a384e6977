"""9×9 puzzles given by their candidates, 729 characters, are refused by name; 27×27 grids are read."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import numpy as np
import pytest

from sudokulab import FormatError, Puzzle, SudokulabError, parse, read, solve
from sudokulab.cli.inputs import Inputs
from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.sources.files import read_blocks
from sudokulab.instances import random_grid
from sudokulab.puzzle import NINE
from sudokulab.questions import solve_array
from tests.cases import for_each
from tests.commands import run
from tests.puzzles import EASY

GRID = "".join(f"{EASY.line[start : start + 9]}\n" for start in range(0, 81, 9))
NAME = "a pencilmark puzzle (candidates for 81 cells)"


def pencilmarks(blank: str = ".", seed: int = 1) -> str:
    """Return the candidates of a puzzle: all digits of a blank cell, less some at random."""
    rng = random.Random(seed)
    return "".join(
        str(digit) if given == digit or (not given and rng.random() < 0.7) else blank
        for given in EASY.cells
        for digit in range(1, 10)
    )


@for_each("blank", list(".0*_-?xX"))
def test_text_is_refused_by_name(blank: str) -> None:
    with pytest.raises(FormatError, match="pencilmark puzzle") as caught:
        parse(pencilmarks(blank))
    assert NAME in str(caught.value)
    with pytest.raises(SudokulabError, match="pencilmark puzzle"):
        solve(pencilmarks(blank).encode())


def test_ones_among_zeros_are_refused_by_name() -> None:
    with pytest.raises(FormatError, match="pencilmark puzzle"):
        parse("".join("0" if symbol == "0" else "1" for symbol in pencilmarks("0")))


FILES = {
    "x.txt": "{0}\n",
    "x.sdm": "{0}\n",
    "named.txt": "  {0} a name # a comment\n",
    "both.txt": "{0} {0}\n",
    "x.csv": "puzzle,solution\n{0},\n",
    "plain.csv": "{0},{1}\n",
    "x.jsonl": '{{"puzzle": "{0}"}}\n',
    "list.jsonl": '"{0}"\n',
    "x.opensudoku": '<opensudoku><game data="{0}"/></opensudoku>\n',
}


@for_each("name", FILES)
def test_files_are_refused_by_name_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FILES[name].format(pencilmarks(), EASY.line))
    reader = read(path, keep_going=True)
    assert list(reader) == []
    assert NAME in reader.errors[0].problem
    if path.suffix in (".txt", ".sdm"):
        path.write_text(f"{EASY.line}\n{pencilmarks()}\n{EASY.line}\n")
        reader = read(path, keep_going=True)
        assert list(reader) == [EASY, EASY]
        assert [(error.line, NAME in error.problem) for error in reader.errors] == [(2, True)]


def wrapped(width: int, blank: str = ".") -> str:
    text = pencilmarks(blank)
    return "".join(f"{text[start : start + width]}\n" for start in range(0, 729, width))


@for_each("width", [9, 27, 81])
@for_each("blank", list(".0*_-?x "))
def test_wrapped_lines_are_refused_by_name(width: int, blank: str) -> None:
    with pytest.raises(FormatError, match="pencilmark puzzle"):
        parse(wrapped(width, blank))


@for_each(("width", "more"), [(9, GRID), (27, f"\n{GRID}"), (81, f"{EASY.line}\n")])
def test_the_text_after_wrapped_lines_is_read(width: int, more: str) -> None:
    reader = read(io.StringIO(f"# two puzzles\n{wrapped(width)}\n{wrapped(width)}{more}"), keep_going=True)
    assert list(reader) == [EASY]
    first, second = reader.errors
    assert (first.line, second.line) == (2, 3 + 729 // width)
    assert NAME in first.problem
    assert NAME in second.problem


def test_grids_of_integers_are_refused_by_name() -> None:
    rows = wrapped(27, "0").splitlines()
    with pytest.raises(FormatError, match="pencilmark puzzle"):
        parse("\n".join(" ".join(row) for row in rows), "integers")


@for_each("width", [9, 81])
def test_wrapped_lines_are_read_with_a_box_shape(width: int) -> None:
    assert len(list(read(io.StringIO(wrapped(width)), box="3x3"))) == 9


@for_each("width", [9, 81])
def test_nine_puzzles_with_each_digit_in_its_column_are_read(width: int) -> None:
    puzzle = "".join("." * col + str(col + 1) + "." * (8 - col) for col in range(9))
    text = "".join(f"{puzzle[start : start + width]}\n" for start in range(0, 81, width)) * 9
    assert [found.line for found in read(io.StringIO(text))] == [puzzle] * 9


def test_arrays_of_text_are_refused_by_name() -> None:
    for texts in ([EASY.line, pencilmarks()], [pencilmarks()] * 3, np.array([pencilmarks()] * 2)):
        with pytest.raises(SudokulabError, match="pencilmark puzzle"):
            solve_array(texts)


def test_lines_of_the_fast_solver_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(f"{EASY.line}\n{pencilmarks()}\n{EASY.line}\n" * 3)
    done = run("solve", path, "--keep-going")
    assert (done.returncode, done.stderr.count(NAME)) == (2, 3)
    assert len([line for line in done.stdout.splitlines() if len(line) == 81]) == 6
    assert NAME in run("solve", pencilmarks()).stderr
    assert NAME in run("check", "--box", "3x3", pencilmarks()).stderr


def test_data_sets_are_refused_by_name(tmp_path: Path) -> None:
    for name, text in (("x.csv", f"puzzle\n{pencilmarks()}\n"), ("x.txt", f"{pencilmarks()}\n")):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(DatasetError, match="pencilmark puzzle"):
            list(read_blocks(path))


@pytest.mark.parametrize("rows", [(EASY.line, pencilmarks()), (pencilmarks(), EASY.line)], ids=["second", "first"])
def test_a_row_of_a_data_set_is_refused_by_name(tmp_path: Path, rows: tuple[str, str]) -> None:
    for name, head in (("x.csv", "puzzle\n"), ("x.txt", "")):
        path = tmp_path / name
        path.write_text(head + "".join(f"{row}\n" for row in rows))
        (block,) = read_blocks(path)
        assert block.box == NINE
        (problem,) = block.problems.values()
        assert NAME in problem


def groups() -> list[str]:
    """Return the candidates of each cell of a puzzle as digits."""
    text = pencilmarks()
    return [text[start : start + 9].replace(".", "") or "12" for start in range(0, 729, 9)]


def rows_of_groups(between: str = " ") -> list[str]:
    """Return the rows of a puzzle given by its candidates, with bars or spaces between the boxes."""
    cells = groups()
    boxes = [" ".join(f"{cell:<9}" for cell in cells[start : start + 3]) for start in range(0, 81, 3)]
    return [f"{between} {f' {between} '.join(boxes[row : row + 3])} {between}" for row in range(0, 27, 3)]


def hodoku() -> str:
    """Return a grid of candidates in a frame like HoDoKu's."""
    rows, dashes = rows_of_groups("|"), "-" * 31
    bands = ["\n".join(rows[start : start + 3]) for start in (0, 3, 6)]
    between = f":{dashes}+{dashes}+{dashes}:"
    top, bottom = f".{dashes}.{dashes}.{dashes}.", f"'{dashes}'{dashes}'{dashes}'"
    return "\n".join([top, f"\n{between}\n".join(bands), bottom])


GROUPS = {"line": " ".join(groups()), "rows": "\n".join(rows_of_groups()), "HoDoKu's frame": hodoku()}


@for_each("form", GROUPS)
def test_groups_of_candidates_are_refused_by_name(form: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(GROUPS[form])
    assert NAME in caught.value.problem
    assert caught.value.advice.startswith("write only the givens")


@for_each("form", GROUPS)
def test_the_text_after_groups_of_candidates_is_read(form: str) -> None:
    more = EASY.line if form == "line" else GRID
    reader = read(io.StringIO(f"# three puzzles\n{GROUPS[form]}\n\n{GROUPS[form]}\n\n{more}\n"), keep_going=True)
    assert list(reader) == [EASY]
    assert [(error.line, NAME in error.problem) for error in reader.errors] == [
        (2, True),
        (4 + GROUPS[form].count("\n"), True),
    ]


def test_a_line_of_groups_of_candidates_between_puzzles_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(f"{EASY.line}\n{GROUPS['line']}\n{EASY.line}\n")
    reader = read(path, keep_going=True)
    assert list(reader) == [EASY, EASY]
    assert [(error.line, NAME in error.problem) for error in reader.errors] == [(2, True)]


def test_groups_of_candidates_in_tables_are_refused_by_name() -> None:
    for text in (f"puzzle,solution\n{GROUPS['line']},\n", json.dumps({"puzzle": GROUPS["line"]})):
        reader = read(io.StringIO(text), keep_going=True)
        assert list(reader) == []
        assert NAME in reader.errors[0].problem


def test_full_grids_and_columns_of_numbers_are_read() -> None:
    full = random_grid(9, seed=1)
    rows = [full.line[start : start + 9] for start in range(0, 81, 9)]
    for text in (" ".join(full.line), "\n".join(" ".join(row) for row in rows)):
        assert parse(text) == full
    sixteen = random_grid(16, seed=1)
    assert parse(" ".join(str(digit) for digit in sixteen.cells)) == sixteen


def test_the_box_shape_asks_for_a_27x27_grid() -> None:
    assert parse(pencilmarks(), box="3x9").size == 27
    reader = read(io.StringIO(pencilmarks()), box=(9, 3))
    assert next(reader).size == 27


def test_27x27_grids_are_read() -> None:
    full = random_grid(27, seed=3)
    rng = random.Random(4)
    grids = [full, Puzzle.empty(27)]
    for share in (0.9, 0.5, 0.1, 0.02):
        grids.append(Puzzle(bytes(digit if rng.random() < share else 0 for digit in full.cells)))
    # the digit of each position, without a repetition in a column: as many as a valid grid can have
    cells = bytearray(729)
    for col in range(27):
        cells[(col % 9 * 3 + col // 9) * 27 + col] = col % 9 + 1
    grids.append(Puzzle(bytes(cells)))
    for grid in grids:
        assert parse(grid.line) == grid
        assert parse(json.dumps({"puzzle": grid.line}), "jsonl") == grid
        assert list(Inputs([grid.line], None, None, False)) == [grid]
