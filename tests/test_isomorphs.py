"""The canonical form, against brute force, known counts and random isomorphs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from pathlib import Path

import pytest

import sudokulab
from sudokulab import BoxShape, Puzzle, PuzzleError, _core, parse, read
from sudokulab._internal.native import native_puzzle
from sudokulab.isomorphs import canonical, canonical_many, is_isomorphic, num_automorphisms
from tests.puzzles import EASY, INKALA, SEVENTEEN, SMALL, TINY, random_instance

pytestmark = [pytest.mark.native, pytest.mark.heavy]

MOST_CANONICAL = parse("123456789456789123789123456231564897564897231897231564312645978645978312978312645")
"""The first grid of the catalogue of all essentially different grids; it has the most automorphisms."""
ALL_SYMMETRIES = 2 * 6**8


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


def isomorphs(puzzle: Puzzle) -> list[bytes]:
    """Return each arrangement of a puzzle, with the smallest labels."""
    return [smallest_labels(puzzle.cells[cell] for cell in order) for order in arrangements(puzzle.box)]


def partial(puzzle: Puzzle, num_givens: int, seed: int) -> Puzzle:
    kept = random.Random(seed).sample(range(len(puzzle.cells)), num_givens)
    return Puzzle(bytes(digit if cell in kept else 0 for cell, digit in enumerate(puzzle.cells)), puzzle.box)


def any_cells(box: tuple[int, int], num_digits: int, density: float, seed: int) -> Puzzle:
    """Return a puzzle that breaks the rules."""
    rng, shape = random.Random(seed), BoxShape(*box)
    cells = [rng.randint(1, num_digits) if rng.random() < density else 0 for _ in range(shape.size**2)]
    return Puzzle(bytes(cells), shape)


def check_by_brute_force(puzzle: Puzzle) -> None:
    forms = isomorphs(puzzle)
    assert canonical(puzzle).cells == min(forms), puzzle
    assert num_automorphisms(puzzle) == forms.count(smallest_labels(iter(puzzle.cells))), puzzle


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2)])
def test_puzzles_agree_with_brute_force(box: tuple[int, int]) -> None:
    size = box[0] * box[1]
    number = 60 if size == 4 else 6
    for seed in range(number):
        check_by_brute_force(random_instance(box, seed % (size * size) if size == 4 else 5 * seed + 3, seed))


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2)])
def test_puzzles_that_break_the_rules_agree_with_brute_force(box: tuple[int, int]) -> None:
    number = 120 if box == (2, 2) else 8
    for seed in range(number):
        check_by_brute_force(any_cells(box, 1 + seed % 5 % (box[0] * box[1]), (1 + seed % 3) / 3, seed))


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2)])
def test_relabelling_by_first_appearance_is_smallest(box: tuple[int, int]) -> None:
    cells = random_instance(box, 8, seed=1).cells
    size = box[0] * box[1]
    tables = [bytes([0, *digits]) for digits in permutations(range(1, size + 1))]
    assert smallest_labels(iter(cells)) == min(bytes(table[digit] for digit in cells) for table in tables)


def test_there_are_two_grids_of_size_4() -> None:
    grids = list(sudokulab.enumerate(Puzzle.empty("2x2")))
    forms = list(canonical_many(grids))
    assert len(grids) == 288
    assert {form.line: forms.count(form) for form in forms} == {"1234341221434321": 96, "1234341223414123": 192}
    for form in set(forms):  # the orbit of a grid times its stabiliser is the group
        assert forms.count(form) * num_automorphisms(form) == 128 * 24


def test_there_are_49_grids_of_size_6() -> None:
    forms = set(canonical_many(sudokulab.random_grid((2, 3), seed=seed) for seed in range(3000)))
    group = 48 * 72 * 720
    assert len(forms) == 49
    assert sum(group // num_automorphisms(form) for form in forms) == 28_200_960


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


@pytest.mark.parametrize("name", PUZZLES)
def test_all_isomorphs_have_the_same_canonical_form(name: str) -> None:
    puzzle = PUZZLES[name]
    form = canonical(puzzle)
    assert canonical(form) == form
    for seed in range(20):
        isomorph = puzzle.shuffle(seed)
        assert canonical(isomorph) == form
        assert num_automorphisms(isomorph) == num_automorphisms(form)
        assert form.cells <= smallest_labels(iter(isomorph.cells))


@pytest.mark.parametrize("name", PUZZLES)
def test_the_transformation_leads_to_the_canonical_form(name: str) -> None:
    puzzle = PUZZLES[name].shuffle(3)
    found = _core.canonical(native_puzzle(puzzle))
    turned = puzzle.transpose() if found.is_transposed else puzzle
    assert turned.permute_rows(found.rows).permute_cols(found.cols).relabel(found.digits).cells == found.cells


def test_random_puzzles_have_the_form_of_their_isomorphs() -> None:
    for seed in range(300):
        puzzle = random_instance((3, 3), 10 + seed % 60, seed)
        assert is_isomorphic(puzzle, puzzle.shuffle(seed + 1))


def test_similar_puzzles_are_not_isomorphic() -> None:
    for cell in range(81):
        changed = Puzzle(SEVENTEEN.cells[:cell] + bytes([SEVENTEEN.cells[cell] == 0]) + SEVENTEEN.cells[cell + 1 :])
        assert not is_isomorphic(SEVENTEEN, changed)
    assert not is_isomorphic(TINY, EASY)
    assert not is_isomorphic(Puzzle.empty("2x3"), Puzzle.empty("3x2"))


def test_automorphisms_of_known_grids() -> None:
    assert canonical(MOST_CANONICAL.shuffle(5)) == MOST_CANONICAL
    assert num_automorphisms(MOST_CANONICAL) == 648
    assert num_automorphisms(Puzzle.empty("3x3")) == num_automorphisms(Puzzle(b"\1" * 81)) == ALL_SYMMETRIES
    assert num_automorphisms(Puzzle(b"\1" + bytes(80))) == ALL_SYMMETRIES // 81
    assert num_automorphisms(Puzzle(b"\1\2" + bytes(79))) == ALL_SYMMETRIES // (81 * 4 // 2)
    assert num_automorphisms(SEVENTEEN) == 1


def test_puzzles_with_17_givens_begin_with_zeros(public_data: Path) -> None:
    with read(public_data / "royle-17-clue.txt") as puzzles:
        forms = list(canonical_many(puzzle for number, puzzle in enumerate(puzzles) if number % 50 == 0))
    assert all(form.cells[:8] == bytes(8) for form in forms)
    assert len(set(forms)) == len(forms)  # the collection has no two isomorphic puzzles


def test_a_stated_solution_is_transformed() -> None:
    solution = sudokulab.solve(INKALA).solution
    form = canonical(Puzzle(INKALA.cells, name="Inkala", solution=solution))
    assert form.name == "Inkala"
    assert form == canonical(INKALA)
    assert form.solution
    assert sudokulab.is_solution(form.solution, form)


def test_threads_do_not_change_the_forms() -> None:
    puzzles = [random_instance((3, 3), 30, seed) for seed in range(50)]
    assert list(canonical_many(puzzles, threads=1)) == list(canonical_many(puzzles, threads=4))


def test_larger_puzzles_are_rejected() -> None:
    for box in ("2x5", "3x4", "4x4"):
        with pytest.raises(PuzzleError, match=r"size 1\d is too large for a canonical form, expected at most 9"):
            canonical(Puzzle.empty(box))
    with pytest.raises(ValueError, match="no canonical form for this box shape"):
        _core.canonical(_core.Puzzle(1, 9, bytes(81)))
    with pytest.raises(ValueError, match="no canonical form for this box shape"):
        _core.canonical_many([_core.Puzzle(4, 4, bytes(256))], 1)
