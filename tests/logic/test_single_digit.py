"""Turbot fish and their kin, empty rectangles and colouring: techniques about one digit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations, permutations

import pytest

from tests.cases import for_each
from tests.logic.boards import Board, box, candidates, cell, column, eliminated, random_board, row

pytestmark = pytest.mark.native

Chain = tuple[int, tuple[int, ...], frozenset[int]]
"""A digit, the cells, and those that lose the digit."""

Colouring = tuple[str, int, frozenset[tuple[int, int]]]
"""A technique, the kind of the step, and the removed candidates."""

RANDOM = [((3, 3), density, seed) for density in (0.1, 0.15, 0.2) for seed in range(8)] + [
    ((2, 3), 0.25, 1),
    ((3, 2), 0.3, 2),
    ((2, 2), 0.4, 3),
    ((3, 4), 0.12, 4),
]


def strong_links(board: Board, digit: int) -> dict[int, set[int]]:
    """Return the units with two positions for the digit, and the positions."""
    found = {number: set(unit) & board.positions(digit) for number, unit in enumerate(board.units())}
    return {number: cells for number, cells in found.items() if len(cells) == 2}


def seen(board: Board, digit: int, cells: Iterable[int]) -> frozenset[int]:
    """Return the candidates of the digit that see all the cells."""
    peers = board.peers()
    return frozenset(number for number in board.positions(digit) if all(number in peers[other] for other in cells))


def slow_chains(board: Board, technique: str) -> set[Chain]:
    """Return the chains of two strong links, by trying all quadruples of cells."""
    size, peers, units = board.size, board.peers(), board.units()
    found: set[Chain] = set()
    for digit in range(1, size + 1):
        links = strong_links(board, digit)
        for (one, first), (other, second) in permutations(links.items(), 2):
            for start, end in permutations(first):
                for other_end, other_start in permutations(second):
                    if len({start, end, other_end, other_start}) < 4 or other_end not in peers[end]:
                        continue
                    kinds = one // size, other // size
                    shared = [number for number, unit in enumerate(units) if {end, other_end} <= set(unit)]
                    boxes = [number for number in shared if number >= 2 * size]
                    match technique:
                        case "skyscraper":
                            crossing = 1 - kinds[0]
                            is_named = (
                                kinds in ((0, 0), (1, 1))
                                and any(number // size == crossing for number in shared)
                                and not any({start, other_start} <= set(unit) for unit in units[: 2 * size])
                            )
                        case "two-string-kite":
                            is_named = (
                                kinds == (0, 1)
                                and bool(boxes)
                                and not {start, other_start} & set(units[boxes[0]] if boxes else ())
                            )
                        case _:
                            is_named = True
                    removed = seen(board, digit, (start, other_start))
                    if is_named and removed:
                        cells = (start, end, other_end, other_start)
                        found.add((digit, min(cells, cells[::-1]), removed))
    return found


@pytest.mark.thorough
@for_each("technique", ["skyscraper", "two-string-kite", "turbot-fish"])
@for_each(("shape", "density", "seed"), RANDOM)
def test_every_chain_of_two_strong_links_is_found(
    technique: str, shape: tuple[int, int], density: float, seed: int
) -> None:
    board, _ = random_board(shape, density, seed)
    found = Counter[Chain]()
    for step in board.steps(technique):
        cells = tuple(step.cells)
        removed = frozenset(number for number, _ in step.eliminations)
        found[step.pattern[0][1], min(cells, cells[::-1]), removed] += 1
    assert set(found) == slow_chains(board, technique)
    if technique == "turbot-fish":
        assert set(found.values()) <= {1}


def test_a_skyscraper_removes_what_sees_both_roofs() -> None:
    board = Board().confine(1, column(2), "r1c2 r5c2").confine(1, column(7), "r1c7 r6c7")
    (step,) = board.steps("skyscraper")
    assert eliminated([step]) == candidates([1], "r5c8 r5c9 r6c1 r6c3")
    assert [is_strong for _, _, is_strong in step.links] == [True, False, True]
    board.confine(1, column(7), "r6c7").cells[cell("r2c7")].add(1)
    assert not board.steps("skyscraper")


def test_a_two_string_kite_joins_a_row_and_a_column_in_a_box() -> None:
    board = Board().confine(1, row(2), "r2c1 r2c8").confine(1, column(3), "r3c3 r7c3")
    (step,) = board.steps("two-string-kite")
    assert eliminated([step]) == candidates([1], "r7c8")
    board.confine(1, column(3), "r7c3").cells[cell("r4c3")].add(1)
    assert not board.steps("two-string-kite")


def test_a_dual_kite_uses_both_diagonals_of_the_box() -> None:
    board = Board().confine(1, row(2), "r2c1 r2c8").confine(1, column(3), "r3c3 r7c3")
    board.confine(1, row(3), "r3c3 r3c5").confine(1, column(1), "r2c1 r9c1")
    (step,) = board.steps("dual-two-string-kite")
    assert eliminated([step]) == candidates([1], "r7c8 r9c5")
    board.cells[cell("r8c1")].add(1)
    assert not board.steps("dual-two-string-kite")


def test_a_turbot_fish_may_use_a_box() -> None:
    board = Board().confine(1, box(1), "r1c2 r3c1").confine(1, column(7), "r1c7 r8c7")
    steps = board.steps("turbot-fish")
    assert eliminated(steps) == candidates([1], "r8c1")
    board.cells[cell("r2c2")].add(1)
    assert not board.steps("turbot-fish")


def slow_rectangles(board: Board) -> set[Chain]:
    """Return empty rectangles as digit, cells of the box followed by those of the link, and removed cells."""
    size, found = board.size, set()
    units = board.units()
    for digit in range(1, size + 1):
        links = strong_links(board, digit)
        for area in units[2 * size :]:
            inside = set(area) & board.positions(digit)
            for one, other in [*permutations(range(2 * size), 2)]:
                crossing = set(units[one]) & set(units[other]) & set(area)
                if one // size == other // size or not crossing:
                    continue
                along, across = inside & set(units[one]) - crossing, inside & set(units[other]) - crossing
                if not along or not across or inside - along - across - crossing:
                    continue
                for number, ends in links.items():
                    for start, end in permutations(ends):
                        if number // size != other // size or start not in units[one] or ends & set(area):
                            continue
                        if start in area or end in units[one]:
                            continue
                        parallel = next(unit for unit in units[one // size * size :][:size] if end in unit)
                        removed = set(parallel) & set(units[other]) & board.positions(digit) - set(area)
                        if removed:
                            found.add((digit, (*sorted(inside), start, end), frozenset(removed)))
    return found


@pytest.mark.thorough
@for_each(("shape", "density", "seed"), RANDOM)
def test_every_empty_rectangle_is_found(shape: tuple[int, int], density: float, seed: int) -> None:
    board, _ = random_board(shape, density, seed)
    steps = board.steps("empty-rectangle")
    found = {
        (step.pattern[0][1], tuple(step.cells), frozenset(number for number, _ in step.eliminations)) for step in steps
    }
    assert found == slow_rectangles(board)
    assert all(step.variant == (1 if len(step.cells) == 4 else 0) for step in steps)


def test_an_empty_rectangle_turns_the_link_around_the_corner() -> None:
    board = Board().confine(1, box(1), "r2c1 r2c2 r1c3").confine(1, column(8), "r2c8 r7c8")
    (step,) = board.steps("empty-rectangle")
    assert eliminated([step]) == candidates([1], "r7c3")
    board.cells[cell("r1c1")].add(1)
    assert not board.steps("empty-rectangle")


def test_a_dual_empty_rectangle_uses_two_links() -> None:
    board = Board().confine(1, box(1), "r2c1 r2c2 r1c3").confine(1, column(8), "r2c8 r7c8")
    board.confine(1, row(9), "r9c3 r9c5")
    (step,) = board.steps("dual-empty-rectangle")
    assert eliminated([step]) == candidates([1], "r7c3 r2c5")
    board.cells[cell("r9c9")].add(1)
    assert not board.steps("dual-empty-rectangle")


Middle = Callable[[tuple[int, ...]], object]


@pytest.mark.thorough
@pytest.mark.heavy
@pytest.mark.parametrize(
    ("technique", "slow", "shared"),
    [
        ("two-string-kite", lambda board: slow_chains(board, "two-string-kite"), lambda cells: frozenset(cells[1:3])),
        ("empty-rectangle", lambda board: slow_rectangles(board), lambda cells: cells[:-2]),
    ],
)
def test_a_dual_pattern_joins_two_in_the_same_cells_of_a_box(
    technique: str, slow: Callable[[Board], set[Chain]], shared: Middle
) -> None:
    number = 0
    for shape, density, seed in [*RANDOM, *(((3, 3), 0.12, seed) for seed in range(20, 60))]:
        board, _ = random_board(shape, density, seed)
        expected = {
            (digit, removed | others)
            for (digit, cells, removed), (other_digit, other_cells, others) in combinations(slow(board), 2)
            if digit == other_digit and shared(cells) == shared(other_cells) and removed != others
        }
        steps = board.steps(f"dual-{technique}")
        found = {(step.pattern[0][1], frozenset(number for number, _ in step.eliminations)) for step in steps}
        assert found == expected, (shape, density, seed)
        number += len(found)
    assert number > 0


def slow_colours(board: Board, digit: int) -> list[tuple[set[int], set[int]]]:
    """Return the two colours of each connected set of strong links, by spreading them until nothing changes."""
    pairs = list(strong_links(board, digit).values())
    sets: list[tuple[set[int], set[int]]] = []
    for start in sorted(set().union(*pairs)):
        if any(start in one | other for one, other in sets):
            continue
        colours = ({start}, set[int]())
        grown = -1
        while grown != len(colours[0]) + len(colours[1]):
            grown = len(colours[0]) + len(colours[1])
            for pair in pairs:
                for own, opposite in permutations(colours):
                    if pair & own:
                        opposite |= pair - own
        sets.append(colours)
    return sets


def slow_colouring(board: Board) -> Counter[Colouring]:
    """Count the steps of simple and multi-colouring by technique, kind and removed candidates."""
    found = Counter[Colouring]()
    peers = board.peers()

    def meet(cells: set[int], others: set[int]) -> bool:
        return any(peers[number] & others for number in cells)

    def add(technique: str, kind: int, digit: int, cells: set[int]) -> None:
        if cells:
            found[technique, kind, frozenset((number, digit) for number in cells)] += 1

    for digit in range(1, board.size + 1):
        sets = slow_colours(board, digit)
        positions = board.positions(digit)
        for colours in sets:
            add("simple-colouring", 1, digit, {n for n in positions if all(meet({n}, colour) for colour in colours)})
            add("simple-colouring", 2, digit, set().union(*(colour for colour in colours if meet(colour, colour))))
        for one, other in combinations(sets, 2):
            targets = set()
            for own, opposite in permutations(one):
                for theirs, their_opposite in permutations(other):
                    if meet(own, theirs):
                        targets |= {n for n in positions if meet({n}, opposite) and meet({n}, their_opposite)}
            add("multi-colouring", 1, digit, targets)
            for first, second in permutations((one, other)):
                false = [colour for colour in first if all(meet(colour, theirs) for theirs in second)]
                add("multi-colouring", 2, digit, set().union(*false))
    return found


@for_each(("shape", "density", "seed"), RANDOM)
def test_every_colouring_is_found(shape: tuple[int, int], density: float, seed: int) -> None:
    board, _ = random_board(shape, density, seed)
    found = Counter[Colouring]()
    for technique in ("simple-colouring", "multi-colouring"):
        for step in board.steps(technique):
            found[technique, step.variant, frozenset(step.eliminations)] += 1
    assert found == slow_colouring(board)


def kinds(board: Board, technique: str) -> dict[int, set[tuple[int, int]]]:
    return {step.variant: eliminated([step]) for step in board.steps(technique)}


def test_a_colour_trap_catches_what_sees_both_colours() -> None:
    board = Board().confine(1, row(1), "r1c1 r1c9").confine(1, column(9), "r1c9 r7c9").confine(1, row(7), "r7c2 r7c9")
    assert kinds(board, "simple-colouring") == {1: candidates([1], "r2c2 r3c2 r8c1 r9c1")}
    board.cells[cell("r4c9")].add(1)
    assert not board.steps("simple-colouring")


def test_a_colour_that_sees_itself_is_false() -> None:
    # r1c1 = r1c5 = r5c5 = r5c2, so that r1c1 and r5c5 have one colour, r1c5 and r5c2 the other.
    board = Board().confine(1, row(1), "r1c1 r1c5").confine(1, column(5), "r1c5 r5c5").confine(1, row(5), "r5c2 r5c5")
    assert 2 not in kinds(board, "simple-colouring")
    board.confine(1, column(2), "r3c2 r5c2")  # r3c2 has the colour of r1c1, and shares its box
    assert kinds(board, "simple-colouring")[2] == candidates([1], "r1c1 r5c5 r3c2")


def test_one_of_two_opposite_colours_is_true() -> None:
    board = Board().confine(1, row(1), "r1c1 r1c5").confine(1, row(6), "r6c1 r6c6")
    assert kinds(board, "multi-colouring") == {1: candidates([1], "r4c5 r5c5 r2c6 r3c6")}
    board.cells[cell("r1c9")].add(1)
    assert not board.steps("multi-colouring")


def test_a_colour_that_sees_both_colours_of_another_set_is_false() -> None:
    board = Board().confine(1, row(1), "r1c1 r1c5").confine(1, column(5), "r1c5 r8c5").confine(1, row(9), "r9c1 r9c6")
    assert kinds(board, "multi-colouring")[2] == candidates([1], "r1c1 r8c5")
    board.cells[cell("r9c9")].add(1)
    assert not board.steps("multi-colouring")
