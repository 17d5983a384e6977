from __future__ import annotations

from itertools import chain
from typing import Literal

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, SudokulabError, is_solution, random_grid, solve
from sudokulab.formats.coercion import PuzzleLike
from sudokulab.questions import solve_array
from sudokulab.solvers import Annealing
from sudokulab.verify import are_solutions
from tests.cases import for_each
from tests.memory import most_bytes
from tests.puzzles import EASY, INKALA, full_grid, random_instance

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CELLS = bytes(int(char) for char in SOLVED)
GRID = np.array(list(CELLS)).reshape(9, 9)


def test_the_correct_solution_is_accepted() -> None:
    assert is_solution(GRID, EASY)
    assert is_solution(GRID.tolist(), EASY)


def test_a_solution_must_keep_the_givens() -> None:
    assert is_solution(GRID, Puzzle.empty(9))
    swapped = np.array([0, *range(2, 10), 1])[GRID]
    assert is_solution(swapped, Puzzle.empty(9))
    assert not is_solution(swapped, EASY)


@for_each("cell", range(81))
def test_any_single_wrong_digit_is_detected(cell: int) -> None:
    wrong = GRID.copy()
    wrong.flat[cell] = wrong.flat[cell] % 9 + 1
    assert not is_solution(wrong, Puzzle.empty(9))


def test_valid_rows_and_columns_are_not_enough() -> None:
    latin = np.array([[(row + col) % 4 + 1 for col in range(4)] for row in range(4)])
    assert not is_solution(latin, Puzzle.empty(4))


def test_valid_boxes_are_not_enough() -> None:
    assert not is_solution([[1, 2, 1, 2], [3, 4, 3, 4]] * 2, Puzzle.empty(4))


ACCEPTED = {
    "puzzle": Puzzle(CELLS),
    "text": str(Puzzle(CELLS)),
    "drawn text": "\n".join(" ".join(map(str, row)) for row in GRID.tolist()),
    "text as bytes": str(Puzzle(CELLS)).encode(),
    "cells as bytes": CELLS,
    "square array": GRID,
    "flat array": GRID.reshape(81),
    "array of another type": GRID.astype(np.int64),
    "row of solve_array": solve_array([EASY])[0],
    "nested lists": GRID.tolist(),
    "flat list": GRID.reshape(81).tolist(),
}


@for_each("form", ACCEPTED)
def test_a_solution_is_recognised_in_every_form(form: str) -> None:
    assert is_solution(ACCEPTED[form], EASY)
    assert not is_solution(ACCEPTED[form], INKALA)


@for_each("form", ACCEPTED)
def test_a_puzzle_is_accepted_in_every_form(form: str) -> None:
    assert is_solution(GRID, ACCEPTED[form])


def test_a_box_shape_given_on_one_side_applies_to_both() -> None:
    puzzle = random_instance((3, 2), 20, seed=1)
    result = solve(puzzle)
    assert result.solution
    flat = list(puzzle.cells)
    for grid in (result, result.solution, result.solution.line, list(result.solution.cells)):
        assert is_solution(grid, puzzle)
    for text in (puzzle.line, flat, bytes(flat)):
        assert is_solution(result, text)
        assert is_solution(result.solution, text)


def test_a_result_is_judged_by_its_solution() -> None:
    assert is_solution(solve(EASY), EASY)
    assert is_solution(solve(EASY), EASY.line)
    assert not is_solution(solve(INKALA), EASY)
    assert not is_solution(solve(INKALA, budget=Budget(nodes=0)), INKALA)
    assert not is_solution(Annealing().solve(INKALA, Budget(iterations=10)), INKALA)  # has a grid, but no solution


@for_each("wrong", [GRID[:4, :4], GRID.reshape(81)[:16], GRID * 0, GRID - 10, "1234341221434321"])
def test_grids_of_another_size_or_with_invalid_digits_are_not_solutions(wrong: PuzzleLike) -> None:
    assert not is_solution(wrong, EASY)


@for_each("junk", [None, 3, [], GRID[:8], GRID * 1.0, "text", [[1, 2], [3]], {1: 2}, object()])
def test_invalid_input_is_rejected_with_a_clear_error(junk: object) -> None:
    with pytest.raises(SudokulabError, match="; "):
        is_solution(junk, EASY)  # type: ignore[arg-type]
    with pytest.raises(SudokulabError, match="; "):
        is_solution(GRID, junk)  # type: ignore[arg-type]


def test_digits_beyond_a_byte_do_not_wrap_around() -> None:
    assert not is_solution(GRID + 256, EASY)


@for_each("box", [(2, 3), (3, 2), (3, 4), (5, 5), (8, 8)])
def test_rectangular_and_large_grids_are_judged(box: tuple[int, int]) -> None:
    full = full_grid(box)
    assert is_solution(full.givens, Puzzle.empty(box))
    turned = Puzzle(full.cells, type(full.box)(box[1], box[0])) if box[0] != box[1] else None
    assert turned is None or not is_solution(turned.givens, Puzzle.empty(turned.box))


def test_each_of_many_grids_is_judged_separately() -> None:
    wrong = GRID.copy()
    wrong[0, 0] = 9
    grids = np.stack([GRID, wrong, GRID])
    givens = np.stack([EASY.givens] * 3)
    assert are_solutions(grids, givens, EASY.box).tolist() == [True, False, True]


def test_there_must_be_a_puzzle_for_each_grid() -> None:
    for number in (1, 3):
        with pytest.raises(ValueError, match=f"2 grids and {number} puzzles; pass one puzzle per grid"):
            are_solutions(np.stack([GRID] * 2), np.stack([EASY.givens] * number), EASY.box)


@for_each("kind", [np.int64, np.uint8])
@for_each("order", ["C", "F"])
def test_many_large_grids_are_judged_with_little_memory(kind: type[np.integer], order: Literal["C", "F"]) -> None:
    full = full_grid((8, 8))
    grids = np.tile(full.givens, (1000, 1, 1)).astype(kind, order=order)
    grids[700, 0, 0] = 0
    givens = np.zeros(grids.shape, np.uint8, order=order)
    assert np.flatnonzero(~are_solutions(grids, givens, full.box)).tolist() == [700]
    assert most_bytes(lambda: are_solutions(grids, givens, full.box)) < 4 * grids.size


def plain_judge(grid: list[list[int]], puzzle: Puzzle) -> bool:
    """Check a solution directly by the definition."""
    size, (rows, cols) = puzzle.size, puzzle.box
    columns = [list(column) for column in zip(*grid, strict=True)]
    boxes = [
        [grid[top + i][left + j] for i in range(rows) for j in range(cols)]
        for top in range(0, size, rows)
        for left in range(0, size, cols)
    ]
    keeps = all(not given or given == digit for given, digit in zip(puzzle.cells, chain(*grid), strict=True))
    return keeps and all(sorted(unit) == list(range(1, size + 1)) for unit in grid + columns + boxes)


@for_each("box", [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (2, 32), (7, 9), (8, 8)])
def test_the_judge_agrees_with_the_definition(box: tuple[int, int]) -> None:
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


def test_a_puzzle_can_be_judged_as_a_solution() -> None:
    full, other = random_grid(9, seed=1), random_grid(9, seed=2)
    assert is_solution(full, Puzzle.empty(9))
    assert is_solution(full, full)
    assert not is_solution(other, full)
    assert not is_solution(Puzzle.empty(9), Puzzle.empty(9))
    assert not is_solution(random_grid((2, 3), seed=1), Puzzle.empty((3, 2)))
