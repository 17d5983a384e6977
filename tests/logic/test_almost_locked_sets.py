"""Almost locked sets, Sue de Coq and templates."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.logic.boards import Board, Candidates, candidates, cell, eliminated, random_board, row

pytestmark = pytest.mark.native

Cells = frozenset[int]


def test_als_xz_removes_the_other_common_digit() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c2", [2, 3]).only("r5c1", [1, 4]).only("r5c3", [3, 4])
    expected = candidates([3], "r1c3 r2c3 r3c3 r4c2 r5c2 r6c2")
    steps = [step for step in board.steps("als-xz") if len(step.cells) == 4]
    assert [eliminated([step]) for step in steps] == [expected]
    assert {frozenset(number for number, _ in node) for node in steps[0].nodes} == {
        frozenset({cell("r1c1"), cell("r1c2")}),
        frozenset({cell("r5c1"), cell("r5c3")}),
    }
    assert not board.only("r5c1", [2, 4]).steps("als-xz")


def test_an_als_xy_wing_has_a_hinge_set() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c5", [1, 3]).only("r5c1", [2, 3])
    assert eliminated(board.steps("als-xy-wing")) == candidates([3], "r5c5")
    assert not board.only("r1c1", [1, 4]).steps("als-xy-wing")


def test_an_als_chain_has_four_sets_or_more() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c5", [2, 3]).only("r5c5", [3, 4]).only("r5c9", [4, 1])
    steps = board.steps("als-xy-chain")
    assert candidates([1], "r1c9 r5c1") in [eliminated([step]) for step in steps]
    assert all(len(step.nodes) >= 4 for step in steps)
    assert not board.only("r5c5", [3, 5]).steps("als-xy-chain")


def test_a_death_blossom_has_a_petal_for_each_digit_of_the_stem() -> None:
    board = Board().only("r1c1", [1, 2, 3]).only("r1c5", [1, 9]).only("r1c8", [2, 9]).only("r2c2", [3, 9])
    steps = [step for step in board.steps("death-blossom") if step.cells[0] == cell("r1c1") and step.variant == 1]
    assert candidates([9], "r1c2 r1c3") in [eliminated([step]) for step in steps]
    board.only("r2c2", [3, 8])
    steps = [step for step in board.steps("death-blossom") if step.cells[0] == cell("r1c1")]
    assert not candidates([9], "r1c2") & eliminated(steps)


def test_overlapping_sets_are_a_variant() -> None:
    for seed in range(4):
        board, _ = random_board((2, 2), 0.5, seed)
        for technique in ("als-xz", "als-xy-wing", "death-blossom"):
            for step in board.steps(technique):
                sets = [{number for number, _ in node} for node in step.nodes]
                overlaps = any(one & other for one, other in itertools.combinations(sets, 2))
                assert step.variant == (2 if overlaps else 1)


def almost_locked_sets(board: Board) -> set[Cells]:
    return {
        frozenset(chosen)
        for unit in board.units()
        for size in range(1, board.size)
        for chosen in itertools.combinations(unit, size)
        if len(set().union(*(board.cells[number] for number in chosen))) == size + 1
    }


def slow_als_xz(board: Board) -> Iterator[tuple[frozenset[Cells], frozenset[tuple[int, int]]]]:
    peers, everything = board.peers(), range(board.size**2)

    def having(cells: Cells, digit: int) -> set[int]:
        return {number for number in cells if digit in board.cells[number]}

    def seeing(cells: set[int], digit: int) -> set[int]:
        return having(frozenset(everything), digit).intersection(*(peers[number] for number in cells))

    def digits(cells: Cells) -> set[int]:
        return set().union(*(board.cells[number] for number in cells))

    for one, other in itertools.combinations(almost_locked_sets(board), 2):
        if one & other:
            continue
        common = digits(one) & digits(other)
        restricted = {x for x in common if having(other, x) <= seeing(having(one, x), x)}
        removed: Candidates = set()
        for x in restricted:
            for z in common - {x}:
                both = having(one, z) | having(other, z)
                removed |= {(number, z) for number in seeing(both, z) - one - other}
        if len(restricted) > 1:
            for own, rest in ((one, other), (other, one)):
                for z in digits(own) - restricted:
                    removed |= {(number, z) for number in seeing(having(own, z), z) - own - rest}
        if removed:
            yield frozenset({one, other}), frozenset(removed)


@pytest.mark.thorough
@pytest.mark.heavy
def test_als_xz_finds_what_a_slow_search_finds() -> None:
    count = 0
    for seed in range(8):
        board, _ = random_board((2, 2) if seed % 2 else (2, 3), 0.3, seed)
        found = {
            (frozenset(frozenset(number for number, _ in node) for node in step.nodes), frozenset(step.eliminations))
            for step in board.steps("als-xz")
        }
        assert found == set(slow_als_xz(board)), seed
        count += len(found)
    assert count > 0


def slow_als_xy_wings(board: Board) -> Candidates:
    """Return what all ALS-XY-wings remove. No restricted common of the hinge with a wing serves as z."""
    peers, removed = board.peers(), set[tuple[int, int]]()
    sets = almost_locked_sets(board)

    def having(cells: Cells, digit: int) -> set[int]:
        return {number for number in cells if digit in board.cells[number]}

    def common(one: Cells, other: Cells) -> set[int]:
        digits = (set().union(*(board.cells[number] for number in cells)) for cells in (one, other))
        return set.intersection(*digits)

    def restricted(one: Cells, other: Cells) -> set[int]:
        return {x for x in common(one, other) if all(having(other, x) <= peers[number] for number in having(one, x))}

    for hinge in sets:
        links = {wing: digits for wing in sets - {hinge} if (digits := restricted(hinge, wing))}
        for one, other in itertools.combinations(links, 2):
            if one <= other or other <= one or len(links[one] | links[other]) < 2:
                continue
            for z in common(one, other) - links[one] - links[other]:
                holders = having(one | other, z)
                removed |= {(number, z) for number in board.positions(z) if holders <= peers[number]}
    return removed


@pytest.mark.thorough
@pytest.mark.heavy
def test_als_xy_wings_remove_what_a_slow_search_removes() -> None:
    count = 0
    for seed in range(8):
        board, _ = random_board((2, 2) if seed else (2, 3), 0.4 if seed else 0.25, seed)
        removed = eliminated(board.steps("als-xy-wing"))
        assert removed == slow_als_xy_wings(board), seed
        count += len(removed)
    assert count > 0


def test_sue_de_coq_splits_the_digits_of_an_intersection() -> None:
    board = Board().only("r1c1 r1c2", [1, 2, 3, 4]).only("r1c9", [1, 2]).only("r3c3", [3, 4])
    (step,) = board.steps("sue-de-coq")
    in_row = candidates([1, 2], "r1c3 r1c4 r1c5 r1c6 r1c7 r1c8")
    in_box = candidates([3, 4], "r1c3 r2c1 r2c2 r2c3 r3c1 r3c2")
    assert eliminated([step]) == in_row | in_box
    assert not board.only("r3c3", [3, 5]).steps("sue-de-coq")


def slow_sue_de_coqs(board: Board) -> set[tuple[tuple[Cells, ...], frozenset[tuple[int, int]]]]:
    """Return the parts and eliminations by trying all sets of cells."""
    units, size = board.units(), board.size
    found: set[tuple[tuple[Cells, ...], frozenset[tuple[int, int]]]] = set()

    def choices(cells: set[int], least: int) -> Iterator[tuple[Cells, set[int]]]:
        for count in range(least, len(cells) + 1):
            for chosen in itertools.combinations(sorted(cells), count):
                yield frozenset(chosen), set().union(*(board.cells[number] for number in chosen))

    for line, box in itertools.product(units[: 2 * size], units[2 * size :]):
        for cross, digits in choices(set(line) & set(box), 2):
            for in_line, line_digits in choices(set(line) - cross, 1):
                for in_box, box_digits in choices(set(box) - cross - in_line, 1):
                    foreign = len(line_digits - digits) + len(box_digits - digits)
                    is_full = len(digits) + foreign == len(cross) + len(in_line) + len(in_box)
                    parts_are_used = len(in_line) > len(line_digits - digits) and len(in_box) > len(box_digits - digits)
                    is_split = line_digits & digits and box_digits & digits and not line_digits & box_digits & digits
                    if not (is_full and parts_are_used and is_split):
                        continue
                    of_line = ((digits | line_digits) - box_digits) | (line_digits & box_digits)
                    of_box = ((digits | box_digits) - line_digits) | (line_digits & box_digits)
                    removed = {(number, digit) for number in set(line) - cross - in_line for digit in of_line}
                    removed |= {(number, digit) for number in set(box) - cross - in_box for digit in of_box}
                    left = frozenset((number, digit) for number, digit in removed if digit in board.cells[number])
                    if left:
                        found.add(((cross, in_line, in_box), left))
    return found


def test_sue_de_coq_finds_what_a_slow_search_finds() -> None:
    count = 0
    for seed in range(12):
        board, _ = random_board((2, 3), 0.35, seed)
        found = {
            (tuple(frozenset(number for number, _ in node) for node in step.nodes), frozenset(step.eliminations))
            for step in board.steps("sue-de-coq")
        }
        assert found == slow_sue_de_coqs(board), seed
        count += len(found)
    assert count > 0


def test_templates_remove_candidates_that_fit_no_pattern_of_the_digit() -> None:
    board = Board().confine(1, row(1), "r1c2 r1c7").confine(1, row(5), "r5c2 r5c7")
    (step,) = board.steps("template-delete")
    assert eliminated([step]) == eliminated(board.steps("x-wing"))
    board.cells[cell("r1c5")].add(1)
    assert not board.steps("template-delete")


def test_a_cell_in_all_templates_is_placed() -> None:
    board = Board().confine(1, row(1), "r1c2 r1c7").confine(1, row(5), "r5c7")
    (step,) = [step for step in board.steps("template-set") if (cell("r1c2"), 1) in step.placements]
    assert set(step.placements) == candidates([1], "r1c2 r5c7")
    board.cells[cell("r1c4")].add(1)
    assert (cell("r1c2"), 1) not in [placed for step in board.steps("template-set") for placed in step.placements]


def slow_templates(board: Board) -> tuple[Candidates, Candidates]:
    """Return what templates place and remove, from lists of all templates."""
    size, units = board.size, board.units()
    templates = {}
    for digit in range(1, size + 1):
        grids = (frozenset(r * size + c for r, c in enumerate(order)) for order in itertools.permutations(range(size)))
        places = board.positions(digit)
        templates[digit] = [
            grid for grid in grids if grid <= places and all(len(grid & set(unit)) == 1 for unit in units)
        ]
    while True:
        fixed = {digit: frozenset.intersection(*grids) for digit, grids in templates.items()}
        taken = {digit: set().union(*(fixed[other] for other in fixed if other != digit)) for digit in fixed}
        left = {digit: [grid for grid in grids if not grid & taken[digit]] for digit, grids in templates.items()}
        if left == templates:
            break
        templates = left
    placed = {(number, digit) for digit, cells in fixed.items() for number in cells}
    some = {(number, digit) for digit, grids in templates.items() for grid in grids for number in grid}
    return placed, {(n, digit) for n, digits in enumerate(board.cells) for digit in digits} - some


def test_templates_find_what_a_list_of_all_templates_gives() -> None:
    for seed in range(16):
        board, _ = random_board((2, 2) if seed % 2 else (2, 3), 0.4, seed)
        placed, removed = slow_templates(board)
        steps = board.steps("template-set")
        assert {each for step in steps for each in step.placements} == placed, seed
        assert eliminated(board.steps("template-delete")) == removed, seed
