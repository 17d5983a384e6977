"""9×9 puzzles in bulk: every instruction set and number of threads gives the same answers, in order."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest

from sudokulab import BoxShape, Puzzle, PuzzleError, _core, generate, parse
from sudokulab.errors import ParameterError
from sudokulab.instances import find
from sudokulab.questions.arrays import INSTRUCTIONS, as_array, count_array, is_unique_array, solve_array
from sudokulab.solvers import Dlx
from sudokulab.verify import are_solutions
from tests.cases import for_each
from tests.puzzles import EASY, ENDLESS, INKALA, SEVENTEEN, random_instance

pytestmark = [pytest.mark.native, pytest.mark.parametrize("instructions", INSTRUCTIONS)]

ORACLE = Dlx()
"""Shares no engine with arrays, `count` or `is_unique`."""

EMPTY = Puzzle.empty(9)
CLASH = parse("11" + "." * 79)
# Has no solution; proving it takes very long without branching on the positions of a digit.
LONG = parse(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........")


@pytest.fixture(scope="module")
def mixed() -> list[Puzzle]:
    """Return puzzles with one solution, several and none; more puzzles than lanes."""
    unique = [EASY, INKALA, SEVENTEEN, *generate(60, seed=1, progress=False)]
    several = [random_instance((3, 3), number, seed) for seed in range(20) for number in (17, 22, 26, 30)]
    none = [CLASH, *(_spoiled(puzzle, seed) for seed, puzzle in enumerate(unique[:20]))]
    puzzles = [*unique, *several, *none, EMPTY]
    random.Random(1).shuffle(puzzles)
    return puzzles


def _spoiled(puzzle: Puzzle, seed: int) -> Puzzle:
    """Add a wrong digit to a puzzle with one solution."""
    solution = ORACLE.solve(puzzle).solution
    assert solution
    cell = random.Random(seed).choice([c for c, digit in enumerate(puzzle.cells) if not digit])
    wrong = solution.cells[cell] % 9 + 1
    return Puzzle(bytes([*puzzle.cells[:cell], wrong, *puzzle.cells[cell + 1 :]]))


def test_counts_agree_with_dancing_links(instructions: str, mixed: list[Puzzle]) -> None:
    for limit in (1, 2, 50):
        found = count_array(mixed, limit, instructions=instructions)
        assert found.tolist() == [ORACLE.count(puzzle, limit) for puzzle in mixed]


def test_solutions_are_valid_and_in_order(instructions: str, mixed: list[Puzzle]) -> None:
    givens = as_array(mixed)
    solutions = solve_array(givens, instructions=instructions)
    is_solvable = np.array([ORACLE.solve(puzzle).is_solved for puzzle in mixed])
    assert (
        are_solutions(solutions.reshape(-1, 9, 9), givens.reshape(-1, 9, 9), BoxShape(3, 3)).tolist()
        == is_solvable.tolist()
    )
    assert (solutions[~is_solvable] == 0).all()


def test_uniqueness_agrees_with_dancing_links(instructions: str, mixed: list[Puzzle]) -> None:
    assert is_unique_array(mixed, instructions=instructions).tolist() == [
        ORACLE.count(puzzle, 2) == 1 for puzzle in mixed
    ]


def test_answers_do_not_depend_on_the_number_of_threads(instructions: str, mixed: list[Puzzle]) -> None:
    many = as_array(mixed * 40)  # more than one block of work
    one = solve_array(many, threads=1, instructions=instructions)
    assert (one == solve_array(many, threads=3, instructions=instructions)).all()
    assert (one[: len(mixed)] == one[-len(mixed) :]).all()


def test_answers_do_not_depend_on_the_other_puzzles(instructions: str, mixed: list[Puzzle]) -> None:
    together = solve_array(mixed, instructions=instructions)
    reversed_order = solve_array(mixed[::-1], instructions=instructions)[::-1]
    alone = np.concatenate([solve_array([puzzle], instructions=instructions) for puzzle in mixed])
    assert (together == alone).all()
    assert (together == reversed_order).all()
    assert (together == solve_array(mixed, instructions="portable")).all()


def test_famous_puzzles_are_unique(instructions: str) -> None:
    famous = find("famous")
    assert famous
    assert is_unique_array(famous, instructions=instructions).all()


def test_a_hard_unsatisfiable_puzzle_is_detected(instructions: str) -> None:
    assert count_array([LONG], instructions=instructions).tolist() == [0]


@pytest.mark.timing
def test_grids_over_the_guess_limit_do_not_hold_up_an_array(instructions: str) -> None:
    array = as_array([EASY, ENDLESS, INKALA] * 10)
    start = time.process_time()
    solved = solve_array(array, instructions=instructions).any(axis=1)
    assert solved.tolist() == [True, False, True] * 10
    assert count_array(array, 2, instructions=instructions).tolist() == [1, 0, 1] * 10
    assert time.process_time() - start < 10


def test_counts_beyond_the_limit_of_the_engine_are_exact(instructions: str) -> None:
    puzzle = random_instance((3, 3), 25, seed=11)
    number = ORACLE.count(puzzle)
    assert number > 1000
    assert count_array([puzzle, EASY], 10**9, instructions=instructions).tolist() == [number, 1]
    assert count_array([puzzle, EASY], number - 1, instructions=instructions).tolist() == [number - 1, 1]


def test_the_core_rejects_invalid_digits(instructions: str) -> None:
    wrong = np.zeros((2, 81), dtype=np.uint8)
    wrong[1, 80] = 10
    with pytest.raises(ValueError, match="digits do not fit the box shape"):
        _core.solve_array(wrong, 3, 3, 1, True, 1, instructions)
    with pytest.raises(ValueError, match="do not fit the box shape"):
        _core.solve_array(wrong, 2, 2, 1, True, 1, instructions)


def test_masked_cells_are_blanks(instructions: str) -> None:
    masked = np.ma.masked_equal(as_array([EASY]), 5)
    expected = solve_array([EASY.line.replace("5", ".")], instructions=instructions)
    assert (solve_array(masked, instructions=instructions) == expected).all()


def test_every_form_of_input_gives_the_same_answer(instructions: str) -> None:
    array = np.array([list(EASY.cells)], dtype=np.int64)
    for puzzles in ([EASY], [EASY.line], array, array.reshape(1, 9, 9), array.astype(np.uint8)):
        assert bytes(solve_array(puzzles, instructions=instructions)[0]) == bytes(solve_array([EASY])[0])
    assert solve_array([], instructions=instructions).shape == (0, 81)


def test_invalid_arrays_are_rejected(instructions: str) -> None:
    cases: list[tuple[Any, str]] = [
        (np.zeros((2, 80), dtype=np.uint8), r"the array has shape \(2, 80\): 80 cells; use a square number"),
        (np.zeros((2, 9, 8), dtype=int), r"the array has shape \(2, 9, 8\); use \(n, cells\)"),
        (np.array(5), r"the array has shape \(\); use \(n, cells\) or \(n, size, size\)"),
        (np.array(EASY.line), r"the array has shape \(\); use \(n, cells\) or \(n, size, size\)"),
        (np.zeros((2, 81)), "the array has type float64; pass integers"),
        (np.full((2, 81), 10), "digits from 10 to 10; use 0 to 9"),
        (np.full((2, 81), -1), "digits from -1"),
        ([EASY, "." * 16], "puzzle 2 has boxes of 2x2; use 3x3 for all puzzles"),
        ([EASY, "rubbish"], "puzzle 2: "),
        ([EASY.line, None], r'puzzle 2 is missing \(None\); drop such rows, or pass errors="mask" to solve_array'),
    ]
    for wrong, complaint in cases:
        with pytest.raises(PuzzleError, match=complaint):
            solve_array(wrong, instructions=instructions)
    assert count_array([EASY], 0, instructions=instructions).tolist() == [0]
    for limit in (-1, 2.0, "2"):
        with pytest.raises(ParameterError, match=r"limit: .*; choose an integer of at least 0"):
            count_array([EASY], limit, instructions=instructions)  # type: ignore[arg-type]


@for_each("limit", [0, 2])
def test_parameters_are_checked_before_anything_is_counted(instructions: str, limit: int) -> None:
    with pytest.raises(ParameterError, match="instructions: 'mmx'; choose one of best, portable"):
        count_array([EASY], limit, instructions="mmx")
    with pytest.raises(ParameterError, match="threads: -5; choose an integer from 1"):
        count_array([EASY], limit, threads=-5, instructions=instructions)
    with pytest.raises(ParameterError, match="threads: -5; choose an integer from 1"):
        solve_array(["rubbish"], threads=-5, instructions=instructions)
