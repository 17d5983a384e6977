from __future__ import annotations

import io
import json
import re

import pytest

from sudokulab import Puzzle, SudokulabError, solve
from sudokulab.convert import decode_minizinc, minizinc_model, write_minizinc, write_minizinc_model
from sudokulab.errors import NoSolutionError
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


def test_one_file_has_the_model_and_the_data() -> None:
    stream, data = io.StringIO(), io.StringIO()
    write_minizinc_model(TINY, stream)
    write_minizinc(TINY, data)
    assert stream.getvalue() == f"{minizinc_model()}\n{data.getvalue()}"


@for_each("puzzle", [TINY, SMALL, EASY], ids=str)
def test_the_output_of_the_model_is_read(puzzle: Puzzle) -> None:
    solution = solve(puzzle).solution
    assert solution is not None
    rows = "\n".join(" ".join(map(str, row)) for row in solution.givens.tolist())
    assert (
        decode_minizinc(puzzle, f"% time elapsed: 0.1 s\n{rows}\n----------\n{rows}\n----------\n==========")
        == solution
    )


def test_the_messages_of_a_json_stream_are_read() -> None:
    solution = solve(TINY).solution
    assert solution is not None
    rows = "\n".join(" ".join(map(str, row)) for row in solution.givens.tolist())
    messages = [
        {"type": "statistics", "statistics": {"solveTime": 0.1}},
        {"type": "solution", "output": {"default": f"{rows}\n"}, "sections": ["default"], "time": 10},
        {"type": "solution", "output": {"default": f"{rows}\n"}, "sections": ["default"], "time": 20},
        {"type": "status", "status": "ALL_SOLUTIONS"},
    ]
    assert decode_minizinc(TINY, "\n".join(map(json.dumps, messages))) == solution


@for_each(
    ("answer", "error", "words"),
    [
        ("=====UNSATISFIABLE=====", NoSolutionError, "no solution"),
        ("=====UNKNOWN=====", SudokulabError, "reached no verdict"),
        ("1 2 3 4\n----------", SudokulabError, "4 numbers in the answer; write 16 from 1 to 4"),
        ("5 " * 16, SudokulabError, "write 16 from 1 to 4"),
        ("grid = [1]", SudokulabError, "'grid' in the answer is not an integer"),
        ("1 " * 16, SudokulabError, "does not solve this puzzle"),
        ('{"type": "status", "status": "UNSATISFIABLE"}', NoSolutionError, "no solution"),
        ('{"type": "status", "status": "UNKNOWN"}', SudokulabError, "reached no verdict"),
        ('{"type": "solution", "output": {"default": "1 2"}}', SudokulabError, "2 numbers in the answer"),
        ('{"type": "statistics"}\n{', SudokulabError, "'{' in the answer is not JSON"),
        ('{"type": "solution", "output": 7}', SudokulabError, "0 numbers in the answer"),
    ],
)
def test_wrong_outputs_are_explained(answer: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        decode_minizinc(TINY, answer)
