from __future__ import annotations

import io
import re

from sudokulab import Puzzle
from sudokulab.convert import minizinc_model, write_minizinc
from tests.cases import for_each
from tests.puzzles import EASY, SMALL, TINY, full_grid


@for_each("puzzle", [TINY, SMALL, SMALL.transpose(), EASY, full_grid((3, 4))], ids=str)
def test_data_files_contain_the_puzzle(puzzle: Puzzle) -> None:
    stream = io.StringIO()
    write_minizinc(puzzle, stream)
    data = "".join(line for line in stream.getvalue().splitlines() if not line.startswith("%"))
    values = dict(item.split(" = ") for item in data.rstrip(";").split(";"))
    rows = [[int(number) for number in row.split(",")] for row in values["givens"].strip("[]|").split("|")]
    assert Puzzle.from_array(rows, (int(values["box_rows"]), int(values["box_cols"]))) == puzzle


def test_the_model_declares_all_data() -> None:
    stream = io.StringIO()
    write_minizinc(TINY, stream)
    assigned = set(re.findall(r"^(\w+) =", stream.getvalue(), re.MULTILINE))
    declared = set(re.findall(r": (\w+);", minizinc_model()))
    assert assigned == {"box_rows", "box_cols", "givens"}
    assert declared == assigned | {"grid"}


def test_a_name_cannot_break_out_of_its_comment() -> None:
    stream = io.StringIO()
    write_minizinc(Puzzle(TINY.cells, name="two\nlines"), stream)
    assert stream.getvalue().splitlines()[0] == f"% puzzle {TINY.line} two lines"
