"""Each technique on the smallest board that shows it, and on one that almost does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from sudokulab import BoxShape, Puzzle, _core, parse
from sudokulab._internal.native import native_puzzle
from tests.cases import for_each
from tests.logic.boards import Board, box, candidates, cell, column, eliminated, row
from tests.logic.reference import units
from tests.puzzles import random_instance

pytestmark = pytest.mark.native

ALL = frozenset(range(1, 10))


def test_a_naked_single_is_the_only_digit_of_a_cell() -> None:
    (step,) = Board().only("r3c4", [7]).steps("naked-single")
    assert step.placements == [(cell("r3c4"), 7)]
    assert not Board().only("r3c4", [7, 8]).steps("naked-single")


def test_a_hidden_single_is_the_only_position_of_a_digit() -> None:
    (step,) = Board().confine(5, column(4), "r9c4").steps("hidden-single")
    assert (step.placements, step.units) == ([(cell("r9c4"), 5)], [9 + 3])
    assert not Board().confine(5, column(4), "r9c4 r1c4").steps("hidden-single")


def test_a_full_house_is_the_last_open_cell() -> None:
    puzzle = Puzzle(bytes([1, 2, 3, 4, 5, 6, 7, 8, 0]) + bytes(72), BoxShape(3, 3))
    (step,) = _core.find_steps(native_puzzle(puzzle), None, "full-house")
    assert step.placements == [(8, 9)]
    puzzle = Puzzle(bytes([1, 2, 3, 4, 5, 6, 7, 0, 0]) + bytes(72), BoxShape(3, 3))
    assert not _core.find_steps(native_puzzle(puzzle), None, "full-house")


def test_a_last_digit_has_been_placed_everywhere_else() -> None:
    puzzle = parse("1.....1..1......")
    (step,) = _core.find_steps(native_puzzle(puzzle), None, "last-digit")
    assert step.placements == [(15, 1)]
    assert not _core.find_steps(native_puzzle(parse("1.....1.........")), None, "last-digit")


def slow_singles(puzzle: Puzzle) -> dict[str, Counter[tuple[int, int]]]:
    """Count the singles on the board left by the givens. Full houses and hidden singles count once per unit."""
    size, cells = puzzle.size, puzzle.cells
    all_units = [[row * size + col for row, col in unit] for unit in units(puzzle.box)]
    seen = [{cells[other] for unit in all_units if number in unit for other in unit} for number in range(size**2)]
    left = [set() if cells[number] else set(range(1, size + 1)) - seen[number] for number in range(size**2)]
    found = {name: Counter[tuple[int, int]]() for name in ("full-house", "hidden-single", "naked-single", "last-digit")}
    for unit in all_units:
        for digit in range(1, size + 1):
            places = [number for number in unit if digit in left[number]]
            if len(places) == 1:
                found["hidden-single"][places[0], digit] += 1
                found["full-house"][places[0], digit] += sum(not cells[number] for number in unit) == 1
    for digit in range(1, size + 1):
        places = [number for number in range(size**2) if digit in left[number]]
        if cells.count(digit) == size - 1 and len(places) == 1:
            found["last-digit"][places[0], digit] += 1
    found["naked-single"].update((number, min(digits)) for number, digits in enumerate(left) if len(digits) == 1)
    return {name: +counts for name, counts in found.items()}


@for_each("name", ["full-house", "hidden-single", "naked-single", "last-digit"])
def test_singles_are_those_of_a_slow_search(name: str) -> None:
    number = 0
    for seed in range(24):
        shape = [(2, 2), (2, 3), (3, 3), (3, 4)][seed % 4]
        puzzle = random_instance(shape, round((shape[0] * shape[1]) ** 2 * (0.4 + 0.02 * seed)), seed)
        steps = _core.find_steps(native_puzzle(puzzle), None, name)
        found = Counter((cell, digit) for step in steps for cell, digit in step.placements)
        assert found == slow_singles(puzzle)[name], seed
        number += len(found)
    assert number > 0


def test_pointing_clears_the_line() -> None:
    (step,) = Board().confine(1, box(1), "r2c1 r2c3").steps("pointing")
    assert eliminated([step]) == candidates([1], "r2c4 r2c5 r2c6 r2c7 r2c8 r2c9")
    assert not Board().confine(1, box(1), "r2c1 r3c3").steps("pointing")


def test_claiming_clears_the_box() -> None:
    (step,) = Board().confine(1, column(1), "r4c1 r5c1 r6c1").steps("claiming")
    assert eliminated([step]) == candidates([1], "r4c2 r4c3 r5c2 r5c3 r6c2 r6c3")
    assert not Board().confine(1, column(1), "r4c1 r7c1").steps("claiming")


@for_each(("technique", "size"), [("naked-pair", 2), ("naked-triplet", 3), ("naked-quad", 4)])
def test_a_naked_subset_clears_the_rest_of_its_unit(technique: str, size: int) -> None:
    names, rest = ["r1c1", "r1c4", "r1c6", "r1c9"][:size], set(row(1))
    digits = range(1, size + 1)
    (step,) = Board().only(" ".join(names), digits).steps(technique)
    rest -= {cell(name) for name in names}
    assert eliminated([step]) == {(number, digit) for number in rest for digit in digits}
    almost = Board().only(" ".join(names), digits).only(names[0], range(1, size + 2))
    assert not almost.steps(technique)


@for_each(("technique", "size"), [("hidden-pair", 2), ("hidden-triplet", 3), ("hidden-quad", 4)])
def test_a_hidden_subset_keeps_only_its_digits(technique: str, size: int) -> None:
    names = " ".join(["r1c2", "r4c2", "r6c2", "r9c2"][:size])
    board = Board()
    for digit in range(1, size + 1):
        board.confine(digit, column(2), names)
    (step,) = board.steps(technique)
    assert eliminated([step]) == candidates(range(size + 1, 10), names)
    board.cells[cell("r5c2")].add(1)
    assert not board.steps(technique)


@for_each(("technique", "size"), [("x-wing", 2), ("swordfish", 3), ("jellyfish", 4)])
def test_a_fish_clears_its_cover_lines(technique: str, size: int) -> None:
    rows, columns = [1, 4, 6, 9][:size], [2, 3, 5, 8][:size]
    board = Board()
    for number in rows:
        board.confine(3, row(number), " ".join(f"r{number}c{position}" for position in columns))
    (step,) = board.steps(technique)
    others = set(range(1, 10)) - set(rows)
    assert eliminated([step]) == {(cell(f"r{r}c{c}"), 3) for r in others for c in columns}
    board.cells[cell("r1c9")].add(3)
    assert not board.steps(technique)


def test_an_xy_wing_removes_the_digit_of_both_wings() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c5", [1, 3]).only("r5c1", [2, 3])
    steps = board.steps("xy-wing")
    assert len(steps) == 2  # one for each order of the wings
    assert eliminated(steps) == candidates([3], "r5c5")
    assert not board.only("r1c1", [1, 4]).steps("xy-wing")


def test_an_xyz_wing_needs_cells_that_see_the_hinge() -> None:
    board = Board().only("r1c1", [1, 2, 3]).only("r1c5", [1, 3]).only("r2c2", [2, 3])
    assert eliminated(board.steps("xyz-wing")) == candidates([3], "r1c2 r1c3")
    assert not board.only("r2c2", [2, 4]).steps("xyz-wing")


def test_unique_rectangles_of_type_1_to_4() -> None:
    def corner(last: str, digits: Iterable[int]) -> Board:
        return Board().only("r1c1 r1c4 r2c1 r2c4", [1, 2]).only(last, digits)

    (step,) = corner("r2c4", [1, 2, 3]).steps("unique-rectangle")
    assert (step.variant, step.assumes_uniqueness) == (1, True)
    assert eliminated([step]) == candidates([1, 2], "r2c4")

    (step,) = corner("r2c1 r2c4", [1, 2, 3]).steps("unique-rectangle")[:1]
    assert step.variant == 2
    assert eliminated([step]) == candidates([3], "r2c2 r2c3 r2c5 r2c6 r2c7 r2c8 r2c9")

    steps = corner("r2c1", [1, 2, 3]).only("r2c4", [1, 2, 4]).only("r2c9", [3, 4]).steps("unique-rectangle")
    assert steps[0].variant == 3
    assert eliminated(steps[:1]) == candidates([3, 4], "r2c2 r2c3 r2c5 r2c6 r2c7 r2c8")

    board = corner("r2c1", [1, 2, 3]).only("r2c4", [1, 2, 4]).confine(1, row(2), "r2c1 r2c4")
    (step,) = board.steps("unique-rectangle")
    assert step.variant == 4
    assert eliminated([step]) == candidates([2], "r2c1 r2c4")


def test_a_rectangle_in_four_boxes_is_not_unique() -> None:
    board = Board().only("r1c1 r1c4 r4c1", [1, 2]).only("r4c4", [1, 2, 3])
    assert not board.steps("unique-rectangle")


def test_a_unique_loop_visits_every_unit_twice() -> None:
    board = Board().only("r1c1 r1c4 r2c4 r2c7 r3c1", [1, 2]).only("r3c7", [1, 2, 5])
    (step,) = board.steps("unique-loop")
    assert (step.variant, len(step.cells)) == (1, 6)
    assert eliminated([step]) == candidates([1, 2], "r3c7")
    board.only("r2c7 r3c7", ALL).only("r4c7", [1, 2]).only("r3c7", [1, 2, 5])
    assert not board.steps("unique-loop")


def test_an_aligned_pair_is_excluded_by_two_common_peers() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c2", [3, 4, 5]).only("r2c3", [1, 3]).only("r3c3", [1, 4])
    board.only("r1c9", [1, 5])
    steps = board.steps("aligned-pair-exclusion")
    assert candidates([1], "r1c1") <= eliminated(steps)
    assert not candidates([1], "r1c1") & eliminated(board.only("r1c9", [6, 5]).steps("aligned-pair-exclusion"))


def skyscraper() -> Board:
    return Board().confine(1, column(2), "r1c2 r5c2").confine(1, column(7), "r1c7 r6c7")


def test_a_forcing_x_chain_follows_one_digit() -> None:
    steps = [step for step in skyscraper().steps("forcing-x-chain") if step.length == 6]
    assert eliminated(steps) == candidates([1], "r5c8 r5c9 r6c1 r6c3")
    board = skyscraper()
    board.cells[cell("r9c7")].add(1)
    assert not [step for step in board.steps("forcing-x-chain") if step.length == 6]


def test_an_x_cycle_removes_what_sees_both_ends_of_a_weak_link() -> None:
    board = Board().confine(1, row(1), "r1c2 r1c7").confine(1, row(5), "r5c2 r5c7")
    steps = board.steps("x-cycle")
    assert {step.length for step in steps} >= {4}
    expected = {(number, 1) for unit in (column(2), column(7)) for number in unit}
    assert eliminated(steps) == expected - candidates([1], "r1c2 r1c7 r5c2 r5c7")
    board.cells[cell("r1c5")].add(1)
    assert not board.steps("x-cycle")


def test_an_xy_cycle_mixes_cells_and_units() -> None:
    board = Board().only("r1c1 r5c1", [1, 2]).confine(2, column(5), "r1c5 r5c5")
    wanted = candidates([2], "r1c2 r1c9 r5c2 r5c9") | candidates([1], "r2c1 r9c1")
    assert wanted in [eliminated([step]) & wanted for step in board.steps("xy-cycle")]
    board.cells[cell("r9c5")].add(2)
    assert not candidates([2], "r1c9 r5c9") & eliminated(board.steps("xy-cycle"))


def test_a_y_cycle_uses_cells_with_two_candidates() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c5", [2, 3]).only("r5c5", [3, 4]).only("r5c1", [4, 1])
    steps = board.steps("y-cycle")
    assert candidates([2], "r1c2 r1c9") <= eliminated(steps)
    assert candidates([4], "r5c2 r5c9") <= eliminated(steps)
    assert not board.only("r5c1", [5, 1]).steps("y-cycle")


def test_a_forcing_chain_mixes_digits_and_cells() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c5", [2, 3]).only("r5c5", [3, 1])
    steps = board.steps("forcing-chain")
    assert candidates([1], "r5c1") <= eliminated(steps)
    assert not candidates([1], "r5c1") & eliminated(board.only("r5c5", [3, 4]).steps("forcing-chain"))


def test_cell_chains_need_the_same_conclusion_from_every_candidate() -> None:
    board = Board().only("r1c1", [1, 2, 3]).only("r1c5", [1, 9]).only("r5c1", [2, 9]).only("r2c2", [3, 8])
    board.only("r5c2", [8, 9])
    (step,) = board.steps("cell-forcing-chains")[:1]
    assert step.cells == [cell("r1c1")]
    assert eliminated([step]) == candidates([9], "r5c5")
    assert not board.only("r2c2", [3, 7]).steps("cell-forcing-chains")


def test_unknown_techniques_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown technique: x_ray"):
        Board().steps("x_ray")
