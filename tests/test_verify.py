from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from sudokulab import Puzzle, is_solution, random_grid
from sudokulab.verify import are_solutions
from tests.puzzles import EASY, full_grid

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
GRID = np.array([int(char) for char in SOLVED]).reshape(9, 9)


def test_the_solution_is_accepted() -> None:
    assert is_solution(GRID, EASY)
    assert is_solution(GRID.tolist(), EASY)


def test_a_changed_given_is_no_solution() -> None:
    assert is_solution(GRID, Puzzle.empty(9))
    swapped = np.array([0, *range(2, 10), 1])[GRID]
    assert is_solution(swapped, Puzzle.empty(9))
    assert not is_solution(swapped, EASY)


@pytest.mark.parametrize("cell", range(81))
def test_any_single_wrong_digit_is_seen(cell: int) -> None:
    wrong = GRID.copy()
    wrong.flat[cell] = wrong.flat[cell] % 9 + 1
    assert not is_solution(wrong, Puzzle.empty(9))


def test_rows_and_columns_alone_do_not_make_a_solution() -> None:
    latin = np.array([[(row + col) % 4 + 1 for col in range(4)] for row in range(4)])
    assert not is_solution(latin, Puzzle.empty(4))


def test_boxes_alone_do_not_make_a_solution() -> None:
    assert not is_solution([[1, 2, 1, 2], [3, 4, 3, 4]] * 2, Puzzle.empty(4))


@pytest.mark.parametrize("junk", [None, 3, [], GRID[:8], GRID * 1.0, GRID * 0, GRID - 10, "text", [[1, 2], [3]]])
def test_junk_is_no_solution(junk: object) -> None:
    assert not is_solution(junk, EASY)  # type: ignore[arg-type]


def test_digits_beyond_a_byte_do_not_wrap_around() -> None:
    assert not is_solution(GRID + 256, EASY)


@pytest.mark.parametrize("box", [(2, 3), (3, 2), (3, 4), (5, 5), (8, 8)])
def test_rectangular_and_large_grids_are_judged(box: tuple[int, int]) -> None:
    full = full_grid(box)
    assert is_solution(full.givens, Puzzle.empty(box))
    turned = Puzzle(full.cells, type(full.box)(box[1], box[0])) if box[0] != box[1] else None
    assert turned is None or not is_solution(turned.givens, Puzzle.empty(turned.box))


def test_many_grids_are_judged_one_by_one() -> None:
    wrong = GRID.copy()
    wrong[0, 0] = 9
    grids = np.stack([GRID, wrong, GRID])
    givens = np.stack([EASY.givens] * 3)
    assert are_solutions(grids, givens, EASY.box).tolist() == [True, False, True]


def plain_judge(grid: list[list[int]], puzzle: Puzzle) -> bool:
    """The definition, word by word."""
    size, (rows, cols) = puzzle.size, puzzle.box
    columns = [list(column) for column in zip(*grid, strict=True)]
    boxes = [
        [grid[top + i][left + j] for i in range(rows) for j in range(cols)]
        for top in range(0, size, rows)
        for left in range(0, size, cols)
    ]
    keeps = all(not given or given == digit for given, digit in zip(puzzle.cells, chain(*grid), strict=True))
    return keeps and all(sorted(unit) == list(range(1, size + 1)) for unit in grid + columns + boxes)


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (2, 32), (7, 9), (8, 8)])
def test_the_judge_says_what_the_definition_says(box: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    full = [random_grid(box, seed=seed) for seed in range(20)]
    puzzles = [Puzzle(bytes(digit * (rng.random() < 0.3) for digit in grid.cells), grid.box) for grid in full]
    grids = np.array([grid.givens for grid in full]).astype(np.int64)
    for number, grid in enumerate(grids):
        row, col, other = rng.integers(puzzles[0].size, size=3)
        if number % 4 == 0:
            grid[row, col] = rng.choice([0, -1, 65, 255, 257, grid[row, other]])
        elif number % 4 == 1:
            grid[:, [col, other]] = grid[:, [other, col]]
        elif number % 4 == 2:
            grid[[row, other]] = grid[[other, row]]
    verdicts = are_solutions(grids, np.array([puzzle.givens for puzzle in puzzles]), puzzles[0].box).tolist()
    expected = [plain_judge(grid.tolist(), puzzle) for grid, puzzle in zip(grids, puzzles, strict=True)]
    assert verdicts == expected
    assert verdicts == [is_solution(grid, puzzle) for grid, puzzle in zip(grids, puzzles, strict=True)]
    assert any(verdicts)
    assert not all(verdicts)


def test_a_puzzle_is_judged_as_a_grid() -> None:
    full, other = random_grid(9, seed=1), random_grid(9, seed=2)
    assert is_solution(full, Puzzle.empty(9))
    assert is_solution(full, full)
    assert not is_solution(other, full)
    assert not is_solution(Puzzle.empty(9), Puzzle.empty(9))
    assert not is_solution(random_grid((2, 3), seed=1), Puzzle.empty((3, 2)))
