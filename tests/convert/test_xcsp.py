from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import pytest
from ortools.sat.python import cp_model

from sudokulab import Puzzle, SudokulabError, is_solution
from sudokulab.convert import decode_xcsp, write_xcsp
from sudokulab.errors import NoSolutionError
from tests.cases import for_each
from tests.puzzles import EASY, IMPOSSIBLE_4, SMALL, TINY


def network_of(puzzle: Puzzle) -> str:
    with io.StringIO() as stream:
        write_xcsp(puzzle, stream)
        return stream.getvalue()


def answer_of(network: str) -> str:
    """Solve a network that consists of one array, allDifferent and instantiation."""
    root = ElementTree.fromstring(network)
    array = root.find("variables/array")
    assert array is not None
    rows, cols = map(int, re.findall(r"\[(\d+)\]", array.attrib["size"]))
    low, high = map(int, str(array.text).split(".."))
    model = cp_model.CpModel()
    x = [[model.new_int_var(low, high, f"x[{r}][{c}]") for c in range(cols)] for r in range(rows)]
    for constraint in root.findall("constraints/allDifferent"):
        if constraint.find("matrix") is not None:
            for line in [*x, *zip(*x, strict=True)]:
                model.add_all_different(line)
        else:
            top, bottom, left, right = map(int, re.findall(r"\d+", str(constraint.text)))
            model.add_all_different(x[r][c] for r in range(top, bottom + 1) for c in range(left, right + 1))
    for given in root.findall("constraints/instantiation"):
        cells, values = str(given.findtext("list")).split(), str(given.findtext("values")).split()
        for cell, value in zip(cells, values, strict=True):
            r, c = map(int, re.findall(r"\d+", cell))
            model.add(x[r][c] == int(value))
    solver = cp_model.CpSolver()
    if solver.solve(model) == cp_model.INFEASIBLE:
        return "s UNSATISFIABLE"
    names = " ".join(f"x[{r}][{c}]" for r in range(rows) for c in range(cols))
    digits = " ".join(str(solver.value(cell)) for line in x for cell in line)
    return (
        f"c a comment\ns SATISFIABLE\nv <instantiation>\nv <list> {names} </list>\nv <values> {digits} </values>\n"
        "v </instantiation>\n"
    )


@for_each("puzzle", [TINY, SMALL, SMALL.transpose(), EASY, Puzzle.empty(4)], ids=str)
def test_the_network_has_the_solution_of_the_puzzle(puzzle: Puzzle) -> None:
    solution = decode_xcsp(puzzle, answer_of(network_of(puzzle)))
    assert is_solution(solution.givens, puzzle)


def test_the_network_of_an_impossible_puzzle_has_none() -> None:
    with pytest.raises(NoSolutionError):
        decode_xcsp(IMPOSSIBLE_4, answer_of(network_of(IMPOSSIBLE_4)))


def test_a_name_cannot_break_out_of_its_comment() -> None:
    ElementTree.fromstring(network_of(Puzzle(TINY.cells, name="--> <a>")))


@for_each(
    ("answer", "words"),
    [
        ("s UNKNOWN", "reached no verdict"),
        ("s SATISFIABLE", "no <instantiation>"),
        ("v <list> x[][] </list> <values> 1 2 </values>", "16 cells and 2 values"),
        ("v <list> x[][] </list> <values> 1 a </values>", "'a' in the answer is not an integer"),
        ("v <list> x[0][4] </list> <values> 1 </values>", r"x\[0\]\[4\] = 1 in the answer"),
        ("v <list> x[0][0] </list> <values> 5 </values>", r"x\[0\]\[0\] = 5 in the answer"),
        ("v <list> x[][] </list> <values> 1x16 </values>", "does not solve this puzzle"),
    ],
)
def test_wrong_answers_are_explained(answer: str, words: str) -> None:
    with pytest.raises(SudokulabError, match=words):
        decode_xcsp(TINY, answer)
