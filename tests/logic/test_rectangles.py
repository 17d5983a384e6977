"""Uniqueness tests, avoidable rectangles and BUG+1: smallest examples, near misses and slow implementations."""

from __future__ import annotations

import itertools
import random

import pytest

from sudokulab import BoxShape, Puzzle, _core, solve
from sudokulab._internal.native import native_puzzle
from tests.cases import for_each
from tests.logic.boards import Board, Candidates, candidates, cell, column, eliminated, row
from tests.puzzles import full_grid

pytestmark = pytest.mark.native

Candidate = tuple[int, int]

UNIQUENESS = [
    *(f"unique-rectangle-{number}" for number in range(1, 7)),
    "hidden-rectangle",
    "avoidable-rectangle-1",
    "avoidable-rectangle-2",
    "bug+1",
]


def rectangle(**corners: list[int]) -> Board:
    """Return a board with 1 and 2 in r1c1, r1c4, r2c1 and r2c4, and the given candidates instead in some of them."""
    board = Board().only("r1c1 r1c4 r2c1 r2c4", [1, 2])
    for name, digits in corners.items():
        board.only(name, digits)
    return board


def test_test_1_clears_the_last_corner() -> None:
    (step,) = rectangle(r2c4=[1, 2, 3]).steps("unique-rectangle-1")
    assert (step.variant, step.assumes_uniqueness) == (1, True)
    assert eliminated([step]) == candidates([1, 2], "r2c4")
    assert not Board().only("r1c1 r1c4 r4c1", [1, 2]).only("r4c4", [1, 2, 3]).steps("unique-rectangle-1")
    assert not rectangle(r2c1=[1, 2, 3], r2c4=[1, 2, 3]).steps("unique-rectangle-1")


def test_a_missing_candidate_makes_a_variant() -> None:
    (step,) = rectangle(r2c1=[1], r2c4=[1, 2, 3]).steps("unique-rectangle-1")
    assert step.variant == 2
    assert eliminated([step]) == candidates([1, 2], "r2c4")


def test_a_rectangle_must_not_contain_excluded_digits() -> None:
    board = rectangle(r2c1=[1], r2c4=[1, 2, 3])
    masks = [sum(1 << digit - 1 for digit in digits) for digits in board.cells]
    steps = _core.find_steps(native_puzzle(Puzzle.empty((3, 3))), masks, "unique-rectangle-1", [(cell("r9c1"), 2)])
    assert not steps  # the 2 in r9c1 excludes 2 from r2c1


def test_test_2_removes_the_common_extra_digit() -> None:
    board = rectangle(r2c1=[1, 2, 3], r2c4=[1, 2, 3])
    (step,) = board.steps("unique-rectangle-2")
    assert eliminated([step]) == candidates([3], "r2c2 r2c3 r2c5 r2c6 r2c7 r2c8 r2c9")
    assert not board.only("r2c4", [1, 2, 4]).steps("unique-rectangle-2")


def test_test_3_uses_the_extra_digits_in_a_subset() -> None:
    board = rectangle(r2c1=[1, 2, 3], r2c4=[1, 2, 4]).only("r2c9", [3, 4])
    (step,) = board.steps("unique-rectangle-3")
    assert eliminated([step]) == candidates([3, 4], "r2c2 r2c3 r2c5 r2c6 r2c7 r2c8")
    assert (step.units, step.length) == ([1], 2)
    assert set(step.nodes[0]) == {(cell("r2c1"), 3), (cell("r2c4"), 4)} | candidates([3, 4], "r2c9")
    assert not board.only("r2c9", [3, 5]).steps("unique-rectangle-3")


def test_test_4_removes_the_digit_that_is_not_locked() -> None:
    board = rectangle(r2c1=[1, 2, 3], r2c4=[1, 2, 4]).confine(1, row(2), "r2c1 r2c4")
    (step,) = board.steps("unique-rectangle-4")
    assert eliminated([step]) == candidates([2], "r2c1 r2c4")
    board.cells[cell("r2c9")].add(1)
    assert not board.steps("unique-rectangle-4")


