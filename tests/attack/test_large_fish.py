"""Fish of size five and more, against every placement of their digit on boards with arbitrary candidates."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.logic.boards import Board, random_board

pytestmark = pytest.mark.native

SIZES = ["squirmbag", "whale", "leviathan"]
SHAPES = ["", "finned-", "sashimi-", "franken-", "finned-franken-", "mutant-", "finned-mutant-"]
NAMES = [shape + size for size in SIZES for shape in SHAPES]
DIGIT = 1


def placements(board: Board, positions: set[int]) -> Iterator[list[int]]:
    """Yield the cells of a digit in all grids in which it is confined to some positions: one per row, column and box.

    Every such placement is that of a solution: there are 6⁶ of them in a 9×9 grid, and permutations of rows within
    bands and columns within stacks turn each into any other.
    """
    size, shape = board.size, board.shape

    def extended(cells: list[int], columns: set[int], boxes: set[int]) -> Iterator[list[int]]:
        line = len(cells)
        if line == size:
            yield cells
            return
        for cell in range(line * size, (line + 1) * size):
            _, column, box = shape.units_of(cell)
            if cell in positions and column not in columns and box not in boxes:
                yield from extended([*cells, cell], columns | {column}, boxes | {box})

    yield from extended([], set(), set())


def sparse_board(seed: int) -> Board:
    """Return a board with candidates of one digit at random, one or two placements among them; others are placed."""
    rng = random.Random(seed)
    board, solution = random_board((3, 3), 0, seed)
    placed = {cell for cell, digit in enumerate(solution) if digit == DIGIT}
    if rng.random() < 0.5:
        _, other = random_board((3, 3), 0, seed + 10_000)
        placed |= {cell for cell, digit in enumerate(other) if digit == DIGIT}
    density = rng.choice([0.05, 0.1, 0.15, 0.2])
    for cell in range(81):
        if cell in placed or rng.random() < density:
            board.cells[cell].add(DIGIT)
    return board


def checked_fish(seed: int, names: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield each fish of a board by its name, and whether all candidates that it removes are wrong."""
    board = sparse_board(seed)
    possible = {cell for cells in placements(board, board.positions(DIGIT)) for cell in cells}
    assert possible, "the board has a solution"
    for name in names:
        for step in board.steps(name):
            is_right = bool(step.eliminations) and all(
                digit == DIGIT and cell not in possible for cell, digit in step.eliminations
            )
            yield name, is_right


@pytest.mark.heavy
def test_large_fish_remove_no_candidate_of_a_solution() -> None:
    counts: Counter[str] = Counter()
    names = [name for name in NAMES if not name.startswith("finned-mutant")]
    for seed in range(20):  # `make attack` takes more
        for name, is_right in checked_fish(seed, names):
            assert is_right, (seed, name)
            counts[name] += 1
    for size in SIZES:
        assert counts[f"franken-{size}"]
        assert counts[f"finned-franken-{size}"]
        assert counts[f"mutant-{size}"]
        assert counts[size] + counts[f"finned-{size}"] + counts[f"sashimi-{size}"]


@pytest.mark.slow
def test_large_finned_mutant_fish_remove_no_candidate_of_a_solution() -> None:
    counts: Counter[str] = Counter()
    names = [f"finned-mutant-{size}" for size in SIZES]
    for seed in range(3):
        for name, is_right in checked_fish(seed, names):
            assert is_right, (seed, name)
            counts[name] += 1
    assert min(counts[name] for name in names) > 0


@pytest.mark.slow
def test_every_kind_of_large_fish_is_checked() -> None:
    counts: Counter[str] = Counter()
    names = [shape + size for size in SIZES for shape in ("", "finned-", "sashimi-")]
    for seed in range(400):
        for name, is_right in checked_fish(seed, names):
            assert is_right, (seed, name)
            counts[name] += 1
    assert set(counts) == set(names)


def test_a_placement_has_a_cell_in_every_unit() -> None:
    board = Board((3, 3))
    assert sum(1 for _ in placements(board, set(range(81)))) == 6**6
