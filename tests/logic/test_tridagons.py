"""Tridagons."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.logic.boards import Board, candidates, cell, eliminated
from tests.logic.extremes import TRIVALUE, StuckBoard

pytestmark = [pytest.mark.native, pytest.mark.heavy]


ORDERS = list(itertools.permutations(range(3)))
IMPOSSIBLE = (ORDERS[0], ORDERS[0], ORDERS[0], ORDERS[1])


def tridagon_cells(orders: tuple[tuple[int, ...], ...], size: int = 9, height: int = 3, width: int = 3) -> list[int]:
    """Return the twelve cells in the first two bands and stacks; each order lists the columns of a box by row."""
    return [
        (band * height + line) * size + stack * width + order[line]
        for (band, stack), order in zip(itertools.product(range(2), repeat=2), orders, strict=True)
        for line in range(3)
    ]


def tridagon(orders: tuple[tuple[int, ...], ...] = IMPOSSIBLE) -> Board:
    board = Board()
    for number in tridagon_cells(orders):
        board.cells[number] = {1, 2, 3}
    return board


def can_be_filled(orders: tuple[tuple[int, ...], ...]) -> bool:
    cells = tridagon_cells(orders)
    peers = Board().peers()
    digits: dict[int, int] = {}

    def fill(index: int) -> bool:
        if index == len(cells):
            return True
        for digit in (1, 2, 3):
            if all(digits[other] != digit for other in cells[:index] if other in peers[cells[index]]):
                digits[cells[index]] = digit
                if fill(index + 1):
                    return True
        return False

    return fill(0)


def test_a_tridagon_needs_its_guardian() -> None:
    board = tridagon().only("r1c1", [1, 2, 3, 4])
    (step,) = board.steps("tridagon")
    assert step.placements == [(0, 4)]
    assert not step.eliminations
    assert step.nodes == [[(0, 4)]]


def test_the_guarded_cell_of_a_tridagon_loses_the_three_digits() -> None:
    (step,) = tridagon().only("r1c1", [1, 2, 4, 5]).steps("tridagon")
    assert eliminated([step]) == candidates([1, 2], "r1c1")
    assert (step.length, step.placements) == (2, [])


def test_cells_that_see_all_guardians_of_a_tridagon_lose_their_digit() -> None:
    (step,) = tridagon().only("r1c1 r2c2", [1, 2, 3, 4]).steps("tridagon")
    assert eliminated([step]) == candidates([4], "r1c2 r1c3 r2c1 r2c3 r3c1 r3c2")
    assert not tridagon().only("r1c1", [1, 2, 3, 4]).only("r2c2", [1, 2, 3, 5]).steps("tridagon")


def test_digits_can_be_missing_from_a_tridagon() -> None:
    board = tridagon().only("r1c1", [1, 2, 4]).only("r2c5 r5c2", [1, 3])
    assert [step.placements for step in board.steps("tridagon")] == [[(0, 4)]]
    assert not board.only("r2c5", [3]).steps("tridagon")


def test_tridagons_are_the_patterns_that_three_digits_cannot_fill() -> None:
    all_orders = list(itertools.product(ORDERS, repeat=4))
    impossible = 0
    for orders in random.Random(1).sample(all_orders, 150):
        board = tridagon(orders)
        board.cells[tridagon_cells(orders)[0]].add(4)
        assert bool(board.steps("tridagon")) == (not can_be_filled(orders)), orders
        impossible += not can_be_filled(orders)
    assert 50 < impossible < 100


def test_larger_boxes_have_tridagons() -> None:
    board = Board((4, 5))
    cells = tridagon_cells(IMPOSSIBLE, 20, 4, 5)
    for number in cells:
        board.cells[number] = {1, 2, 3}
    board.cells[cells[5]].add(20)
    (step,) = board.steps("tridagon")
    assert step.placements == [(cells[5], 20)]
    assert sorted(step.cells) == sorted(cells)


def test_the_tridagon_of_a_famous_puzzle() -> None:
    (step,) = StuckBoard(TRIVALUE).steps("tridagon")
    assert step.placements == [(cell("r8c8"), 1)]
