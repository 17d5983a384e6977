"""Fireworks."""

from __future__ import annotations

import itertools

import pytest

from tests.logic.boards import Board, candidates, cell, column, eliminated, random_board, row
from tests.logic.extremes import FIREWORK, Outcome, StuckBoard, outcomes

pytestmark = [pytest.mark.native, pytest.mark.heavy]


def firework_board(*digits: int) -> Board:
    """Return a board on which the digits are fireworks of r1c1, r1c9 and r9c1."""
    board = Board()
    for digit in digits:
        board.confine(digit, row(1), "r1c1 r1c2 r1c3 r1c9").confine(digit, column(1), "r1c1 r2c1 r3c1 r9c1")
    return board


def test_three_fireworks_fill_three_cells() -> None:
    (step,) = firework_board(1, 2, 3).steps("fireworks")
    assert (step.length, step.cells) == (3, [cell("r1c1"), cell("r1c9"), cell("r9c1")])
    assert eliminated([step]) == candidates([4, 5, 6, 7, 8, 9], "r1c1 r1c9 r9c1")
    assert not firework_board(1, 2).steps("fireworks")


@pytest.mark.parametrize("name", ["r1c8", "r8c1"])
def test_a_firework_fails_by_a_candidate_outside_the_box(name: str) -> None:
    board = firework_board(1, 2, 3)
    board.cells[cell(name)].add(3)
    assert not board.steps("fireworks")


def test_cells_that_see_a_firework_lose_its_digit() -> None:
    board = firework_board(1, 2, 3)
    board.cells[cell("r1c1")].discard(3)
    assert candidates([3], "r9c9") <= eliminated(board.steps("fireworks"))


def test_four_fireworks_fill_a_rectangle() -> None:
    board = firework_board(1, 2)
    for digit in (3, 4):
        board.confine(digit, row(9), "r9c1 r9c7 r9c8 r9c9").confine(digit, column(9), "r1c9 r7c9 r8c9 r9c9")
    (step,) = board.steps("fireworks")
    assert step.length == 4
    corners = candidates([3, 4], "r1c1") | candidates([1, 2], "r9c9")
    assert eliminated([step]) == corners | candidates([5, 6, 7, 8, 9], "r1c1 r1c9 r9c1 r9c9")
    board.cells[cell("r9c6")].add(4)
    assert not board.steps("fireworks")


def test_two_fireworks_copy_the_opposite_cell() -> None:
    (step,) = firework_board(1, 2).only("r9c9", [1, 2]).steps("fireworks")
    assert (step.length, eliminated([step])) == (2, candidates([3, 4, 5, 6, 7, 8, 9], "r1c1"))
    assert not firework_board(1, 2).only("r9c9", [1, 2, 3]).steps("fireworks")
    assert not firework_board(1, 2).only("r9c9", [1, 3]).steps("fireworks")


def test_the_firework_of_a_public_puzzle() -> None:
    (step,) = StuckBoard(FIREWORK).steps("fireworks")
    assert [cell("r7c3"), cell("r7c4"), cell("r6c3")] == step.cells
    assert eliminated([step]) == candidates([5, 9], "r7c3") | candidates([5, 6, 8], "r7c4") | candidates([7, 8], "r6c3")


def slow_fireworks(board: Board) -> set[Outcome]:
    """Return the fireworks by trying all cells and digits."""
    size, units, peers = board.size, board.units(), board.peers()
    box_of = {number: index for index, unit in enumerate(units[2 * size :]) for number in unit}

    def fireworks(x: int, y: int, z: int) -> list[int]:
        leaving = [(units[x // size], y), (units[size + x % size], z)]
        return [
            digit
            for digit in range(1, size + 1)
            if all(
                {number for number in line if digit in board.cells[number] and box_of[number] != box_of[x]} <= {end}
                for line, end in leaving
            )
        ]

    def removed(allowed: dict[int, set[int]]) -> frozenset[tuple[int, int]]:
        """Return what the cells lose if only these digits are allowed, and the cells that see all homes of a digit."""
        lost = {(number, digit) for number, digits in allowed.items() for digit in board.cells[number] - digits}
        for digit in set().union(*allowed.values()):
            homes = [number for number, digits in allowed.items() if digit in digits & board.cells[number]]
            seeing = set.intersection(*(peers[number] for number in homes)) - set(allowed)
            lost |= {(number, digit) for number in seeing & board.positions(digit)}
        return frozenset(lost)

    found: set[Outcome] = set()
    for x, y, z in itertools.product(range(size**2), repeat=3):
        if x // size != y // size or x % size != z % size or box_of[x] in (box_of[y], box_of[z]):
            continue
        w = z // size * size + y % size
        own, opposite = fireworks(x, y, z), fireworks(w, z, y)
        for three in map(set, itertools.combinations(own, 3)):
            found.add(((x, y, z), removed({x: three, y: three, z: three})))
        for two, others in itertools.product(itertools.combinations(own, 2), itertools.combinations(opposite, 2)):
            four = {*two, *others}
            if x < w and len(four) == 4:
                found.add(((x, y, z, w), removed({x: set(two), y: four, z: four, w: set(others)})))
        if len(board.cells[w]) == 2 and board.cells[w] <= set(own):
            found.add(((x, y, z, w), frozenset((x, digit) for digit in board.cells[x] - board.cells[w])))
    return {outcome for outcome in found if outcome[1]}


def test_fireworks_are_those_of_a_slow_search() -> None:
    sizes = set()
    for seed in range(40):
        board, _ = random_board((2, 2) if seed % 4 else (2, 3), 0.35 if seed % 4 else 0.2, seed)
        assert set(outcomes(board, "fireworks")) == slow_fireworks(board), seed
        sizes |= {step.length for step in board.steps("fireworks")}
    assert sizes == {2, 3, 4}
