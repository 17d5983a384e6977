"""The verifier agrees with a slow check in plain Python, on predictions of every type and layout."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sudokulab
from sudokulab import ParameterError, Puzzle, SudokulabError, generate_array
from sudokulab.learn import Scores, Verifier
from tests.cases import for_each
from tests.puzzles import BOXES, EASY, INKALA, TINY, full_grid, random_instance

pytestmark = pytest.mark.native

TINY_SOLUTION = [1, 3, 2, 4, 4, 2, 3, 1, 2, 4, 1, 3, 3, 1, 4, 2]
TYPES = [f"{order}{kind}{width}" for kind in "iu" for width in (1, 2, 4, 8) for order in "<>"]


def expected_score(
    grid: Sequence[int], puzzle: Sequence[int], solution: Sequence[int], box: tuple[int, int]
) -> tuple[bool, bool, bool, int, int, int]:
    """Return the fields of `Scores` for one grid, by their definitions."""
    rows, cols = box
    size = rows * cols
    digits = set(range(1, size + 1))
    at = [[grid[row * size + col] for col in range(size)] for row in range(size)]
    units = [set(line) for line in [*at, *zip(*at, strict=True)]]
    for top in range(0, size, rows):
        for left in range(0, size, cols):
            units.append({at[top + i][left + j] for i in range(rows) for j in range(cols)})
    cells = range(size * size)
    return (
        set(grid) <= digits,
        all(unit == digits for unit in units),
        all(grid[cell] == puzzle[cell] for cell in cells if puzzle[cell]),
        sum(grid[cell] == solution[cell] for cell in cells),
        sum(grid[cell] == solution[cell] for cell in cells if not puzzle[cell]),
        sum(not digit for digit in puzzle),
    )


def fields_of(scores: Scores) -> list[tuple[Any, ...]]:
    fields = ("is_complete", "is_valid", "keeps_givens", "num_correct", "num_correct_blanks", "num_blanks")
    return list(zip(*(getattr(scores, field).tolist() for field in fields), strict=True))


def predictions_near(
    solutions: NDArray[Any], puzzles: NDArray[Any], size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return solutions, puzzles, other valid grids, and grids with a few, many or only wrong values."""
    grids = solutions.astype(np.int64)
    grids[1::8] = puzzles[1::8]
    grids[2::8] = grids[2::8] % size + 1  # relabelled: valid, without the givens
    for first, share in ((3, 0.02), (4, 0.1), (5, 1.0)):
        grids[first::8] = np.where(
            rng.random(grids[first::8].shape) < share,
            rng.integers(-2, size + 3, grids[first::8].shape),
            grids[first::8],
        )
    swapped = rng.permuted(np.tile(np.arange(size * size), (len(grids[6::8]), 1)), axis=1)[:, :2]
    for grid, (one, other) in zip(grids[6::8], swapped, strict=True):
        grid[[one, other]] = grid[[other, one]]
    return grids


def test_scores_agree_with_their_definitions_for_every_box_shape() -> None:
    rng = np.random.default_rng(1)
    for box in [*BOXES, sudokulab.BoxShape(2, 6), sudokulab.BoxShape(5, 5)]:
        full = [full_grid(box).shuffle(seed) for seed in range(40)]
        solutions = np.array([list(grid.cells) for grid in full])
        puzzles = np.where(rng.random(solutions.shape) < 0.4, solutions, 0)
        grids = predictions_near(solutions, puzzles, box.size, rng)
        rows = zip(grids.tolist(), puzzles.tolist(), solutions.tolist(), strict=True)
        expected = [expected_score(*row, box) for row in rows]
        scores = Verifier(puzzles, solutions, box=box).score(grids)
        assert fields_of(scores) == expected, box
        assert 0 < scores.is_solved.sum() < scores.is_valid.sum() < scores.is_complete.sum() < len(scores)


