"""Junior exocets, tridagons, fireworks, SK loops and trials."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import sudokulab
from sudokulab import Dlx, Puzzle, _core
from sudokulab._internal.native import native_puzzle
from tests.logic.boards import Board, Candidates, candidates, cell, column, eliminated, random_board, row
from tests.puzzles import EASY, INKALA, TINY, full_grid

pytestmark = [pytest.mark.native, pytest.mark.heavy]

EASTER_MONSTER = sudokulab.parse("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1")
GOLDEN_NUGGET = sudokulab.parse(".......39....1...5..3..58....8..9..6.7..2....1..4.......9..8.5..2....6..4..7.....")
FATA_MORGANA = sudokulab.parse("........3..1..56...9..4..7......9.5.7.......8.5.4.2....8..2..9...35..1..6........")
PLATINUM_BLONDE = sudokulab.parse(".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...")
COMPENDIUM_2 = sudokulab.parse("..2.8..6767....8.....67......6...78..2..16.54..5...612.61...4.5..8.5.1.6457361298")
"""From the JExocet compendium; the forum explains its eliminations."""
TRIVALUE = sudokulab.parse("57....9..........8.1.........168..42...1.28.9..2.9416.....26....6.9.82.4...41.6..")
"""A tridagon with one guardian, discussed on the forum."""
FIREWORK = sudokulab.parse("1.....5.82.........4..9.7.6..3..2....26.8.9..5....92......73....8....1.....9...42")
EXTREMES = [EASTER_MONSTER, GOLDEN_NUGGET, FATA_MORGANA, PLATINUM_BLONDE, COMPENDIUM_2, TRIVALUE, FIREWORK, INKALA]
PATTERNS = ["junior-exocet", "tridagon", "fireworks", "sk-loop"]
BASIC = [
    "full-house",
    "hidden-single",
    "naked-single",
    "pointing",
    "claiming",
    *(f"{kind}-{size}" for size in ("pair", "triplet", "quad") for kind in ("naked", "hidden")),
]
NO_LIMIT = 100_000

Outcome = tuple[tuple[int, ...], frozenset[tuple[int, int]]]


class StuckBoard(Board):
    """The board of a puzzle on which singles, locked candidates and subsets no longer apply."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle.box)
        self.native = native_puzzle(puzzle)
        deduced = _core.deduce(self.native, BASIC, NO_LIMIT, _core.Budget())
        self.masks = list(deduced.candidates)
        self.cells = [{digit for digit in range(1, self.size + 1) if mask >> digit - 1 & 1} for mask in self.masks]
        self.placed = [
            (number, digit) for number, digit in enumerate(deduced.grid) if digit and not puzzle.cells[number]
        ]
        self.is_open = [not digit for digit in deduced.grid]

    def remove(self, number: int, digit: int) -> None:
        self.cells[number].discard(digit)
        self.masks[number] &= ~(1 << digit - 1)

    def steps(self, technique: str) -> list[_core.Step]:
        return _core.find_steps(self.native, self.masks, technique, self.placed)


def is_open(board: Board, number: int) -> bool:
    return not isinstance(board, StuckBoard) or board.is_open[number]


def outcomes(board: Board, technique: str) -> list[Outcome]:
    return [(tuple(step.cells), frozenset(step.eliminations)) for step in board.steps(technique)]


def assert_sound(steps: list[_core.Step], solution: list[int]) -> None:
    for step in steps:
        assert all(solution[number] != digit for number, digit in step.eliminations), step.technique
        assert all(solution[number] == digit for number, digit in step.placements), step.technique
        assert len(set(step.eliminations)) == len(step.eliminations)
        assert step.eliminations or step.placements


def solution_of(puzzle: Puzzle) -> list[int]:
    grid = sudokulab.solve(puzzle, Dlx()).grid
    assert grid is not None
    digits: list[int] = grid.ravel().tolist()
    return digits


# Junior exocets


def exocet() -> Board:
    """Return a board with bases r1c1 and r1c2, targets r2c4 and r3c7, and S cells in the rows 4 and 5."""
    board = Board().only("r1c1 r1c2", [1, 2, 3]).only("r3c4 r2c7", [4, 5, 6, 7, 8, 9])
    for digit in (1, 2, 3):
        for line in (3, 4, 7):
            band_and_cover = " ".join(f"r{number}c{line}" for number in (1, 2, 3, 4, 5))
            board.confine(digit, column(line), band_and_cover)
    return board


