"""Canonical forms, hashes and equivalence, against brute force, known counts and random transformations."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest

import sudokulab
from sudokulab import (
    BoxShape,
    ParameterError,
    Puzzle,
    PuzzleError,
    _core,
    as_array,
    canonical,
    canonical_array,
    class_hash,
    is_equivalent,
    parse,
    random_grid,
    read,
    solve,
    solve_array,
)
from sudokulab.equivalence import Through, Transformation, class_hash_array
from sudokulab.instances import root_grid
from tests.cases import for_each
from tests.equivalence import Cells, generated, hash_by_hand, mistakes, random_images
from tests.puzzles import EASY, INKALA, SEVENTEEN, SMALL, TINY, random_instance

pytestmark = [pytest.mark.native, pytest.mark.heavy]

MOST_CANONICAL = parse("123456789456789123789123456231564897564897231897231564312645978645978312978312645")
"""The first grid of the catalogue of all essentially different grids; it has the most automorphisms."""
ALL_SYMMETRIES = 2 * 6**8
CONVENTIONS: list[Through] = ["puzzle", "solution"]


def orders(num_groups: int, width: int) -> list[list[int]]:
    """Return the orders of lines that keep the lines of a group together."""
    return [
        [group * width + line for group, lines in zip(groups, within, strict=True) for line in lines]
        for groups in permutations(range(num_groups))
        for within in product(permutations(range(width)), repeat=num_groups)
    ]


@cache
def arrangements(box: tuple[int, int]) -> list[list[int]]:
    """Return all symmetries of a grid, each as the source of every cell."""
    rows, cols = box
    size = rows * cols
    row_orders, col_orders = orders(cols, rows), orders(rows, cols)
    plain = [[row * size + col for row in one for col in other] for one in row_orders for other in col_orders]
    turned = [[cell % size * size + cell // size for cell in order] for order in plain]
    return plain + turned if rows == cols else plain


def smallest_labels(cells: Iterator[int]) -> bytes:
    """Number the digits in the order of their first appearance."""
    labels = {0: 0}
    return bytes(labels.setdefault(digit, len(labels)) for digit in cells)


def equivalents(puzzle: Puzzle) -> list[bytes]:
    """Return each arrangement of a puzzle, with the smallest labels."""
    return [smallest_labels(puzzle.cells[cell] for cell in order) for order in arrangements(puzzle.box)]


def images_through(puzzle: Puzzle, solution: Puzzle) -> list[bytes]:
    """Return the images of a puzzle under all transformations that make its solution smallest."""
    grids = equivalents(solution)
    smallest = min(grids)
    best = [order for order, grid in zip(arrangements(puzzle.box), grids, strict=True) if grid == smallest]
    return [
        bytes(digit if puzzle.cells[cell] else 0 for cell, digit in zip(order, smallest, strict=True)) for order in best
    ]


def partial(puzzle: Puzzle, num_givens: int, seed: int) -> Puzzle:
    kept = random.Random(seed).sample(range(len(puzzle.cells)), num_givens)
    return Puzzle(bytes(digit if cell in kept else 0 for cell, digit in enumerate(puzzle.cells)), puzzle.box)


def any_cells(box: tuple[int, int], num_digits: int, density: float, seed: int) -> Puzzle:
    """Return a puzzle that breaks the rules."""
    rng, shape = random.Random(seed), BoxShape(*box)
    cells = [rng.randint(1, num_digits) if rng.random() < density else 0 for _ in range(shape.size**2)]
    return Puzzle(bytes(cells), shape)


def check_by_brute_force(puzzle: Puzzle) -> None:
    forms = equivalents(puzzle)
    found = canonical(puzzle)
    assert found.puzzle.cells == min(forms), puzzle
    assert found.num_automorphisms == forms.count(smallest_labels(iter(puzzle.cells))), puzzle
    assert found.hash == class_hash(puzzle) == hash_by_hand(found.puzzle)


@for_each("box", [(2, 2), (2, 3), (3, 2)])
def test_puzzles_agree_with_brute_force(box: tuple[int, int]) -> None:
    size = box[0] * box[1]
    number = 60 if size == 4 else 6
    for seed in range(number):
        check_by_brute_force(random_instance(box, seed % (size * size) if size == 4 else 5 * seed + 3, seed))


@for_each("box", [(2, 2), (2, 3), (3, 2)])
def test_puzzles_that_break_the_rules_agree_with_brute_force(box: tuple[int, int]) -> None:
    number = 120 if box == (2, 2) else 8
    for seed in range(number):
        check_by_brute_force(any_cells(box, 1 + seed % 5 % (box[0] * box[1]), (1 + seed % 3) / 3, seed))


@for_each("box", [(2, 2), (2, 3), (3, 2)])
def test_relabelling_by_first_appearance_is_smallest(box: tuple[int, int]) -> None:
    cells = random_instance(box, 8, seed=1).cells
    size = box[0] * box[1]
    tables = [bytes([0, *digits]) for digits in permutations(range(1, size + 1))]
    assert smallest_labels(iter(cells)) == min(bytes(table[digit] for digit in cells) for table in tables)


@for_each("box", ["2x2", "2x3", "3x2"])
def test_forms_through_the_solution_agree_with_brute_force(box: str) -> None:
    for puzzle in sudokulab.generate(40 if box == "2x2" else 8, box=box, minimal=True, seed=1, progress=False):
        solution = solve(puzzle).solution
        assert solution
        images = images_through(puzzle, solution)
        found = canonical(puzzle, through="solution")
        assert found.puzzle.cells == min(images), puzzle
        assert found.num_automorphisms == images.count(min(images)) == canonical(puzzle).num_automorphisms
        assert found.hash == hash_by_hand(found.puzzle)


def test_there_are_two_grids_of_size_4() -> None:
    grids = list(sudokulab.solutions(Puzzle.empty("2x2")))
    found = canonical_array(grids)
    forms = sudokulab.as_strings(found.forms)
    assert len(grids) == 288
    assert {form: forms.count(form) for form in forms} == {"1234341221434321": 96, "1234341223414123": 192}
    for form, number in zip(forms, found.num_automorphisms.tolist(), strict=True):
        assert forms.count(form) * number == 128 * 24  # the orbit of a grid times its stabiliser is the group


def test_there_are_49_grids_of_size_6() -> None:
    found = canonical_array([random_grid((2, 3), seed=seed) for seed in range(3000)])
    classes = dict(zip(sudokulab.as_strings(found.forms), found.num_automorphisms.tolist(), strict=True))
    group = 48 * 72 * 720
    assert len(classes) == 49
    assert sum(group // number for number in classes.values()) == 28_200_960


def all_forms(grid: Puzzle) -> Cells:
    """Return a 9×9 solution grid for every top band and every order of the columns, with 123456789 as its first row.

    The first column then decides the order of the other rows.
    """
    col_orders, row_orders = np.array(orders(3, 3)), np.array(list(permutations(range(3))))
    forms = []
    for lines, band, order in product((grid.givens, grid.givens.T), range(3), row_orders):
        rest = np.delete(lines, np.s_[3 * band : 3 * band + 3], axis=0)
        grids = np.concatenate([lines[3 * band + order], rest])[:, col_orders].swapaxes(0, 1)
        labels = np.zeros((len(grids), 10), np.uint8)
        np.put_along_axis(labels, grids[:, 0], np.arange(1, 10, dtype=np.uint8)[np.newaxis], axis=1)
        grids = np.take_along_axis(labels, grids.reshape(-1, 81), axis=1).reshape(-1, 9, 9)
        firsts = grids[:, 3:, 0].astype(int)
        by_band = np.repeat(firsts.reshape(-1, 2, 3).min(axis=2), 3, axis=1)
        rows = np.column_stack([np.tile([0, 1, 2], (len(grids), 1)), 3 + np.argsort(10 * by_band + firsts, axis=1)])
        forms.append(np.take_along_axis(grids, rows[:, :, np.newaxis], axis=1).reshape(-1, 81))
    return np.concatenate(forms)


@for_each("grid", [MOST_CANONICAL, *(random_grid(9, seed=seed) for seed in range(8))])
def test_solution_grids_agree_with_brute_force(grid: Puzzle) -> None:
    forms = sorted(map(bytes, all_forms(grid)))
    found = canonical(grid)
    assert found.puzzle.cells == forms[0]
    assert found.num_automorphisms == forms.count(forms[0])


def normal_bands(bands: Cells) -> Cells:
    """Number the digits of bands of shape (n, 3, 9) along the first box, and sort the columns of the other boxes."""
    labels = np.zeros((len(bands), 10), np.uint8)
    np.put_along_axis(labels, bands[:, :, :3].reshape(-1, 9), np.arange(1, 10, dtype=np.uint8)[np.newaxis], axis=1)
    normal = np.take_along_axis(labels, bands.reshape(-1, 27), axis=1).reshape(bands.shape)
    orders = [np.argsort(normal[:, 0, start : start + 3], axis=1) + start for start in (3, 6)]
    order = np.column_stack([np.tile([0, 1, 2], (len(bands), 1)), *orders])
    return np.take_along_axis(normal, order[:, np.newaxis], axis=2)


def all_normal_bands() -> Cells:
    digits = set(range(1, 10))
    firsts = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}]
    bands = []
    for seconds in product(*(map(set, combinations(sorted(digits - first), 3)) for first in firsts)):
        if len(set.union(*seconds)) < 9:
            continue
        thirds = [digits - first - second for first, second in zip(firsts, seconds, strict=True)]
        choices = [permutations(sorted(row)) for row in (*seconds[1:], *thirds[1:])]
        for second, third, *others in product(*choices):
            top = [1, 2, 3, *sorted(seconds[0]), *sorted(thirds[0])]
            bands.append([top, [4, 5, 6, *second, *others[0]], [7, 8, 9, *third, *others[1]]])
    return np.array(bands, np.uint8)


def test_there_are_416_bands() -> None:
    """The classes are found by exchanging rows, columns and boxes until nothing new comes up."""
    bands = all_normal_bands()
    assert len(bands) == 56 * 6**4
    index = {band.tobytes(): number for number, band in enumerate(bands)}
    generators = [bands[:, [1, 0, 2]], bands[:, [1, 2, 0]]]
    generators += [bands[:, :, order] for order in ([1, 0, *range(2, 9)], [1, 2, 0, *range(3, 9)])]
    generators += [bands[:, :, [*range(start, 9), *range(start)]] for start in (3, 6)]
    generators += [bands[:, :, [0, 1, 2, 6, 7, 8, 3, 4, 5]]]
    neighbours = [np.array([index[band.tobytes()] for band in normal_bands(images)]) for images in generators]
    classes, before = np.arange(len(bands)), None
    while before is None or (classes != before).any():
        before = classes
        for neighbour in neighbours:
            classes = np.minimum(classes, classes[neighbour])
            np.minimum.at(classes, neighbour, classes.copy())
    members = [np.flatnonzero(classes == number)[[0, -1]] for number in np.unique(classes)]
    puzzles = [bands[number].tobytes() + bytes(54) for pair in members for number in pair]
    hashes = canonical_array([Puzzle(cells) for cells in puzzles]).hashes.reshape(-1, 2)
    assert len(np.unique(hashes)) == len(hashes) == 416
    assert (hashes[:, 0] == hashes[:, 1]).all()


PUZZLES = {
    "empty": Puzzle.empty("3x3"),
    "one digit": Puzzle(bytes(40) + b"\7" + bytes(40)),
    "17 givens": SEVENTEEN,
    "easy": EASY,
    "hard": INKALA,
    "most canonical grid": MOST_CANONICAL,
    "half of it": partial(MOST_CANONICAL, 40, seed=1),
    "first band": Puzzle(MOST_CANONICAL.cells[:27] + bytes(54)),
    "one box": Puzzle(bytes(digit if cell % 9 < 3 and cell < 27 else 0 for cell, digit in enumerate(EASY.cells))),
    "random grid": sudokulab.random_grid(9, seed=1),
    "equal rows": Puzzle(bytes(range(1, 10)) * 9),
    "three equal rows": Puzzle(bytes(range(1, 10)) * 3 + bytes(54)),
    "all ones": Puzzle(b"\1" * 81),
    "anything": any_cells((3, 3), 9, 0.5, seed=1),
    "two digits": any_cells((3, 3), 2, 0.8, seed=2),
    "4×4": TINY,
    "6×6": SMALL,
    "8×8": random_instance((2, 4), 20, seed=1),
    "8×8, full": sudokulab.random_grid((4, 2), seed=1),
}


@for_each("name", PUZZLES)
def test_all_equivalent_puzzles_have_the_same_form(name: str) -> None:
    puzzle = PUZZLES[name]
    found = canonical(puzzle)
    assert canonical(found.puzzle).puzzle == found.puzzle
    assert list(mistakes(puzzle, 20, np.random.default_rng(1))) == []


def test_random_transformations_have_the_same_form() -> None:
    rng = np.random.default_rng(2)
    assert [mistake for puzzle in generated(100, seed=3) for mistake in mistakes(puzzle, 40, rng)] == []


@for_each("through", CONVENTIONS)
@for_each("box", ["2x2", "2x3", "4x2", "3x3"])
def test_the_transformation_leads_to_the_form_and_back(box: str, through: Through) -> None:
    (puzzle,) = sudokulab.generate(1, box=box, seed=1, progress=False)
    for seed in range(10):
        image = puzzle.shuffle(seed)
        found = canonical(image, through=through)
        assert found.transformation.apply(image) == found.puzzle
        assert found.transformation.inverse().apply(found.puzzle) == image


def test_the_inverse_of_a_transformation_with_transposition() -> None:
    change = Transformation(True, (1, 0, 2, 3), (3, 2, 0, 1), (2, 3, 4, 1))
    assert change.inverse().apply(change.apply(TINY)) == TINY
    assert change.inverse().inverse() == change


def test_the_form_through_the_solution_has_the_form_of_the_solution() -> None:
    solution = solve(INKALA).solution
    assert solution
    found = canonical(INKALA.shuffle(1), through="solution")
    assert solve(found.puzzle).solution == canonical(solution).puzzle
    assert found.puzzle != canonical(INKALA).puzzle
    assert canonical(solution, through="solution") == canonical(solution)


@pytest.mark.parametrize(
    ("puzzle", "number"), [("11" + "." * 79, "no solution"), (Puzzle.empty(9), "several solutions")]
)
def test_the_form_through_the_solution_needs_one_solution(puzzle: Puzzle | str, number: str) -> None:
    with pytest.raises(PuzzleError, match=f"the puzzle has {number}; use puzzles with exactly one"):
        canonical(puzzle, through="solution")
    with pytest.raises(PuzzleError, match=f"puzzle 2 has {number}; use puzzles with exactly one"):
        canonical_array([EASY, puzzle], through="solution")


def test_automorphisms_of_known_grids() -> None:
    assert canonical(MOST_CANONICAL.shuffle(5)).puzzle == MOST_CANONICAL
    numbers = {
        MOST_CANONICAL: 648,
        Puzzle.empty("3x3"): ALL_SYMMETRIES,
        Puzzle(b"\1" * 81): ALL_SYMMETRIES,
        Puzzle(b"\1" + bytes(80)): ALL_SYMMETRIES // 81,
        Puzzle(b"\1\2" + bytes(79)): ALL_SYMMETRIES // (81 * 4 // 2),
        SEVENTEEN: 1,
    }
    assert {puzzle: canonical(puzzle).num_automorphisms for puzzle in numbers} == numbers


@pytest.mark.parametrize("through", CONVENTIONS)
def test_public_puzzles_with_17_givens_are_pairwise_inequivalent(public_data: Path, through: Through) -> None:
    with read(public_data / "royle-17-clue.txt") as puzzles:
        found = canonical_array(list(puzzles), through=through)
    assert len(found.forms) == 49_158
    assert len(np.unique(found.forms, axis=0)) == len(np.unique(found.hashes)) == 49_158
    if through == "puzzle":
        assert not found.forms[:, :8].any()


def test_a_stated_solution_is_transformed() -> None:
    solution = solve(INKALA).solution
    form = canonical(Puzzle(INKALA.cells, name="Inkala", solution=solution)).puzzle
    assert form.name == "Inkala"
    assert form == canonical(INKALA).puzzle
    assert form.solution
    assert sudokulab.is_solution(form.solution, form)


@pytest.mark.parametrize("through", CONVENTIONS)
def test_arrays_agree_with_single_puzzles_for_any_number_of_threads(through: Through) -> None:
    puzzles = [*generated(150, seed=5), EASY, SEVENTEEN]
    unique = [puzzle for puzzle in puzzles if sudokulab.is_unique(puzzle)]
    one, four = (canonical_array(as_array(unique), through=through, threads=threads) for threads in (1, 4))
    for name in ("forms", "is_transposed", "rows", "cols", "digits", "num_automorphisms", "hashes"):
        assert (getattr(one, name) == getattr(four, name)).all()
    for index, puzzle in enumerate(unique):
        single = canonical(puzzle, through=through)
        assert one.forms[index].tobytes() == single.puzzle.cells
        assert tuple(one.rows[index].tolist()) == single.transformation.rows
        assert (one.num_automorphisms[index], one.hashes[index]) == (single.num_automorphisms, single.hash)


def test_no_puzzles_give_empty_arrays() -> None:
    found = canonical_array([])
    assert (found.forms.shape, found.rows.shape, found.hashes.shape) == ((0, 81), (0, 9), (0,))
    assert class_hash_array([]).shape == (0,)


def some_of(grid: Puzzle) -> Puzzle:
    return Puzzle(bytes(digit if cell % 7 in (0, 1, 4) else 0 for cell, digit in enumerate(grid.cells)), grid.box)


HASHES = {
    TINY: 0x13A156B8ECEBB269,
    SMALL: 0x843ED389E4733268,
    EASY: 0xE1BF00A6F0ED4EFC,
    SEVENTEEN: 0x009CC2FC51AD0A65,
    MOST_CANONICAL: 0xE22E62039F20F2D8,
    Puzzle.empty("2x4"): 0xE90E6365D2521B87,
    Puzzle.empty("2x5"): 0x94A4C66143B34CC2,
    root_grid(10): 0xA3DDFF9A78C864E7,
    some_of(root_grid(12)): 0xE9D8391F7821C6E3,
    some_of(root_grid(16)): 0x6F82D4AEC226E676,
    root_grid(16): 0x8712C89D5A01B180,
}
"""People store hashes: these must never change."""


def test_hashes_are_the_same_forever() -> None:
    assert {puzzle: class_hash(puzzle) for puzzle in HASHES} == HASHES
    assert canonical(SEVENTEEN, through="solution").hash == 0x13C730B4370316DC


LARGE: dict[str, Puzzle] = {
    **{f"empty {box}": Puzzle.empty(box) for box in ("2x5", "4x3", "4x4")},
    **{
        f"full {box}": random_grid(BoxShape.of(box), seed=1)
        for box in ("2x5", "5x2", "3x4", "2x7", "3x5", "2x8", "4x4")
    },
    **{f"root {size}": root_grid(size) for size in (10, 12, 14, 15, 16)},
    **{f"{number} givens": random_instance((4, 4), number, seed=number) for number in (1, 2, 3, 8, 30, 80, 150, 255)},
    "half of a root grid": Puzzle(bytes(digit if digit < 9 else 0 for digit in root_grid(16).cells)),
    "all ones": Puzzle(b"\1" * 256),
    "equal rows": Puzzle(bytes(range(1, 17)) * 16),
    "a diagonal": Puzzle(bytes(cell // 16 == cell % 16 for cell in range(256))),
    "a parity": Puzzle(bytes(1 + (cell // 16 & cell % 16 // 4).bit_count() % 2 for cell in range(256))),
    "a chessboard": Puzzle(bytes((cell // 16 + cell) % 2 for cell in range(256))),
    "anything": any_cells((4, 4), 16, 0.5, seed=1),
}


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Interrupt a search that takes longer."""

    def interrupt(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@for_each("name", LARGE)
def test_large_equivalent_puzzles_are_recognised(name: str) -> None:
    puzzle = LARGE[name]
    with within(seconds=20):
        for image in random_images(puzzle, 5, np.random.default_rng(1)):
            assert is_equivalent(puzzle, Puzzle(image.tobytes(), puzzle.box))
            assert class_hash_array(image[np.newaxis], box=puzzle.box)[0] == class_hash(puzzle)


@for_each("name", [name for name, puzzle in LARGE.items() if puzzle.num_givens > 1])
def test_large_puzzles_with_a_given_less_are_not_equivalent(name: str) -> None:
    puzzle = LARGE[name]
    cell = next(cell for cell, digit in enumerate(puzzle.cells) if digit)
    less = Puzzle(puzzle.cells[:cell] + b"\0" + puzzle.cells[cell + 1 :], puzzle.box)
    assert not is_equivalent(puzzle, less.shuffle(1))
    assert class_hash(puzzle) != class_hash(less)


def group_table(order: int, other: int, power: int) -> Puzzle:
    """Return the table of a group with (a, x)(b, y) = (a + power**x b, x + y). Bands are cosets of a subgroup."""
    elements = list(product(range(order), range(other)))

    def times(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
        return (one[0] + power ** one[1] * two[0]) % order, (one[1] + two[1]) % other

    subgroup = list(product(range(0, order, 4), range(other))) if other == 2 else list(product(range(4), [0]))
    cosets = sorted({tuple(sorted(times(one, element) for one in subgroup)) for element in elements})
    rows = [element for coset in cosets for element in coset]
    cols = [coset[k] for k in range(4) for coset in cosets]
    return Puzzle(bytes(elements.index(times(row, col)) + 1 for row in rows for col in cols))


@pytest.mark.parametrize(("order", "other", "powers"), [(8, 2, (1, 5)), (4, 4, (1, 3))])
def test_symmetric_grids_with_the_same_hash_are_distinguished(order: int, other: int, powers: tuple[int, int]) -> None:
    """Tables of different groups are not equivalent (Albert's theorem), but colours do not show it."""
    one, two = (group_table(order, other, power) for power in powers)
    assert sudokulab.is_solution(one, Puzzle.empty(16))
    assert sudokulab.is_solution(two, Puzzle.empty(16))
    assert class_hash(one) == class_hash(two)
    with within(seconds=20):
        assert not is_equivalent(one, two)
        assert not is_equivalent(one, two.shuffle(1))
        assert is_equivalent(one, one.shuffle(2))
        assert is_equivalent(two, two.shuffle(3))


def test_one_switched_rectangle_makes_a_difference() -> None:
    """Exchange two digits in two rows of a full grid: all counts of digits stay the same."""
    grid = random_grid((4, 4), seed=3)
    cells = np.array(grid.givens)
    hashes = {class_hash(grid)}
    for one, other in combinations(range(4), 2):
        changed = cells.copy()
        changed[[one, other]] = changed[[other, one]]  # still equivalent
        hashes.add(class_hash(changed))
        changed[[one, other], :4] = changed[[other, one], :4]
        hashes.add(class_hash(changed))
    assert len(hashes) == 7


def test_random_large_puzzles_have_different_hashes() -> None:
    for box, fraction in product([(2, 5), (3, 4), (3, 5), (4, 4)], (0.1, 0.5, 1)):
        grids = [random_grid(box, seed=seed) for seed in range(30)]
        puzzles = [partial(grid, int(len(grid.cells) * fraction), seed) for seed, grid in enumerate(grids)]
        assert len(set(class_hash_array(puzzles).tolist())) == 30


def test_the_search_for_a_mapping_agrees_with_canonical_forms() -> None:
    """The two share no code, and small puzzles are often equivalent."""
    for box, num_digits, density in product([(2, 2), (2, 3), (3, 3)], (1, 2, 4), (0.1, 0.3, 1.0)):
        puzzles = [any_cells(box, num_digits, density, seed) for seed in range(12)]
        puzzles += [random_instance(box, round(density * len(puzzles[0].cells)), seed) for seed in range(12)]
        forms = [canonical(puzzle).puzzle for puzzle in puzzles]
        for one, other in combinations(range(len(puzzles)), 2):
            assert is_equivalent(puzzles[one], puzzles[other]) is (forms[one] == forms[other])


def test_similar_puzzles_are_not_equivalent() -> None:
    for cell in range(81):
        changed = Puzzle(SEVENTEEN.cells[:cell] + bytes([SEVENTEEN.cells[cell] == 0]) + SEVENTEEN.cells[cell + 1 :])
        assert not is_equivalent(SEVENTEEN, changed)
        assert class_hash(SEVENTEEN) != class_hash(changed)


def test_puzzles_of_different_shapes_are_not_equivalent() -> None:
    assert not is_equivalent(TINY, EASY)
    assert not is_equivalent(Puzzle.empty("2x3"), Puzzle.empty("3x2"))
    assert not is_equivalent(Puzzle.empty(25), Puzzle.empty(16))
    assert class_hash(Puzzle.empty("2x3")) != class_hash(Puzzle.empty("3x2"))
    assert class_hash(Puzzle.empty("2x6")) != class_hash(Puzzle.empty("6x2"))


def test_what_is_too_large_is_rejected() -> None:
    for box in ("2x5", "3x4", "4x4"):
        with pytest.raises(
            PuzzleError, match=r"canonical forms support sizes up to 9, not 1\d; use class hashes \(--hash\) up to 16"
        ):
            canonical(Puzzle.empty(box))
    with pytest.raises(PuzzleError, match="class hashes support sizes up to 16, not 25"):
        class_hash(Puzzle.empty(25))
    with pytest.raises(PuzzleError, match="tests of equivalence support sizes up to 16, not 25"):
        is_equivalent(Puzzle.empty(25), Puzzle.empty(25))
    with pytest.raises(ParameterError, match="through: 'grid'; choose one of puzzle, solution"):
        canonical(EASY, through="grid")  # type: ignore[arg-type]


def test_the_core_checks_shapes_and_digits() -> None:
    cells = np.zeros((1, 81), np.uint8)
    for box in ((1, 9), (2**30, 2**30), (-3, -3), (4, 4)):
        with pytest.raises(ValueError, match="no canonical form for this box shape"):
            _core.canonical_array(cells, None, *box, 1)
    with pytest.raises(ValueError, match="puzzles do not fit the box shape"):
        _core.canonical_array(cells, None, 2, 2, 1)
    with pytest.raises(ValueError, match="puzzles do not fit the box shape"):
        _core.canonical_array(cells + 10, None, 3, 3, 1)
    with pytest.raises(ValueError, match="puzzles and solutions differ in number"):
        _core.canonical_array(cells, np.zeros((2, 81), np.uint8), 3, 3, 1)
    for box in ((1, 9), (2**30, 2**30), (5, 5)):
        with pytest.raises(ValueError, match="no equivalence for this box shape"):
            _core.class_hash_array(cells, *box, 1)


def test_solutions_of_equivalent_puzzles_are_equivalent() -> None:
    puzzles = [SEVENTEEN.shuffle(seed) for seed in range(5)]
    assert len(set(class_hash_array(solve_array(puzzles)).tolist())) == 1
