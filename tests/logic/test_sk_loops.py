"""SK loops."""

from __future__ import annotations

import itertools
import random

import pytest

from sudokulab import Puzzle
from tests.cases import for_each
from tests.logic.boards import candidates, cell, column, eliminated, row
from tests.logic.extremes import EASTER_MONSTER, StuckBoard, assert_sound, solution_of

pytestmark = [pytest.mark.native, pytest.mark.heavy]


def test_the_loop_of_the_easter_monster() -> None:
    (step,) = StuckBoard(EASTER_MONSTER).steps("sk-loop")
    assert (step.length, len(step.cells), len(step.nodes), len(step.units)) == (16, 16, 8, 8)
    expected = [
        (1, "r7c3"),
        (2, "r3c1"),
        (3, "r2c5 r5c8"),
        (4, "r5c2 r8c5"),
        (5, "r8c4"),
        (6, "r9c1"),
        (7, "r1c3"),
        (8, "r2c5 r2c6 r5c2"),
        (9, "r5c8"),
    ]
    assert eliminated([step]) == set().union(*(candidates([digit], names) for digit, names in expected))


@for_each("name", ["r1c1", "r2c2", "r3c7", "r9c9"])
def test_a_loop_fails_by_an_open_corner_or_another_digit(name: str) -> None:
    cells = bytearray(EASTER_MONSTER.cells)
    cells[cell(name)] = 0
    assert not StuckBoard(Puzzle(bytes(cells), EASTER_MONSTER.box)).steps("sk-loop")


def can_fill(left: dict[int, set[int]], peers: list[set[int]]) -> bool:
    if not left:
        return True
    number = min(left, key=lambda number: len(left[number]))
    return any(can_fill(without(number, digit, left, peers), peers) for digit in left[number])


def without(number: int, digit: int, cells: dict[int, set[int]], peers: list[set[int]]) -> dict[int, set[int]]:
    """Return the other cells, and what is left in them if this cell holds the digit."""
    return {
        other: digits - {digit} if other in peers[number] else digits
        for other, digits in cells.items()
        if other != number
    }


def test_no_filling_of_a_loop_agrees_with_an_eliminated_candidate() -> None:
    for seed in range(4):
        board = StuckBoard(EASTER_MONSTER.shuffle(seed))
        (step,) = board.steps("sk-loop")
        ring, peers = {number: board.cells[number] for number in step.cells}, board.peers()
        assert can_fill(ring, peers)
        assert not any(can_fill(without(number, digit, ring, peers), peers) for number, digit in step.eliminations)


def slow_sk_loops(board: StuckBoard) -> list[frozenset[tuple[int, int]]]:
    """Return the eliminations of the loops by trying all sets of links for each digit."""
    boxes = [set(unit) for unit in board.units()[18:]]
    found = []
    for rows, columns in itertools.product(itertools.combinations(range(9), 2), repeat=2):
        (top, bottom), (left, right) = rows, columns
        corners = [(top, left), (top, right), (bottom, right), (bottom, left)]
        if top // 3 == bottom // 3 or left // 3 == right // 3 or any(board.is_open[r * 9 + c] for r, c in corners):
            continue
        lines = (
            {number: set(row(number + 1)) for number in rows},
            {number: set(column(number + 1)) for number in columns},
        )
        pairs, links = [], []
        for k, (r, c) in enumerate(corners):
            (inside,) = (cells for cells in boxes if r * 9 + c in cells)
            order = [lines[0][r], lines[1][c]] if k % 2 else [lines[1][c], lines[0][r]]
            pairs += [{number for number in line & inside if board.is_open[number]} for line in order]
            links += [order[0], inside]
        rest, removed, joined = sum(map(len, pairs)), set(), set()
        for digit in range(1, 10):
            having = {k for k in range(8) if pairs[k] & board.positions(digit)}
            covers = [
                chosen
                for chosen in map(set, itertools.chain(*(itertools.combinations(range(8), n) for n in range(5))))
                if all({k, (k + 1) % 8} & chosen for k in having)
            ]
            rest -= len(covers[0])
            for cover in covers:
                if len(cover) > len(covers[0]):
                    break
                losing = set().union(*(links[k] for k in cover)) - set().union(*pairs)
                losing |= set().union(*(pairs[k] for k in having if {k, (k + 1) % 8} <= cover))
                removed |= {(number, digit) for number in losing & board.positions(digit) if board.is_open[number]}
                joined |= {k for k in cover if {k, (k - 1) % 8} <= having}
        if rest == 0 and len(joined) == 8 and removed and all(pairs):
            found.append(frozenset(removed))
    return found


def test_loops_are_those_of_a_slow_search() -> None:
    count, inside = 0, 0
    for seed in range(30):
        rng = random.Random(seed)
        puzzle = EASTER_MONSTER.shuffle(seed)
        board, solution = StuckBoard(puzzle), solution_of(puzzle)
        for number in rng.sample([number for number in range(81) if board.is_open[number]], 6 * (seed % 3)):
            board.remove(number, rng.choice(sorted(board.cells[number] - {solution[number]})))
        steps = board.steps("sk-loop")
        assert_sound(steps, solution)
        assert [frozenset(step.eliminations) for step in steps] == slow_sk_loops(board)
        count += len(steps)
        inside += sum(number in step.cells for step in steps for number, _ in step.eliminations)
    assert count > 10
    assert inside > 0
