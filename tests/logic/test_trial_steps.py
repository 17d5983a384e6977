"""The last resort: a candidate is refuted by a search."""

from __future__ import annotations

import pytest

from sudokulab import Puzzle, _core
from sudokulab._internal.native import native_puzzle
from tests.cases import for_each
from tests.logic.boards import Board, eliminated, random_board
from tests.logic.extremes import EXTREMES, GOLDEN_NUGGET, NO_LIMIT, StuckBoard, solution_of
from tests.puzzles import EASY, INKALA, TINY

pytestmark = [pytest.mark.native, pytest.mark.heavy]


def all_solutions(board: Board) -> list[tuple[int, ...]]:
    found = []
    peers = board.peers()
    digits: list[int] = []

    def fill() -> None:
        number = len(digits)
        if number == len(board.cells):
            found.append(tuple(digits))
            return
        for digit in board.cells[number]:
            if all(digits[other] != digit for other in peers[number] if other < number):
                digits.append(digit)
                fill()
                digits.pop()

    fill()
    return found


@for_each("density", [0.5, 0.8, 1.0])
def test_trials_remove_what_is_in_no_solution(density: float) -> None:
    for seed in range(10):
        board, solution = random_board((2, 2), density, seed)
        solutions = all_solutions(board)
        assert tuple(solution) in solutions
        possible = {(number, digit) for digits in solutions for number, digit in enumerate(digits)}
        several = [number for number, digits in enumerate(board.cells) if len(digits) > 1]
        wrong = {(number, digit) for number in several for digit in board.cells[number]} - possible
        steps = board.steps("trial")
        assert eliminated(steps) == wrong
        assert all(len(step.eliminations) + len(step.placements) == 1 for step in steps)
        assert all(step.length > 0 for step in steps if step.eliminations)
        singles = {(number, digit) for number, digits in enumerate(board.cells) for digit in digits} - {
            (number, digit) for number in several for digit in board.cells[number]
        }
        assert {candidate for step in steps for candidate in step.placements} == singles


def test_trials_begin_with_the_first_cell_that_has_the_fewest_candidates() -> None:
    board = StuckBoard(INKALA)
    fewest = min(len(board.cells[number]) for number in range(81) if board.is_open[number])
    first = next(number for number in range(81) if board.is_open[number] and len(board.cells[number]) == fewest)
    assert board.steps("trial")[0].cells == [first]


@for_each("puzzle", [EASY, *EXTREMES, TINY])
def test_trials_alone_solve_a_puzzle(puzzle: Puzzle) -> None:
    deduced = _core.deduce(native_puzzle(puzzle), ["trial"], NO_LIMIT, _core.Budget())
    assert list(deduced.grid) == solution_of(puzzle)


def test_trials_leave_several_solutions_alone() -> None:
    puzzle = Puzzle.empty((2, 2))
    assert not _core.find_steps(native_puzzle(puzzle), None, "trial")


def test_a_budget_stops_trials() -> None:
    native = native_puzzle(GOLDEN_NUGGET)
    assert not _core.find_steps(native, None, "trial", budget=_core.Budget(nodes=20))
    assert not _core.find_steps(native, None, "trial", budget=_core.Budget(seconds=0))
    some = _core.find_steps(native, None, "trial", budget=_core.Budget(nodes=1000))
    assert 0 < len(some) < len(_core.find_steps(native, None, "trial"))
    assert sum(step.length for step in some) <= 1000


def test_trials_refute_every_candidate_of_an_impossible_board() -> None:
    board = Board((2, 2))
    board.cells[0], board.cells[1] = {1}, {1}
    steps = board.steps("trial")
    assert len(eliminated(steps)) == sum(len(digits) for digits in board.cells[2:])