@for_each("dtype", TYPES)
def test_predictions_may_have_any_integer_type(dtype: str) -> None:
    limits = np.iinfo(dtype)
    grid = np.array([TINY_SOLUTION, TINY_SOLUTION], dtype)
    grid[1, :3] = [limits.min, limits.max, limits.max - 1]
    scores = Verifier([TINY, TINY]).score(grid)
    assert fields_of(scores) == [(True, True, True, 16, 12, 12), (False, False, False, 13, 10, 12)]


@for_each("dtype", [">i2", "<i4", "<i8", "<u8"])
def test_a_large_number_is_not_mistaken_for_a_digit(dtype: str) -> None:
    """Its lowest byte is the right digit."""
    scores = Verifier([TINY]).score(np.array([TINY_SOLUTION], dtype) + np.array(256, dtype))
    assert fields_of(scores) == [(False, False, False, 0, 0, 12)]


def with_gaps(grids: NDArray[Any]) -> NDArray[Any]:
    return np.repeat(np.repeat(grids, 3, axis=0), 2, axis=1)[::3, ::2]


def reversed_twice(grids: NDArray[Any]) -> NDArray[Any]:
    return grids[::-1, ::-1].copy()[::-1, ::-1]


def unaligned(grids: NDArray[Any]) -> NDArray[Any]:
    records = np.zeros(len(grids), [("flag", "i1"), ("grid", "i8", grids.shape[1:])])
    records["grid"] = grids
    return records["grid"]


def read_only(grids: NDArray[Any]) -> NDArray[Any]:
    grids.flags.writeable = False
    return grids


LAYOUTS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "square": lambda grids: grids.reshape(-1, 9, 9),
    "transposed": lambda grids: np.ascontiguousarray(grids.reshape(-1, 9, 9).transpose(2, 1, 0)).transpose(2, 1, 0),
    "column by column": np.asfortranarray,
    "gaps": with_gaps,
    "negative strides": reversed_twice,
    "unaligned": unaligned,
    "read-only": read_only,
    "list": lambda grids: grids.tolist(),
    "masked": lambda grids: np.ma.masked_equal(grids, 0),
}


@for_each("layout", LAYOUTS)
def test_predictions_may_have_any_layout(layout: str) -> None:
    puzzles, solutions = generate_array(40, seed=2)
    grids = predictions_near(solutions, puzzles, 9, np.random.default_rng(2))
    verifier = Verifier(puzzles, solutions)
    assert fields_of(verifier.score(LAYOUTS[layout](grids))) == fields_of(verifier.score(grids.copy()))


@for_each("rows", [[2, 0, 0, 1], np.array([2, 0, 0, 1], np.uint8), (2, 0, 0, 1)])
def test_a_minibatch_names_the_rows_of_its_puzzles(rows: Any) -> None:
    made = generate_array(3, seed=3)
    grids = made.solutions[[2, 0, 1, 1]]
    scores = Verifier(*made).score(grids, rows)
    assert scores.is_solved.tolist() == [True, True, False, True]
    assert scores.is_valid.all()
    assert scores.num_blanks.tolist() == [int((made.puzzles[row] == 0).sum()) for row in rows]


def test_every_number_of_threads_gives_the_same_scores() -> None:
    puzzles, solutions = generate_array(5000, givens=30, seed=4)
    grids = predictions_near(solutions, puzzles, 9, np.random.default_rng(4))
    verifier = Verifier(puzzles, solutions)
    assert fields_of(verifier.score(grids, threads=1)) == fields_of(verifier.score(grids, threads=3))


def test_puzzles_are_solved_if_no_solutions_are_given() -> None:
    verifier = Verifier([EASY, INKALA])
    assert verifier.score(verifier.solutions).accuracy == 1.0
    assert sudokulab.as_strings(verifier.solutions)[1] == sudokulab.solve(INKALA).solution.line  # type: ignore[union-attr]
    assert (len(verifier), verifier.box) == (2, (3, 3))


def test_another_solution_also_solves_a_puzzle_with_several() -> None:
    one, other = list(sudokulab.solutions(random_instance((2, 2), 3, 1)))[:2]
    scores = Verifier([Puzzle.empty(4)], [one]).score([list(other.cells)])
    assert scores.is_solved.all()
    assert scores.num_correct[0] < 16


