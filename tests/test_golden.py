"""Golden lines ``puzzle:count:solution``, checked with every complete solver."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudokulab import Puzzle, Status, is_solution, parse
from sudokulab.solvers import CompleteSolver
from sudokulab.solvers.registry import all_solvers
from tests.cases import for_each

pytestmark = pytest.mark.native

LIMIT = 30
LINES = [line for line in (Path(__file__).parent / "data" / "golden.txt").read_text().splitlines() if line[0] != "#"]
COMPLETE = [solver for solver in all_solvers().values() if issubclass(solver, CompleteSolver)]


def test_golden_lines_cover_every_kind_of_puzzle() -> None:
    counts = {int(line.split(":")[1]) for line in LINES}
    assert {0, 1, 2, LIMIT} <= counts
    assert len(LINES) >= 50


@pytest.mark.heavy
@pytest.mark.parametrize("solver_type", COMPLETE, ids=lambda solver: solver.name)
@for_each("line", LINES)
def test_complete_solvers_reproduce_the_golden_lines(line: str, solver_type: type[CompleteSolver]) -> None:
    text, number, solution = line.split(":")
    puzzle, solver = parse(text), solver_type()
    assert solver.count(puzzle, LIMIT) == int(number)
    result = solver.solve(puzzle)
    assert result.status is (Status.SOLVED if int(number) else Status.UNSATISFIABLE)
    if result.is_solved:
        assert is_solution(result, puzzle)
    if solution:
        assert result.solution == Puzzle(parse(solution).cells, puzzle.box)