def test_the_targets_of_an_exocet_hold_base_digits() -> None:
    (step,) = exocet().steps("junior-exocet")
    assert step.cells == [cell(name) for name in ("r1c1", "r1c2", "r2c4", "r3c7")]
    assert step.length == 3
    assert eliminated([step]) == candidates([4, 5, 6, 7, 8, 9], "r2c4 r3c7")


@pytest.mark.parametrize("names", ["r3c4", "r2c7", "r6c3", "r6c4", "r9c7"])
def test_an_exocet_fails_by_one_base_digit_in_a_companion_or_a_third_row(names: str) -> None:
    board = exocet()
    board.cells[cell(names)].add(2)
    assert not board.steps("junior-exocet")


def test_a_cross_line_can_cover_base_digits() -> None:
    board = exocet().confine(2, row(5), "r5c1 r5c2 r5c4 r5c5 r5c6 r5c8 r5c9")
    board.cells[cell("r6c4")].add(2)
    (step,) = board.steps("junior-exocet")
    # The other cross-lines have 2 only in row 4, so that r2c4 cannot hold it.
    assert eliminated([step]) == candidates([4, 5, 6, 7, 8, 9], "r2c4 r3c7") | candidates([2], "r2c4")


def test_exocets_have_three_or_four_base_digits() -> None:
    assert exocet().only("r1c1", [1, 2, 3]).only("r1c2", [1, 2]).steps("junior-exocet")
    assert not exocet().only("r1c1 r1c2", [1, 2]).steps("junior-exocet")
    assert not exocet().only("r1c1", [1, 2, 3, 4, 5]).steps("junior-exocet")


def test_the_mirror_of_a_target_holds_its_digit() -> None:
    # The mirror of r2c4 is r3c8 and r3c9.
    board = exocet().only("r3c8", [1, 4, 5]).only("r3c9", [2, 6, 7])
    others = candidates([4, 5, 6, 7, 8, 9], "r2c4 r3c7")
    assert eliminated(board.steps("junior-exocet")) == others | candidates([3], "r2c4")
    board.only("r3c8", [4, 5])
    expected = others | candidates([1, 3], "r2c4") | candidates([6, 7], "r3c9") | candidates([2], "r3c7")
    assert eliminated(board.steps("junior-exocet")) == expected


def test_bases_and_targets_hold_the_same_digits() -> None:
    board = exocet().only("r2c4", [1, 2]).only("r3c7", [2, 9])
    expected = candidates([3], "r1c1 r1c2") | candidates([2], "r2c4") | candidates([9], "r3c7")
    assert eliminated(board.steps("junior-exocet")) == expected


def test_a_target_can_have_two_cells_with_a_locked_digit() -> None:
    board = exocet().only("r2c4", [1, 2, 3, 7, 8]).only("r3c4", [1, 7, 9]).confine(7, column(4), "r2c4 r3c4")
    (step,) = board.steps("junior-exocet")
    assert (step.variant, step.cells[2:]) == (1, [cell("r2c4"), cell("r3c4"), cell("r3c7")])
    others = candidates([4, 5, 6, 7, 8, 9], "r3c7")
    assert eliminated([step]) == others | candidates([8], "r2c4") | candidates([9], "r3c4")
    # Without 1 in the mirror r2c8 and r2c9, r3c4 can only have the locked digit.
    board.confine(1, row(2), " ".join(f"r2c{k}" for k in range(1, 8)))
    expected = others | candidates([7, 8], "r2c4") | candidates([1, 9], "r3c4")
    assert eliminated(board.steps("junior-exocet")) == expected
    board = exocet().only("r2c4", [1, 2, 3, 7, 8]).only("r3c4", [1, 7, 9])
    assert not board.steps("junior-exocet")


