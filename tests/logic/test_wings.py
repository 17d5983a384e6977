"""W- and WXYZ-wings, remote pairs and locked subsets."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from tests.cases import for_each
from tests.logic.boards import Board, candidates, cell, column, eliminated, random_board, row

pytestmark = pytest.mark.native

RANDOM = [((3, 3), density, seed) for density in (0.1, 0.15, 0.2) for seed in range(8)] + [
    ((2, 3), 0.2, 1),
    ((2, 2), 0.4, 2),
    ((3, 4), 0.08, 3),
]
Found = set[tuple[frozenset[int], frozenset[tuple[int, int]]]]


def found(board: Board, technique: str) -> Found:
    return {(frozenset(step.cells), frozenset(step.eliminations)) for step in board.steps(technique)}


def slow_w_wings(board: Board) -> Found:
    peers, wings = board.peers(), set()
    pairs = [number for number, digits in enumerate(board.cells) if len(digits) == 2]
    for one, other in combinations(pairs, 2):
        if board.cells[one] != board.cells[other] or other in peers[one]:
            continue
        for x, z in permutations(board.cells[one]):
            removed = frozenset((number, z) for number in board.positions(z) & peers[one] & peers[other])
            for unit in board.units():
                ends = set(unit) & board.positions(x)
                if len(ends) != 2 or ends & {one, other} or not removed:
                    continue
                if any(end in peers[one] and other_end in peers[other] for end, other_end in permutations(ends)):
                    wings.add((frozenset({one, other}) | ends, removed))
    return wings


def slow_wxyz_wings(board: Board) -> Found:
    peers, wings = board.peers(), set()
    units = [set(unit) for unit in board.units()]
    for one, other in combinations(units, 2):
        if not one & other:
            continue
        open_cells = sorted(number for number in one | other if 2 <= len(board.cells[number]) <= 4)
        for quad in combinations(open_cells, 4):
            digits = set().union(*(board.cells[number] for number in quad))
            if len(digits) != 4:
                continue
            free = [
                digit
                for digit in digits
                if any(digit in board.cells[a] & board.cells[b] and b not in peers[a] for a, b in combinations(quad, 2))
            ]
            if len(free) != 1:
                continue
            z = free[0]
            holders = {number for number in quad if z in board.cells[number]}
            removed = frozenset((n, z) for n in board.positions(z) - set(quad) if holders <= peers[n])
            if removed:
                wings.add((frozenset(quad), removed))
    return wings


@for_each(("shape", "density", "seed"), RANDOM)
def test_every_w_wing_is_found(shape: tuple[int, int], density: float, seed: int) -> None:
    board, _ = random_board(shape, density, seed)
    assert found(board, "w-wing") == slow_w_wings(board)


@pytest.mark.heavy
@for_each(("shape", "density", "seed"), RANDOM)
def test_every_wxyz_wing_is_found(shape: tuple[int, int], density: float, seed: int) -> None:
    board, _ = random_board(shape, density, seed)
    steps = board.steps("wxyz-wing")
    assert len({frozenset(step.cells) for step in steps}) == len(steps)
    assert found(board, "wxyz-wing") == slow_wxyz_wings(board)


def test_a_w_wing_joins_two_equal_cells() -> None:
    board = Board().only("r1c1 r5c9", [1, 2]).confine(1, column(4), "r1c4 r5c4")
    (step,) = board.steps("w-wing")
    assert eliminated([step]) == candidates([2], "r1c9 r5c1")
    assert [is_strong for _, _, is_strong in step.links] == [True, False, True, False, True]
    board.cells[cell("r7c4")].add(1)
    assert not board.steps("w-wing")


def test_a_wxyz_wing_is_a_bent_quad() -> None:
    board = Board().only("r1c1", [1, 2, 3, 4]).only("r2c2", [1, 4]).only("r1c5", [2, 4]).only("r1c6", [3, 4])
    (step,) = board.steps("wxyz-wing")
    assert eliminated([step]) == candidates([4], "r1c2 r1c3")
    assert not board.only("r2c2", [2, 4]).steps("wxyz-wing")  # the 2s do not all see each other


def slow_remote_pairs(board: Board) -> dict[tuple[int, int], int]:
    """Return the ends of remote pairs that remove something, with the number of links of the shortest chain."""
    peers, chains = board.peers(), {}
    for start, digits in enumerate(board.cells):
        if len(digits) != 2:
            continue
        equal = {number for number, others in enumerate(board.cells) if others == digits}
        distance, layer, steps = {start: 0}, {start}, 0
        while layer:
            steps += 1
            layer = {n for number in layer for n in peers[number] & equal if n not in distance}
            distance |= dict.fromkeys(layer, steps)
        for end, length in distance.items():
            seen = peers[start] & peers[end]
            if end > start and length % 2 == 1 and length >= 3 and any(board.cells[number] & digits for number in seen):
                chains[start, end] = 2 * length + 1
    return chains


@for_each("seed", range(20))
def test_every_remote_pair_is_found(seed: int) -> None:
    board, solution = random_board((3, 3), 0.15, seed)
    for number, digit in enumerate(solution):  # more equal pairs
        if digit in (1, 2) and seed * number % 7:
            board.cells[number] = {1, 2}
    steps = board.steps("remote-pair")
    assert {(step.cells[0], step.cells[-1]): step.length for step in steps} == slow_remote_pairs(board)
    peers = board.peers()
    for step in steps:
        assert all(other in peers[number] for number, other in zip(step.cells, step.cells[1:], strict=False))


def test_a_remote_pair_has_four_cells() -> None:
    board = Board().only("r1c1 r1c5 r4c5 r4c9", [1, 2])
    (step,) = board.steps("remote-pair")
    assert (step.length, eliminated([step])) == (7, candidates([1, 2], "r1c9 r4c1"))
    assert not board.only("r4c5", [1, 3]).steps("remote-pair")


@pytest.mark.parametrize(("technique", "size"), [("locked-pair", 2), ("locked-triplet", 3)])
def test_a_locked_subset_clears_its_box_and_its_line(technique: str, size: int) -> None:
    names, digits = " ".join(["r1c1", "r1c2", "r1c3"][:size]), range(1, size + 1)
    board = Board().only(names, digits)
    (step,) = board.steps(technique)
    cells = {cell(name) for name in names.split()}
    rest = (set(row(1)) | {cell(f"r{i}c{j}") for i in (1, 2, 3) for j in (1, 2, 3)}) - cells
    assert eliminated([step]) == {(number, digit) for number in rest for digit in digits}
    (naked,) = board.steps(technique.replace("locked", "naked"))  # a locked subset is a naked one, too
    assert (naked.variant, naked.eliminations) == (1, step.eliminations)
    for digit in digits:
        board.confine(digit, row(1), names)
    assert not board.steps(technique)  # nothing is left to remove from the row
    (naked,) = board.steps(technique.replace("locked", "naked"))
    assert naked.variant == 0
