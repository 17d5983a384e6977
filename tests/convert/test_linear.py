from __future__ import annotations

import io
from pathlib import Path

import pytest
from scipy.optimize._highspy import _core

from sudokulab import Puzzle, SudokulabError, is_solution, parse, solve
from sudokulab.convert import decode_lp, write_lp
from sudokulab.errors import NoSolutionError
from tests.cases import for_each
from tests.puzzles import EASY, IMPOSSIBLE_4, SMALL, TINY

SOLVED = solve(TINY).solution
assert SOLVED is not None


def program_of(puzzle: Puzzle) -> str:
    with io.StringIO() as stream:
        write_lp(puzzle, stream)
        return stream.getvalue()


def answer_of(program: str, folder: Path, style: int = 0) -> str:
    """Solve a program with HiGHS, which scipy contains, and return its solution file."""
    (folder / "model.lp").write_text(program)
    solver = _core._Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(folder / "model.lp")) == _core.HighsStatus.kOk
    solver.run()
    solver.writeSolution(str(folder / "solution.txt"), style)
    return (folder / "solution.txt").read_text()


@for_each("puzzle", [TINY, SMALL, SMALL.transpose(), EASY], ids=str)
def test_the_program_has_the_solution_of_the_puzzle(puzzle: Puzzle, tmp_path: Path) -> None:
    for style in (0, 1):  # raw and pretty
        assert is_solution(decode_lp(puzzle, answer_of(program_of(puzzle), tmp_path, style)).givens, puzzle)


def test_the_program_of_an_impossible_puzzle_is_infeasible(tmp_path: Path) -> None:
    for style in (0, 1):
        with pytest.raises(NoSolutionError):
            decode_lp(IMPOSSIBLE_4, answer_of(program_of(IMPOSSIBLE_4), tmp_path, style))


def test_lines_are_short() -> None:
    assert max(map(len, program_of(Puzzle.empty(25)).splitlines()[2:])) < 255


NAMES = [
    (f"x_{r}_{c}_{d}", int(SOLVED.givens[r - 1, c - 1] == d))
    for r in range(1, 5)
    for c in range(1, 5)
    for d in range(1, 5)
]


@for_each(
    "answer",
    [
        "\n".join(f"{name} {value}" for name, value in NAMES if value),  # Gurobi
        "solution status: optimal\n"
        + "\n".join(f"{name}   {value} \t(obj:0)" for name, value in NAMES if value),  # SCIP
        "Optimal - objective value 0\n"
        + "\n".join(f"{n:7} {name}  {value}  0" for n, (name, value) in enumerate(NAMES)),  # CBC
        "\n".join(f"{n:6} {name}      *   {value}     0     1" for n, (name, value) in enumerate(NAMES)),  # GLPK
        "Model status\nOptimal\n# Columns 64\n"
        + "\n".join(f"{name} {value + 1e-9}" for name, value in NAMES)
        + "\n# Rows 64\nc1 1\n# Dual solution values\n# Columns 64\n"
        + "\n".join(f"{name} 0" for name, _ in NAMES),  # HiGHS
        "<variables>"
        + "".join(f'<variable name="{name}" index="{n}" value="{value}"/>' for n, (name, value) in enumerate(NAMES))
        + "</variables>",  # CPLEX
    ],
    ids=["gurobi", "scip", "cbc", "glpk", "highs", "cplex"],
)
def test_solution_files_are_read(answer: str) -> None:
    assert decode_lp(TINY, answer) == SOLVED


@for_each(
    ("answer", "error", "words"),
    [
        ("Infeasible - objective value 0", NoSolutionError, "no solution"),
        ("Status:     INTEGER EMPTY", NoSolutionError, "no solution"),
        ("", SudokulabError, "no values of the variables"),
        ("x_1_1_5 1", SudokulabError, "x_1_1_5 in the answer, but the puzzle has size 4"),
        ("x_0_1_1 1", SudokulabError, "x_0_1_1 in the answer"),
        ("x_1_1_1 1\nx_1_1_2 1", SudokulabError, "two digits for r1c1, 1 and 2"),
        ("x_1_1_1 1", SudokulabError, "no digit for r1c2"),
    ],
)
def test_wrong_answers_are_explained(answer: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        decode_lp(TINY, answer)


def test_a_solution_of_another_puzzle_is_refused() -> None:
    with pytest.raises(SudokulabError, match="does not solve this puzzle"):
        decode_lp(parse("2..............."), "\n".join(f"{name} {value}" for name, value in NAMES if value))