def test_the_exocets_of_famous_puzzles() -> None:
    (step,) = StuckBoard(COMPENDIUM_2).steps("junior-exocet")
    assert eliminated([step]) == candidates([2, 5, 9], "r2c4") | candidates([3, 9], "r3c9")
    (step,) = StuckBoard(FATA_MORGANA).steps("junior-exocet")
    assert step.cells == [cell(name) for name in ("r5c4", "r5c6", "r4c2", "r6c8")]
    assert eliminated([step]) == candidates([2, 4], "r4c2")
    (step,) = StuckBoard(GOLDEN_NUGGET).steps("junior-exocet")
    assert step.cells[:2] == [cell("r1c7"), cell("r2c7")]
    assert eliminated([step]) == candidates([3], "r7c9")
    (step,) = StuckBoard(PLATINUM_BLONDE).steps("junior-exocet")
    assert step.cells == [cell(name) for name in ("r1c7", "r2c7", "r4c8", "r7c8", "r7c9")]
    assert eliminated([step]) == candidates([2, 3, 4], "r4c8") | candidates([2, 3], "r7c8") | candidates([1], "r7c9")


def slow_exocets(board: Board) -> Iterator[Outcome]:
    """Yield the exocets of rows, then of columns, by trying all fillings of bases, targets and mirrors."""
    for line, stack, spare in itertools.product(range(9), range(3), (2, 1, 0)):
        bases = [9 * line + 3 * stack + k for k in range(3) if k != spare]
        digits = board.cells[bases[0]] | board.cells[bases[1]]
        if len(digits) in (3, 4) and all(is_open(board, number) for number in bases):
            one, other = ([*slow_targets(board, line, s, digits)] for s in range(3) if s != stack)
            for first, second in itertools.product(one, other):
                cross_lines = (3 * stack + spare, first[0] % 9, second[0] % 9)
                if removed := slow_exocet(board, line, bases, (first, second), cross_lines):
                    yield (*bases, *first, *second), frozenset(removed)