def test_test_5_has_diagonal_extra_cells() -> None:
    board = rectangle(r1c4=[1, 2, 3], r2c1=[1, 2, 3])
    (step,) = board.steps("unique-rectangle-5")
    assert eliminated([step]) == candidates([3], "r1c2 r1c3 r2c5 r2c6")
    assert not board.only("r2c1", [1, 2, 4]).steps("unique-rectangle-5")


def test_test_6_removes_the_digit_confined_to_the_rectangle() -> None:
    board = rectangle(r1c4=[1, 2, 3], r2c1=[1, 2, 4])
    board.confine(1, row(1), "r1c1 r1c4").confine(1, row(2), "r2c1 r2c4")
    board.confine(1, column(1), "r1c1 r2c1").confine(1, column(4), "r1c4 r2c4")
    (step,) = board.steps("unique-rectangle-6")
    assert eliminated([step]) == candidates([1], "r1c4 r2c1")
    board.cells[cell("r9c4")].add(1)
    assert not board.steps("unique-rectangle-6")


def test_a_hidden_rectangle_needs_one_pair() -> None:
    board = rectangle(r1c4=[1, 2, 5], r2c1=[1, 2, 6], r2c4=[1, 2, 7])
    board.confine(1, row(2), "r2c1 r2c4").confine(1, column(4), "r1c4 r2c4")
    (step,) = board.steps("hidden-rectangle")
    assert eliminated([step]) == candidates([2], "r2c4")
    board.cells[cell("r2c9")].add(1)
    assert not board.steps("hidden-rectangle")


def avoidable(givens: dict[str, int], placed: dict[str, int], names: dict[str, list[int]], number: int) -> Candidates:
    board = Board()
    for name, digits in names.items():
        board.only(name, digits)
    masks = [sum(1 << digit - 1 for digit in digits) for digits in board.cells]
    values = bytearray(81)
    for name, digit in givens.items():
        values[cell(name)] = digit
    pairs = [(cell(name), digit) for name, digit in placed.items()]
    puzzle = native_puzzle(Puzzle(bytes(values), BoxShape(3, 3)))
    return eliminated(_core.find_steps(puzzle, masks, f"avoidable-rectangle-{number}", pairs))


def test_an_avoidable_rectangle_consists_of_placed_digits() -> None:
    placed = {"r1c1": 1, "r2c1": 2, "r1c4": 2}
    corner = {"r2c4": [1, 5]}
    assert avoidable({}, placed, corner, 1) == candidates([1], "r2c4")
    assert not avoidable({"r1c4": 2}, {"r1c1": 1, "r2c1": 2}, corner, 1)
    assert not avoidable({}, placed, {"r2c4": [1, 5, 6]}, 1)


def test_an_avoidable_rectangle_of_type_2_has_one_extra_digit() -> None:
    placed = {"r1c1": 1, "r2c1": 2}
    expected = candidates([5], "r3c4 r4c4 r5c4 r6c4 r7c4 r8c4 r9c4 r1c5 r1c6 r2c5 r2c6 r3c5 r3c6")
    assert avoidable({}, placed, {"r1c4": [2, 5], "r2c4": [1, 5]}, 2) == expected
    assert not avoidable({}, placed, {"r1c4": [2, 5], "r2c4": [1, 6]}, 2)
    assert not avoidable({"r2c1": 2}, {"r1c1": 1}, {"r1c4": [2, 5], "r2c4": [1, 5]}, 2)


