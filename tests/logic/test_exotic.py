"""Junior exocets, tridagons, fireworks and SK loops together: they spare the solution."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

import sudokulab
from sudokulab import _core
from sudokulab._internal.native import native_puzzle
from tests.cases import for_each
from tests.logic.boards import Board, random_board
from tests.logic.extremes import BASIC, EXTREMES, NO_LIMIT, PATTERNS, StuckBoard, assert_sound, solution_of
from tests.puzzles import full_grid

pytestmark = [pytest.mark.native, pytest.mark.heavy]


@for_each("technique", PATTERNS)
@for_each("density", [0.08, 0.12, 0.2, 0.3])
def test_patterns_spare_the_solution(technique: str, density: float) -> None:
    for seed in range(20):
        for shape in ((3, 3), (2, 3), (3, 4)):
            board, solution = random_board(shape, density, seed)
            assert_sound(board.steps(technique), solution)


def test_patterns_spare_the_solution_where_they_are_frequent() -> None:
    """Keep the cells of random solutions in the shape of each pattern, with other candidates at random."""
    found: set[str] = set()
    for seed in range(10):
        rng = random.Random(seed)
        solution = list(full_grid((3, 3)).shuffle(seed).cells)
        for digits in itertools.combinations(range(1, 10), 3):
            board = Board()
            for number, digit in enumerate(solution):
                if digit in digits:
                    board.cells[number] = set(digits)
                else:
                    board.cells[number] = {digit, rng.randint(1, 9)}
            for number in rng.sample(range(81), 12):
                board.cells[number] |= {*digits}
            for technique in ("tridagon", "fireworks"):
                steps = board.steps(technique)
                assert_sound(steps, solution)
                found |= {step.technique for step in steps}
    assert found == {"tridagon", "fireworks"}


def test_patterns_solve_extreme_puzzles_with_trials() -> None:
    for seed, puzzle in enumerate(EXTREMES):
        shuffled = puzzle.shuffle(seed)
        solution = solution_of(shuffled)
        native = native_puzzle(shuffled)
        path = _core.deduce(native, [*BASIC, *PATTERNS, "trial"], NO_LIMIT, _core.Budget())
        assert_sound(path.steps, solution)
        assert list(path.grid) == solution


def test_patterns_spare_the_solutions_of_extreme_puzzles(public_data: Path) -> None:
    lines = (public_data / "ratings" / "extreme-5000.txt").read_text().splitlines()
    showing = dict.fromkeys(PATTERNS, 0)
    for line in lines[1:500:2]:
        puzzle = sudokulab.parse(line.split()[0])
        board, solution = StuckBoard(puzzle), solution_of(puzzle)
        for technique in PATTERNS:
            steps = board.steps(technique)
            assert_sound(steps, solution)
            showing[technique] += bool(steps)
    assert showing["junior-exocet"] > 100