def slow_targets(board: Board, line: int, stack: int, digits: set[int]) -> Iterator[tuple[int, ...]]:
    columns = range(3 * stack, 3 * stack + 3)
    others = [number for number in range(9) if number // 3 == line // 3 and number != line]
    for m, k in itertools.product(others, columns):
        target, companion = 9 * m + k, 9 * (sum(others) - m) + k
        if is_open(board, target) and board.cells[target] & digits and not board.cells[companion] & digits:
            yield (target,)
    for k in columns:
        pair = (9 * others[0] + k, 9 * others[1] + k)
        if all(is_open(board, number) and board.cells[number] & digits for number in pair) and slow_locked(
            board, pair, digits
        ):
            yield pair


def slow_locked(board: Board, pair: tuple[int, ...], digits: set[int]) -> set[int]:
    """Return the locked digit of a target of two cells."""
    units = [unit for unit in board.units()[9:] if set(pair) <= set(unit)]
    locked = {digit for digit in range(1, 10) for unit in units if board.positions(digit) & set(unit) == set(pair)}
    return locked - digits if len(locked - digits) == 1 else set()


def slow_exocet(
    board: Board, line: int, bases: list[int], targets: tuple[tuple[int, ...], ...], cross_lines: tuple[int, ...]
) -> Candidates:
    digits = board.cells[bases[0]] | board.cells[bases[1]]
    s_cells = {9 * m + k for m in range(9) if m // 3 != line // 3 for k in cross_lines}
    having = {digit: board.positions(digit) & s_cells for digit in digits}
    lines = [{number for number in s_cells if number // 9 == m} for m in range(9)]
    lines += [{number for number in s_cells if number % 9 == k} for k in cross_lines]
    if not all(any(places <= a | b for a, b in itertools.combinations(lines, 2)) for places in having.values()):
        return set()

    def mirror(number: int, k: int) -> list[int]:
        (third,) = (m for m in range(9) if m // 3 == line // 3 and m not in (line, number // 9))
        crossing = cross_lines[2 - k]
        return [9 * third + other for other in range(9) if other // 3 == crossing // 3 and other != crossing]

    def fillings(k: int) -> Iterator[tuple[int, Candidates]]:
        """Yield the base digit of a target and what its cells, and the mirror of a single cell, hold."""
        for number, digit in itertools.product(targets[k], digits):
            a, b = ([place for place in having[digit] if place % 9 == cross_lines[n]] for n in (0, 2 - k))
            if digit not in board.cells[number] or all(one // 9 == other // 9 for one in a for other in b):
                continue
            one, other = mirror(number, k)
            if len(targets[k]) == 2 and digit in board.cells[one] | board.cells[other]:
                (companion,) = set(targets[k]) - {number}
                (locked,) = slow_locked(board, targets[k], digits)
                yield digit, {(number, digit), (companion, locked)}
            elif len(targets[k]) == 1:
                for x, y in itertools.product(board.cells[one], board.cells[other]):
                    if digit in (x, y):
                        yield digit, {(number, digit), (one, x), (other, y)}

    kept: Candidates = set()
    for (d, held), (e, other_held) in itertools.product(fillings(0), list(fillings(1))):
        for first, second in ((d, e), (e, d)):
            if d != e and first in board.cells[bases[0]] and second in board.cells[bases[1]]:
                kept |= {(bases[0], first), (bases[1], second)} | held | other_held
    cells = {number for number, _ in kept}
    return {(number, digit) for number in cells for digit in board.cells[number]} - kept


def transposed(board: Board) -> Board:
    flipped = Board()
    flipped.cells = [board.cells[number % 9 * 9 + number // 9] for number in range(81)]
    return flipped


def test_exocets_are_those_of_a_slow_search() -> None:
    boards: list[Board] = [random_board((3, 3), 0.12, seed)[0] for seed in range(40)]
    # Shuffling can exchange rows and columns.
    boards += [StuckBoard(puzzle.shuffle(seed)) for seed in range(4) for puzzle in EXTREMES]
    variants = set()
    for board in boards:
        steps = [step for step in board.steps("junior-exocet") if step.units[0] < 9]
        assert [(tuple(step.cells), frozenset(step.eliminations)) for step in steps] == list(slow_exocets(board))
        variants |= {step.variant for step in steps}
    assert variants == {0, 1, 2}


def test_exocets_of_columns_are_those_of_rows_transposed() -> None:
    def cells_and_eliminations(board: Board, units: range) -> list[tuple[list[int], Candidates]]:
        steps = [step for step in board.steps("junior-exocet") if step.units[0] in units]
        return [(step.cells, set(step.eliminations)) for step in steps]

    def flipped(number: int) -> int:
        return number % 9 * 9 + number // 9

    count = 0
    for seed in range(20):
        board, _ = random_board((3, 3), 0.12, seed)
        in_columns = cells_and_eliminations(transposed(board), range(9, 18))
        assert cells_and_eliminations(board, range(9)) == [
            ([flipped(number) for number in cells], {(flipped(number), digit) for number, digit in removed})
            for cells, removed in in_columns
        ]
        count += len(in_columns)
    assert count > 0


def test_exocets_need_boxes_of_three_by_three() -> None:
    for shape in ((2, 2), (2, 3), (3, 4)):
        assert not random_board(shape, 0.3, 1)[0].steps("junior-exocet")


# Tridagons

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


# Fireworks


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


# SK loops


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


@pytest.mark.parametrize("name", ["r1c1", "r2c2", "r3c7", "r9c9"])
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


# Trials


def all_solutions(board: Board) -> list[tuple[int, ...]]:
    found = []
    peers = board.peers()
    digits: list[int] = []

    def fill() -> None:
        number = len(digits)
        if number == len(board.cells):
            found.append(tuple(digits))
            return
        for digit in board.cells[number]:
            if all(digits[other] != digit for other in peers[number] if other < number):
                digits.append(digit)
                fill()
                digits.pop()

    fill()
    return found


@pytest.mark.parametrize("density", [0.5, 0.8, 1.0])
def test_trials_remove_what_is_in_no_solution(density: float) -> None:
    for seed in range(10):
        board, solution = random_board((2, 2), density, seed)
        solutions = all_solutions(board)
        assert tuple(solution) in solutions
        possible = {(number, digit) for digits in solutions for number, digit in enumerate(digits)}
        several = [number for number, digits in enumerate(board.cells) if len(digits) > 1]
        wrong = {(number, digit) for number in several for digit in board.cells[number]} - possible
        steps = board.steps("trial")
        assert eliminated(steps) == wrong
        assert all(len(step.eliminations) + len(step.placements) == 1 for step in steps)
        assert all(step.length > 0 for step in steps if step.eliminations)
        singles = {(number, digit) for number, digits in enumerate(board.cells) for digit in digits} - {
            (number, digit) for number in several for digit in board.cells[number]
        }
        assert {candidate for step in steps for candidate in step.placements} == singles


def test_trials_begin_with_the_first_cell_that_has_the_fewest_candidates() -> None:
    board = StuckBoard(INKALA)
    fewest = min(len(board.cells[number]) for number in range(81) if board.is_open[number])
    first = next(number for number in range(81) if board.is_open[number] and len(board.cells[number]) == fewest)
    assert board.steps("trial")[0].cells == [first]


@pytest.mark.parametrize("puzzle", [EASY, *EXTREMES, TINY])
def test_trials_alone_solve_a_puzzle(puzzle: Puzzle) -> None:
    deduced = _core.deduce(native_puzzle(puzzle), ["trial"], NO_LIMIT, _core.Budget())
    assert list(deduced.grid) == solution_of(puzzle)


def test_trials_leave_several_solutions_alone() -> None:
    puzzle = Puzzle.empty((2, 2))
    assert not _core.find_steps(native_puzzle(puzzle), None, "trial")


def test_a_budget_stops_trials() -> None:
    native = native_puzzle(GOLDEN_NUGGET)
    assert not _core.find_steps(native, None, "trial", budget=_core.Budget(nodes=20))
    assert not _core.find_steps(native, None, "trial", budget=_core.Budget(seconds=0))
    some = _core.find_steps(native, None, "trial", budget=_core.Budget(nodes=1000))
    assert 0 < len(some) < len(_core.find_steps(native, None, "trial"))
    assert sum(step.length for step in some) <= 1000


def test_trials_refute_every_candidate_of_an_impossible_board() -> None:
    board = Board((2, 2))
    board.cells[0], board.cells[1] = {1}, {1}
    steps = board.steps("trial")
    assert len(eliminated(steps)) == sum(len(digits) for digits in board.cells[2:])


# Soundness


@pytest.mark.parametrize("technique", PATTERNS)
@pytest.mark.parametrize("density", [0.08, 0.12, 0.2, 0.3])
def test_patterns_spare_the_solution(technique: str, density: float) -> None:
    for seed in range(20):
        for shape in ((3, 3), (2, 3), (3, 4)):
            board, solution = random_board(shape, density, seed)
            assert_sound(board.steps(technique), solution)


def test_patterns_spare_the_solution_where_they_are_frequent() -> None:
    """Keep the cells of random solutions in the shape of each pattern, with other candidates at random."""
    found: set[str] = set()
    for seed in range(10):
        rng = random.Random(seed)
        solution = list(full_grid((3, 3)).shuffle(seed).cells)
        for digits in itertools.combinations(range(1, 10), 3):
            board = Board()
            for number, digit in enumerate(solution):
                if digit in digits:
                    board.cells[number] = set(digits)
                else:
                    board.cells[number] = {digit, rng.randint(1, 9)}
            for number in rng.sample(range(81), 12):
                board.cells[number] |= {*digits}
            for technique in ("tridagon", "fireworks"):
                steps = board.steps(technique)
                assert_sound(steps, solution)
                found |= {step.technique for step in steps}
    assert found == {"tridagon", "fireworks"}


def test_patterns_solve_extreme_puzzles_with_trials() -> None:
    for seed, puzzle in enumerate(EXTREMES):
        shuffled = puzzle.shuffle(seed)
        solution = solution_of(shuffled)
        native = native_puzzle(shuffled)
        path = _core.deduce(native, [*BASIC, *PATTERNS, "trial"], NO_LIMIT, _core.Budget())
        assert_sound(path.steps, solution)
        assert list(path.grid) == solution


def test_patterns_spare_the_solutions_of_extreme_puzzles(public_data: Path) -> None:
    lines = (public_data / "ratings" / "extreme-5000.txt").read_text().splitlines()
    showing = dict.fromkeys(PATTERNS, 0)
    for line in lines[1:500:2]:
        puzzle = sudokulab.parse(line.split()[0])
        board, solution = StuckBoard(puzzle), solution_of(puzzle)
        for technique in PATTERNS:
            steps = board.steps(technique)
            assert_sound(steps, solution)
            showing[technique] += bool(steps)
    assert showing["junior-exocet"] > 100