def test_accuracies_are_shares_of_grids_and_of_blank_cells() -> None:
    verifier = Verifier([TINY, TINY])
    nearly = [*TINY_SOLUTION[:-2], 0, 0]
    scores = verifier.score([TINY_SOLUTION, nearly])
    assert scores.accuracy == 0.5
    assert scores.cell_accuracy == pytest.approx(23 / 24)
    assert math.isnan(verifier.score(np.empty((0, 16), int), []).accuracy)
    assert math.isnan(Verifier([full_grid((2, 2))]).score([list(full_grid((2, 2)).cells)]).cell_accuracy)


@for_each(
    ("predictions", "rows", "message"),
    [
        (np.zeros((2, 15), int), None, r"shape \(2, 15\); pass shape \(n, 16\) or \(n, 4, 4\)"),
        (np.zeros((2, 8, 2), int), None, r"shape \(2, 8, 2\); pass shape"),
        (np.zeros(16, int), None, r"shape \(16,\); pass shape"),
        (np.int64(1), None, r"shape \(\); pass shape"),
        ([[1, 2], [3]], None, "predictions have different lengths"),
        (np.zeros((2, 16)), None, r"type float64; pass integers, such as logits.argmax\(-1\) \+ 1"),
        (np.zeros((2, 16), bool), None, "type bool; pass integers"),
        (["1324423124133142"] * 2, None, "pass integers"),
        (np.zeros((3, 16), int), None, "3 predictions for 2 puzzles; pass their indices as rows"),
        (np.zeros((3, 16), int), [0, 1], "3 predictions for 2 rows"),
        (np.zeros((2, 16), int), [0, 2], "row 2; choose 0 to 1"),
        (np.zeros((2, 16), int), [-1, 0], "row -1; choose 0 to 1"),
        (np.zeros((2, 16), int), np.array([0, 2**64 - 1], np.uint64), "row 18446744073709551615; choose 0 to 1"),
        (np.zeros((2, 16), int), [True, False], "type bool; pass a list of indices"),
        (np.zeros((2, 16), int), [[0, 1]], r"rows have shape \(1, 2\)"),
    ],
)
def test_predictions_and_rows_that_do_not_fit_are_rejected(predictions: Any, rows: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Verifier([TINY, TINY]).score(predictions, rows)


@for_each(
    ("puzzles", "solutions", "message"),
    [
        ([TINY, "." * 16], None, "puzzle 2 has several solutions; use puzzles with exactly one"),
        ([TINY, "11" + "." * 14], None, "puzzle 2 has no solution; use puzzles with exactly one"),
        ([TINY, TINY], [TINY_SOLUTION, TINY_SOLUTION[::-1]], "solution 2 does not solve its puzzle"),
        ([TINY, TINY], [full_grid((2, 2))], "1 grids and 2 puzzles; pass one puzzle per grid"),
        ([TINY], [EASY], "the puzzle has boxes of 3x3; use 2x2"),
        ([TINY, EASY], None, "puzzle 2 has boxes of 3x3; use 2x2"),
    ],
)
def test_puzzles_without_a_known_solution_are_rejected(puzzles: Any, solutions: Any, message: str) -> None:
    with pytest.raises(SudokulabError, match=message):
        Verifier(puzzles, solutions)


@pytest.mark.timing
@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
def test_half_a_million_grids_are_scored_per_second_on_one_core(dtype: type[np.integer]) -> None:
    """The goal is a million on an idle machine; see docs/reference/learn.md for measurements."""
    puzzles, solutions = generate_array(2000, givens=30, seed=5)
    verifier = Verifier(puzzles, solutions)
    grids = np.tile(solutions.astype(dtype), (10, 1))
    rows = np.tile(np.arange(2000), 10)
    seconds = []
    for _ in range(5):
        start = time.process_time()
        verifier.score(grids, rows, threads=1)
        seconds.append(time.process_time() - start)
    assert len(grids) / min(seconds) > 500_000