def test_bug_plus_1_keeps_the_extra_candidate() -> None:
    board = Board((2, 2))
    for number in range(16):
        board.cells[number] = {1, 2} if (number // 4 + number % 4 // 2) % 2 == 0 else {3, 4}
    assert not board.steps("bug+1")
    board.cells[0].add(3)
    (step,) = board.steps("bug+1")
    assert eliminated([step]) == {(0, 1), (0, 2)}
    board.cells[10].add(1)
    assert not board.steps("bug+1")


def slow_avoidable(
    puzzle: Puzzle, placed: dict[int, int], left: list[set[int]]
) -> dict[int, set[frozenset[Candidate]]]:
    """Return what avoidable rectangles of type 1 and 2 remove, by trying all rectangles in two boxes."""
    size, peers = puzzle.size, Board(puzzle.box).peers()
    found: dict[int, set[frozenset[Candidate]]] = {1: set(), 2: set()}
    for top, bottom in itertools.permutations(range(size), 2):
        for one, other in itertools.permutations(range(size), 2):
            a, b, c, d = corners = [r * size + col for r in (top, bottom) for col in (one, other)]
            if len({puzzle.box.units_of(number)[2] for number in corners}) != 2 or any(
                puzzle.cells[n] for n in corners
            ):
                continue
            x, y = placed.get(a, 0), placed.get(b, 0)  # a and d would hold x, and b and c y
            if x and y and placed.get(c) == y and d not in placed and x in left[d] and len(left[d]) == 2:
                found[1].add(frozenset({(d, x)}))
            for (first, second), (third, fourth) in (((a, b), (c, d)), ((a, c), (b, d))):
                if puzzle.box.units_of(first)[2] != puzzle.box.units_of(second)[2] or {third, fourth} & {*placed}:
                    continue
                x, y = placed.get(first, 0), placed.get(second, 0)
                extra = left[third] & left[fourth]
                if x and y and len(extra) == 1 and left[third] == {y} | extra and left[fourth] == {x} | extra:
                    (z,) = extra
                    removed = {(n, z) for n in peers[third] & peers[fourth] if z in left[n]}
                    found[2] |= {frozenset(removed)} if removed and z not in (x, y) else set()
    return found


@pytest.mark.thorough
@pytest.mark.heavy
def test_avoidable_rectangles_are_those_of_a_slow_search() -> None:
    counts = {1: 0, 2: 0}
    for seed in range(150):
        rng = random.Random(seed)
        solution = full_grid((3, 3) if seed % 3 else (2, 3)).shuffle(seed)
        open_cells = rng.sample(range(len(solution.cells)), len(solution.cells) // 4)
        givens = {number for number in range(len(solution.cells)) if rng.random() < 0.2} - {*open_cells}
        puzzle = Puzzle(bytes(d if n in givens else 0 for n, d in enumerate(solution.cells)), solution.box)
        placed = {n: d for n, d in enumerate(solution.cells) if n not in givens and n not in open_cells}
        peers = Board(puzzle.box).peers()
        seen = [{solution.cells[p] for p in peers[n] if p not in open_cells} for n in range(len(solution.cells))]
        everything = set(range(1, puzzle.size + 1))
        left = [everything - seen[n] if n in open_cells else set() for n in range(len(solution.cells))]
        expected = slow_avoidable(puzzle, placed, left)
        for number in (1, 2):
            name = f"avoidable-rectangle-{number}"
            steps = _core.find_steps(native_puzzle(puzzle), None, name, sorted(placed.items()))
            assert {frozenset(step.eliminations) for step in steps} == expected[number], (seed, number)
            counts[number] += len(expected[number])
    assert min(counts.values()) > 0, counts


def slow_bug_plus_1(board: Board) -> Candidates:
    """Return what BUG+1 removes: the only cell with three candidates keeps the one that occurs three times."""
    triples = [number for number, digits in enumerate(board.cells) if len(digits) == 3]
    if len(triples) != 1 or any(len(digits) not in (2, 3) for digits in board.cells):
        return set()
    (target,) = triples
    for extra in board.cells[target]:
        left = [digits - {extra} if number == target else digits for number, digits in enumerate(board.cells)]
        counts = {sum(d in left[n] for n in unit) for unit in board.units() for d in range(1, board.size + 1)}
        if counts <= {0, 2}:
            return {(target, digit) for digit in board.cells[target] - {extra}}
    return set()


def test_bug_plus_1_is_that_of_a_slow_search() -> None:
    number = 0
    for seed in range(200):
        rng = random.Random(seed)
        board = Board((2, 2))
        names = rng.sample(range(1, 5), 4)
        for n in range(16):
            pair = names[:2] if (n // 4 + n % 4 // 2) % 2 == 0 else names[2:]
            board.cells[n] = set(pair)
        for _ in range(rng.choice([1, 1, 1, 2])):
            board.cells[rng.randrange(16)].add(rng.randrange(1, 5))
        if seed % 5 == 0:
            board.cells[rng.randrange(16)] = set(rng.sample(range(1, 5), 2))
        expected = slow_bug_plus_1(board)
        assert eliminated(board.steps("bug+1")) == expected, seed
        number += bool(expected)
    assert number > 20


def slow_rectangles(board: Board) -> dict[str, set[frozenset[tuple[int, int]]]]:
    """Return what each test removes, except for test 3."""
    size, peers, cells = board.size, board.peers(), board.cells
    box_rows, box_cols = board.shape
    found: dict[str, set[frozenset[tuple[int, int]]]] = {}

    def add(name: str, removed: Candidates) -> None:
        left = frozenset((number, digit) for number, digit in removed if digit in cells[number])
        if left:
            found.setdefault(name, set()).add(left)

    for top, bottom in itertools.combinations(range(size), 2):
        for left, right in itertools.combinations(range(size), 2):
            if (top // box_rows == bottom // box_rows) == (left // box_cols == right // box_cols):
                continue  # one box, or four
            corners = [r * size + c for r in (top, bottom) for c in (left, right)]
            opposite = dict(zip(corners, reversed(corners), strict=True))
            lines = {r * size + c for r in range(size) for c in range(size) if r in (top, bottom) or c in (left, right)}
            for pair in {frozenset(cells[number]) for number in corners if len(cells[number]) == 2}:
                extra = [number for number in corners if cells[number] - pair]
                digits = set().union(*(cells[number] - pair for number in extra))
                seen = set(range(size * size)).intersection(*(peers[number] for number in extra))
                is_line = len(extra) == 2 and extra[1] in peers[extra[0]] and opposite[extra[0]] != extra[1]
                if len(extra) == 1:
                    add("unique-rectangle-1", {(extra[0], digit) for digit in pair})
                if len(extra) in (2, 3) and len(digits) == 1:
                    name = "unique-rectangle-2" if is_line else "unique-rectangle-5"
                    add(name, {(number, digit) for number in seen for digit in digits})
                for digit in sorted(pair):
                    (other,) = pair - {digit}
                    free = board.positions(digit)
                    if is_line and not seen & free:
                        add("unique-rectangle-4", {(number, other) for number in extra})
                    if len(extra) == 2 and not is_line and not (lines - set(corners)) & free:
                        add("unique-rectangle-6", {(number, digit) for number in extra})
                    for corner in corners:
                        far = opposite[corner]
                        crossing = {n for n in lines if n // size == far // size or n % size == far % size}
                        is_shape = len(extra) == 3 or (len(extra) == 2 and not is_line)
                        if is_shape and corner not in extra and not (crossing - set(corners)) & free:
                            add("hidden-rectangle", {(far, other)})
    return found


@pytest.mark.thorough
@pytest.mark.heavy
def test_the_tests_find_what_a_slow_search_finds() -> None:
    counts: dict[str, int] = {}
    for seed in range(120):
        rng = random.Random(seed)
        board = Board((2, 3) if seed % 2 else (3, 3))
        for number in range(board.size**2):
            weights = rng.sample(range(1, board.size + 1), rng.choice([1, 2, 2]))
            board.cells[number] = set(weights)
        names = [(r, c) for r in (0, 1) for c in (0, board.shape.cols)]
        for r, c in names:
            board.cells[r * board.size + c] = {1, 2} | set(rng.sample(range(3, 6), rng.choice([0, 1, 1])))
        slow = slow_rectangles(board)
        for name in UNIQUENESS[:7]:
            if name == "unique-rectangle-3":
                continue
            found = {frozenset(step.eliminations) for step in board.steps(name)}
            expected = slow.get(name, set())
            assert found == expected, (seed, name)
            counts[name] = counts.get(name, 0) + len(found)
    assert all(counts[name] > 0 for name in counts)


def slow_subsets(board: Board) -> set[frozenset[Candidate]]:
    """Return what test 3 removes, by trying all sets of cells."""
    size, cells, (box_rows, box_cols) = board.size, board.cells, board.shape
    units, found = [set(unit) for unit in board.units()], set()
    for (top, bottom), (left, right) in itertools.product(itertools.combinations(range(size), 2), repeat=2):
        if (top // box_rows == bottom // box_rows) == (left // box_cols == right // box_cols):
            continue  # one box, or four
        corners = [r * size + c for r in (top, bottom) for c in (left, right)]
        for pair in {frozenset(cells[number]) for number in corners if len(cells[number]) == 2}:
            extra = {number for number in corners if cells[number] - pair}
            if len(extra) != 2:
                continue
            for unit in (unit for unit in units if extra <= unit):
                free = [number for number in unit - extra if not cells[number] & pair]
                for count in range(1, len(free) + 1):
                    for chosen in itertools.combinations(free, count):
                        digits = set().union(*(cells[number] - pair for number in {*chosen} | extra))
                        subset = extra | {*chosen}
                        cleared = set().union(*(other for other in units if subset <= other)) - subset
                        removed = frozenset((number, digit) for number in cleared for digit in digits & cells[number])
                        if removed and len(digits) == count + 1:
                            found.add(removed)
    return found


@pytest.mark.thorough
@pytest.mark.heavy
def test_test_3_finds_what_a_slow_search_finds() -> None:
    # The core leaves out a few subsets in a line and a box that remove nothing from the line.
    num_found = num_slow = 0
    for seed in range(24):
        rng = random.Random(seed)
        board = Board((2, 3) if seed % 2 else (3, 3))
        for number in range(board.size**2):
            board.cells[number] = set(rng.sample(range(1, board.size + 1), rng.choice([1, 2, 2])))
        for r, c in itertools.product((0, 1), (0, board.shape.cols)):
            board.cells[r * board.size + c] = {1, 2} | set(rng.sample(range(3, 6), rng.choice([0, 1, 1])))
        found = {frozenset(step.eliminations) for step in board.steps("unique-rectangle-3")}
        slow = slow_subsets(board)
        assert found <= slow, seed
        num_found += len(found)
        num_slow += len(slow)
    assert num_found > 0.999 * num_slow > 0


PUZZLES = [
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
]


@for_each("technique", UNIQUENESS)
def test_no_test_removes_a_candidate_of_the_only_solution(technique: str) -> None:
    for number, text in enumerate(PUZZLES):
        puzzle = Puzzle(text)
        solved = solve(puzzle).solution
        assert solved is not None
        solution = list(solved.cells)
        rng = random.Random(number)
        open_cells = [n for n, digit in enumerate(puzzle.cells) if digit == 0]
        for _ in range(60):
            placed = [(n, solution[n]) for n in sorted(rng.sample(open_cells, rng.randrange(20, len(open_cells) - 4)))]
            for step in _core.find_steps(native_puzzle(puzzle), None, technique, placed):
                assert step.assumes_uniqueness
                assert all(solution[n] != digit for n, digit in step.eliminations)
