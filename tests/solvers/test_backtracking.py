"""Backtracking with the paper's propagation, compared with an obvious reimplementation in Python."""

from __future__ import annotations

import pytest
from hypothesis import given

from sudokulab import Budget, Puzzle, Status, _core
from sudokulab._internal.native import native_puzzle
from sudokulab.logic import cp
from sudokulab.solvers import Backtracking, Dlx
from tests.cases import for_each
from tests.puzzles import BOXES, EASY, INKALA, any_puzzles, random_instance, satisfiable_puzzles
from tests.solvers.peer_propagation import SlowBacktracking, slow_board

pytestmark = pytest.mark.native

PARTIAL = [
    random_instance(box, int(share * (box[0] * box[1]) ** 2), seed)
    for box, number in (((2, 2), 8), ((2, 3), 8), ((3, 3), 8), ((4, 3), 3), ((4, 4), 2), ((5, 5), 1))
    for share in (0.2, 0.35, 0.45, 0.55, 0.7)
    for seed in range(number)
]

USUAL = [puzzle for puzzle in PARTIAL if puzzle.size == 9]
SEARCHED = [INKALA, EASY, *USUAL, *(puzzle for puzzle in PARTIAL if puzzle.size < 9 and puzzle.num_givens > 6)]


def value_sets(puzzle: Puzzle) -> list[set[int]]:
    masks = _core.peer_value_sets(native_puzzle(puzzle))
    return [{digit + 1 for digit in range(puzzle.size) if mask >> digit & 1} for mask in masks]


@pytest.mark.thorough
@for_each("puzzle", [INKALA, EASY, Puzzle.empty(9), *PARTIAL], ids=lambda puzzle: f"{puzzle.size}")
def test_propagation_to_peers_agrees_with_the_slow_one(puzzle: Puzzle) -> None:
    assert value_sets(puzzle) == slow_board(puzzle).sets


def test_the_result_depends_on_the_order_of_the_peers() -> None:
    """Therefore the order of the authors' program is part of the algorithm."""
    backwards = [slow_board(puzzle, order=lambda peers: peers[::-1]).sets for puzzle in USUAL]
    assert backwards != [value_sets(puzzle) for puzzle in USUAL]


def test_propagation_to_peers_leaves_some_singles() -> None:
    fixed = [(slow_board(puzzle).num_fixed, cp(puzzle).num_givens) for puzzle in USUAL]
    assert all(by_peers <= by_singles for by_peers, by_singles in fixed)
    assert any(by_peers < by_singles for by_peers, by_singles in fixed)


def test_only_singles_notices_a_digit_without_a_place() -> None:
    """Row 1 lacks a 9, its open cells are in the third box, and the 9 of that box is in row 2. No cell is empty."""
    puzzle = "123456..." + ".......9." + "." * 63
    no_search = Budget(nodes=0)
    assert Backtracking().solve(puzzle, no_search).status is Status.UNKNOWN
    assert Backtracking(propagation="singles").solve(puzzle, no_search).status is Status.UNSATISFIABLE
    assert Backtracking().solve(puzzle).status is Status.UNSATISFIABLE


@pytest.mark.thorough
@for_each("puzzle", SEARCHED, ids=lambda puzzle: f"{puzzle.size}")
def test_the_search_tries_the_same_values_as_the_slow_one(puzzle: Puzzle) -> None:
    search = SlowBacktracking()
    solutions = search.solutions(slow_board(puzzle))
    first, result = next(solutions), Backtracking().solve(puzzle)
    assert result.solution is not None
    assert (result.solution.cells, result.stats["nodes"]) == (first, search.num_nodes)
    if puzzle.size < 9:
        assert [solution.cells for solution in Backtracking().solutions(puzzle)] == [first, *solutions]


@given(satisfiable_puzzles([box for box in BOXES if box.size <= 9], min_fraction=0.3))
def test_both_propagations_find_all_solutions(puzzle: Puzzle) -> None:
    expected = Dlx().count(puzzle, 20)
    assert Backtracking().count(puzzle, 20) == expected
    assert Backtracking(propagation="singles").count(puzzle, 20) == expected


@given(any_puzzles([box for box in BOXES if box.size <= 6]))  # larger contradictory grids can take very long
def test_both_propagations_agree_on_contradictory_puzzles(puzzle: Puzzle) -> None:
    assert Backtracking().count(puzzle, 1) == Backtracking(propagation="singles").count(puzzle, 1)
