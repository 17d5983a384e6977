"""The state shared by most metaheuristics, compared with costs computed from scratch."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import BoxShape, Puzzle, _core
from sudokulab._internal.native import native_puzzle
from tests.puzzles import full_grid, random_instance
from tests.solvers.box_states import cost_of

pytestmark = pytest.mark.native


def box_of(cell: int, box: BoxShape) -> tuple[int, int]:
    return cell // box.size // box.rows, cell % box.size // box.cols


@given(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)]), st.integers(0, 1000))
def test_the_predicted_cost_of_a_swap_is_exact(box: tuple[int, int], seed: int) -> None:
    puzzle = random_instance(box, 5, seed)
    rng = random.Random(seed)
    # random swaps inside boxes lead from a solution to box permutations far from any solution
    cells = bytearray(full_grid(box).shuffle(seed).cells)
    open_cells = [cell for cell in range(len(cells)) if not puzzle.cells[cell]]
    state = _core.BoxPermutation(native_puzzle(puzzle), bytes(cells))
    assert state.cost == 0
    for _ in range(30):
        first, second = rng.sample(open_cells, 2)
        if box_of(first, puzzle.box) != box_of(second, puzzle.box):
            continue
        delta = state.delta(first, second)
        cells[first], cells[second] = cells[second], cells[first]
        assert state.cost + delta == cost_of(bytes(cells), puzzle.size)
        state.swap(first, second, delta)
        assert state.cost == cost_of(bytes(cells), puzzle.size)
        assert state.grid == bytes(cells)


def test_a_hand_computed_swap() -> None:
    # swapping the first two cells preserves their row and breaks both of their columns
    solution = bytes([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
    state = _core.BoxPermutation(native_puzzle(Puzzle.empty(4)), solution)
    assert state.delta(0, 1) == 2
    assert state.delta(0, 4) == 2  # one column, two rows
    assert state.delta(0, 5) == 4  # two rows and two columns
