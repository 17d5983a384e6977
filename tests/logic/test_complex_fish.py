"""Finned, franken and mutant fish, by example and against a second, slow implementation."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.cases import for_each
from tests.logic.boards import Board, box, candidates, column, eliminated, random_board, row

pytestmark = pytest.mark.native

SIZES = ["x-wing", "swordfish", "jellyfish"]
SHAPES = ["", "finned-", "sashimi-", "franken-", "finned-franken-", "mutant-", "finned-mutant-"]
Fish = tuple[str, frozenset[int], frozenset[int], frozenset[tuple[int, int]]]


def slow_fish(board: Board, size: int) -> set[Fish]:
    """Return all fish as name, base, cover and removed candidates, straight from the definition."""
    found = set()
    peers = board.peers()
    for digit in range(1, board.size + 1):
        positions = board.positions(digit)
        units = [set(unit) & positions for unit in board.units()]
        for base in combinations([number for number, cells in enumerate(units) if len(cells) > 1], size):
            inside = set().union(*(units[number] for number in base))
            endo_fins = {cell for cell in inside if sum(cell in units[number] for number in base) > 1}
            others = [number for number in range(len(units)) if number not in base and units[number] & inside]
            for cover in combinations(others, size):
                covered = [cell for number in cover for cell in units[number]]
                fins = (inside - set(covered)) | endo_fins
                if len(fins) > 5 or len(endo_fins) > 2:
                    continue
                targets = {cell for cell in covered if cell not in inside or covered.count(cell) > 1}
                removed = {(cell, digit) for cell in targets if fins <= peers[cell]}
                if removed:
                    name = slow_name(board, base, cover, fins, units) + SIZES[size - 2]
                    found.add((name, frozenset(base), frozenset(cover), frozenset(removed)))
    return found


def slow_name(
    board: Board, base: tuple[int, ...], cover: tuple[int, ...], fins: set[int], units: list[set[int]]
) -> str:
    def kinds(numbers: tuple[int, ...]) -> str:
        return "".join(sorted({"rcb"[number // board.size] for number in numbers}))

    prefix = "finned-" if fins else ""
    pair = {kinds(base), kinds(cover)}
    if pair == {"r", "c"}:
        is_sashimi = any(len(units[number] - fins) < 2 for number in base)
        return "sashimi-" if fins and is_sashimi else prefix
    if {name.replace("b", "") for name in pair} == {"r", "c"}:
        return prefix + "franken-"
    return prefix + "mutant-"


@pytest.mark.heavy
@for_each(
    ("shape", "size", "density", "seed"),
    [((2, 2), size, 0.6, seed) for size in (2, 3) for seed in range(5)]
    + [((2, 3), 2, 0.3, seed) for seed in range(3)]
    + [((3, 2), 2, 0.5, 3)],
)
def test_every_fish_is_found(shape: tuple[int, int], size: int, density: float, seed: int) -> None:
    board, _ = random_board(shape, density, seed)
    names = {shape + SIZES[size - 2] for shape in SHAPES}
    steps = [step for name in names for step in board.steps(name) if step.variant == 0]
    found = [
        (step.technique, frozenset(step.units[:size]), frozenset(step.units[size:]), frozenset(step.eliminations))
        for step in steps
    ]
    assert len(found) == len(set(found))
    assert set(found) == slow_fish(board, size)


def x_wing() -> Board:
    return Board().confine(1, row(2), "r2c2 r2c8").confine(1, row(6), "r6c2 r6c8")


def test_a_fin_protects_what_it_does_not_see() -> None:
    board = x_wing()
    board.cells[row(2)[8]].add(1)  # r2c9
    steps = [step for step in board.steps("finned-x-wing") if step.units == [1, 5, 9 + 1, 9 + 7]]
    assert eliminated(steps) == candidates([1], "r1c8 r3c8")
    assert [step.fins for step in steps] == [[(row(2)[8], 1)]]
    board.cells[row(6)[4]].add(1)  # r6c5: no candidate sees both fins
    assert not [step for step in board.steps("finned-x-wing") if step.units[:2] == [1, 5]]


def test_a_sashimi_fish_lacks_a_corner() -> None:
    board = Board().confine(1, row(2), "r2c2 r2c7 r2c9").confine(1, row(6), "r6c2 r6c8")
    steps = [step for step in board.steps("sashimi-x-wing") if step.units[:2] == [1, 5]]
    assert candidates([1], "r1c8 r3c8") <= eliminated(steps)
    assert not [step for step in board.steps("finned-x-wing") if step.units[:2] == [1, 5]]


def test_a_siamese_fish_joins_two_fish_with_the_same_base() -> None:
    board = Board().confine(1, row(2), "r2c2 r2c7").confine(1, row(6), "r6c2 r6c8")
    steps = [step for step in board.steps("sashimi-x-wing") if step.units[:2] == [1, 5]]
    assert {step.variant for step in steps} == {0, 1}
    (siamese,) = (step for step in steps if step.variant == 1)
    assert siamese.units == [1, 5, 9 + 1, 9 + 6, 9 + 1, 9 + 7]
    assert eliminated([siamese]) == candidates([1], "r4c7 r5c7 r1c8 r3c8")
    board.confine(1, box(3), "r2c7")  # now one of the two removes nothing
    assert not [step for step in board.steps("sashimi-x-wing") if step.variant == 1 and step.units[:2] == [1, 5]]


def test_a_franken_fish_uses_a_box() -> None:
    board = Board().confine(1, row(2), "r2c2 r2c5").confine(1, row(6), "r6c2 r6c5 r6c8").confine(1, box(9), "r7c8 r8c8")
    units = [1, 5, 18 + 8, 9 + 1, 9 + 4, 9 + 7]
    (step,) = (step for step in board.steps("franken-swordfish") if step.units == units)
    in_cover = {(number, 1) for line in (2, 5, 8) for number in board.positions(1) & set(column(line))}
    assert eliminated([step]) == in_cover - set(step.pattern)
    board.cells[box(9)[6]].add(1)  # r9c7: a fin
    assert units not in [step.units for step in board.steps("franken-swordfish")]
    assert units in [step.units for step in board.steps("finned-franken-swordfish")]


def test_a_mutant_fish_mixes_rows_and_columns_in_its_base() -> None:
    board = Board().confine(1, row(1), "r1c2 r1c3").confine(1, column(9), "r7c9 r8c9")
    units = [0, 9 + 8, 18, 18 + 8]
    (step,) = (step for step in board.steps("mutant-x-wing") if step.units == units)
    in_cover = {(number, 1) for number in board.positions(1) & set(box(1) + box(9))}
    assert eliminated([step]) == in_cover - set(step.pattern)
    board.cells[row(1)[4]].add(1)  # r1c5: a fin
    assert units not in [step.units for step in board.steps("mutant-x-wing")]


@for_each("size", [5, 6, 7])
def test_large_fish_have_names_of_their_own(size: int) -> None:
    name = {5: "squirmbag", 6: "whale", 7: "leviathan"}[size]
    rows, columns = range(1, size + 1), range(2, size + 2)
    board = Board()
    for number in rows:
        board.confine(3, row(number), " ".join(f"r{number}c{position}" for position in columns))
    (step,) = board.steps(name)
    assert len(step.eliminations) == (9 - size) * size
    board.cells[0].add(3)  # r1c1
    assert not board.steps(name)
