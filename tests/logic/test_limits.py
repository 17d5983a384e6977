"""Limits of the techniques: the size of the grid, and budgets."""

from __future__ import annotations

import random
import time
from functools import partial
from itertools import islice

import pytest

import sudokulab
from sudokulab import BoxShape, Budget, Puzzle, _core, random_grid
from sudokulab._internal.native import native_budget, native_puzzle
from tests.cases import for_each
from tests.timing import cpu_seconds

from .boards import Board, random_board

pytestmark = [pytest.mark.native, pytest.mark.heavy]

ANY_SIZE = {
    *("full-house", "hidden-single", "naked-single", "last-digit", "pointing", "claiming"),
    *(f"{kind}-{size}" for kind in ("naked", "hidden") for size in ("pair", "triplet", "quad")),
}
"""The techniques for grids of any size; the others work up to 25×25."""

BUDGET = native_budget(Budget(seconds=0.2))
MAX_SECONDS = 1.0
"""CPU time; without a check of the budget, the searches take minutes."""


def hard_puzzle() -> Puzzle:
    """Return a 25×25 puzzle with one solution and few givens: solutions are told apart by one more given at a time."""
    rng = random.Random(0)
    wanted = random_grid(25)
    givens = [digit if rng.random() < 0.45 else 0 for digit in wanted.cells]
    while True:
        puzzle = Puzzle(bytes(givens), BoxShape(5, 5))
        others = [found.cells for found in islice(sudokulab.solutions(puzzle), 2) if found.cells != wanted.cells]
        if not others:
            return puzzle
        number = rng.choice([k for k, digit in enumerate(wanted.cells) if digit != others[0][k]])
        givens[number] = wanted.cells[number]


def masks_of(board: Board) -> list[int]:
    return [sum(1 << digit - 1 for digit in digits) for digits in board.cells]


@pytest.fixture(scope="module")
def large_puzzle() -> _core.Puzzle:
    """Return a 25×25 puzzle in which three cells of five are given."""
    rng = random.Random(1)
    _, solution = random_board((5, 5), 0, 1)
    return native_puzzle(Puzzle(bytes(digit if rng.random() < 0.6 else 0 for digit in solution), BoxShape(5, 5)))


@pytest.fixture(scope="module")
def large_candidates() -> list[int]:
    """Return the candidates of a 25×25 board without givens, two per cell on average."""
    board, _ = random_board((5, 5), 0.04, 1)
    return masks_of(board)


@for_each("name", _core.technique_names())
def test_only_basic_techniques_look_at_grids_over_25(name: str) -> None:
    board = Board((6, 6))
    for unit in board.units()[::36]:  # the first row, column and box, which all patterns below share
        for number in unit[:8]:
            board.cells[number] = {1, 2, 3, 4}
    empty = native_puzzle(Puzzle.empty(board.shape))
    for masks in (None, masks_of(board)):
        steps = _core.find_steps(empty, masks, name, budget=BUDGET)
        assert not steps or name in ANY_SIZE


def test_deductions_on_grids_over_25_use_basic_techniques() -> None:
    givens = bytearray(36 * 36)
    givens[:35] = range(1, 36)
    names = [name for name in reversed(_core.technique_names()) if name != "naked-single"]
    deduced = _core.deduce(_core.Puzzle(6, 6, bytes(givens)), names, 100, _core.Budget())
    assert deduced.grid[35] == 36
    assert {step.technique for step in deduced.steps} <= ANY_SIZE


@pytest.mark.thorough
@pytest.mark.timing
@for_each("name", _core.technique_names())
def test_a_budget_stops_every_technique(name: str, large_puzzle: _core.Puzzle, large_candidates: list[int]) -> None:
    empty = native_puzzle(Puzzle.empty(BoxShape(5, 5)))
    for puzzle, masks in ((large_puzzle, None), (empty, large_candidates)):
        assert cpu_seconds(partial(_core.find_steps, puzzle, masks, name, budget=BUDGET)) < MAX_SECONDS


@pytest.mark.timing
def test_a_budget_stops_the_rating_of_sudoku_explainer() -> None:
    puzzle = native_puzzle(hard_puzzle())
    start = time.process_time()
    rated = _core.rate_explainer(puzzle, BUDGET)
    assert time.process_time() - start < MAX_SECONDS
    assert rated.rating.num_solutions == 1
    assert not rated.rating.is_solved
    assert rated.steps


def test_a_stopped_search_for_chains_lists_none(large_candidates: list[int]) -> None:
    empty = native_puzzle(Puzzle.empty(BoxShape(5, 5)))
    for name in ("xy-cycle", "dynamic-cell-forcing-chains", "als-alternating-inference-chain", "als-xy-chain"):
        assert _core.find_steps(empty, large_candidates, name, budget=_core.Budget(0.01)) == []
