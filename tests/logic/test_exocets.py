"""Junior exocets."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.cases import for_each
from tests.logic.boards import Board, Candidates, candidates, cell, column, eliminated, random_board, row
from tests.logic.extremes import (
    COMPENDIUM_2,
    EXTREMES,
    FATA_MORGANA,
    GOLDEN_NUGGET,
    PLATINUM_BLONDE,
    Outcome,
    StuckBoard,
    is_open,
)

pytestmark = [pytest.mark.native, pytest.mark.heavy]


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


@for_each("names", ["r3c4", "r2c7", "r6c3", "r6c4", "r9c7"])
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


@pytest.mark.thorough
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
