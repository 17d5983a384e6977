from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import BoxShape, Puzzle, PuzzleError, count, is_solution, parse
from tests.cases import for_each
from tests.puzzles import EASY, TINY, any_puzzles, full_grid, satisfiable_puzzles


@for_each(
    ("size", "box"),
    [
        *[(4, "2x2"), (6, "2x3"), (8, "2x4"), (9, "3x3"), (10, "2x5"), (12, "3x4"), (15, "3x5"), (16, "4x4")],
        *[(20, "4x5"), (25, "5x5"), (36, "6x6"), (49, "7x7"), (64, "8x8")],
    ],
)
def test_the_default_box_is_the_most_nearly_square_one(size: int, box: str) -> None:
    assert str(BoxShape.of_size(size)) == box
    assert Puzzle.empty(size).size == size


@for_each("size", [0, 1, 2, 3, 5, 7, 11, 65, 81, 10**30])
def test_sizes_without_boxes_are_rejected(size: int) -> None:
    with pytest.raises(PuzzleError, match="is not possible"):
        BoxShape.of_size(size)


def test_a_puzzle_is_immutable_and_hashable() -> None:
    with pytest.raises(AttributeError):
        TINY.box = BoxShape(4, 1)  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        TINY.givens[0, 0] = 2
    assert len({TINY, Puzzle(TINY.cells), Puzzle(TINY.cells, name="other")}) == 1


def test_puzzles_with_different_box_shapes_are_different() -> None:
    assert Puzzle.empty((2, 3)) != Puzzle.empty((3, 2))


def test_givens_are_an_array_of_digits() -> None:
    assert EASY.givens.shape == (9, 9)
    assert EASY.givens[0].tolist() == [5, 3, 0, 0, 7, 0, 0, 0, 0]
    assert Puzzle.from_array(EASY.givens) == Puzzle.from_array(EASY.givens.tolist()) == EASY


@for_each(
    ("cells", "box", "complaint"),
    [
        (bytes(80), None, "80 cells; use a square number"),
        (bytes([10] * 81), None, "digit 10 in a grid of size 9"),
        (bytes(81), (2, 3), "81 cells with boxes of 2×3; use 36"),
        (bytes(81), (1, 9), "box 1×9; choose at least 2×2"),
    ],
)
def test_impossible_puzzles_are_rejected(cells: bytes, box: BoxShape, complaint: str) -> None:
    with pytest.raises(PuzzleError, match=complaint):
        Puzzle(cells, box)


def test_arrays_with_invalid_digits_are_rejected() -> None:
    with pytest.raises(PuzzleError, match="pass integers"):
        Puzzle.from_array([[0.5] * 4] * 4)
    with pytest.raises(PuzzleError, match="digits from -1 to 3"):
        Puzzle.from_array([[-1, 0, 0, 3]] * 4)


def test_clashing_cells_are_found_in_rows_columns_and_boxes() -> None:
    assert parse("11..............").clashes() == [0, 1]
    assert parse("1.......1.......").clashes() == [0, 8]
    assert parse("1....1..........").clashes() == [0, 5]
    assert EASY.clashes() == []


def test_relabel_exchanges_digits() -> None:
    assert TINY.relabel([2, 3, 4, 1]).line == "2.....4..1.....3"


def test_transpose_also_transposes_the_boxes() -> None:
    puzzle = Puzzle.from_array(np.arange(36).reshape(6, 6) % 7, (2, 3))
    assert puzzle.transpose().box == BoxShape(3, 2)
    assert puzzle.transpose().givens.tolist() == puzzle.givens.T.tolist()


def test_permutations_must_not_split_bands_or_stacks() -> None:
    assert TINY.permute_rows([1, 0, 2, 3]).givens[0].tolist() == TINY.givens[1].tolist()
    with pytest.raises(PuzzleError, match="separates rows of the same band"):
        TINY.permute_rows([0, 2, 1, 3])
    with pytest.raises(PuzzleError, match="separates columns of the same stack"):
        TINY.permute_cols([0, 2, 1, 3])
    with pytest.raises(PuzzleError, match="is not a permutation of 2 bands"):
        TINY.permute_bands([0, 0])


@given(any_puzzles(), st.randoms())
def test_symmetries_can_be_undone(puzzle: Puzzle, random: object) -> None:
    bands, stacks = list(range(puzzle.box.cols)), list(range(puzzle.box.rows))
    assert puzzle.permute_bands(bands[::-1]).permute_bands(bands[::-1]) == puzzle
    assert puzzle.permute_stacks(stacks[::-1]).permute_stacks(stacks[::-1]) == puzzle
    assert puzzle.transpose().transpose() == puzzle


@given(st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4)]), st.integers(0, 2**32))
def test_a_shuffled_solution_is_a_solution(box: tuple[int, int], seed: int) -> None:
    shuffled = full_grid(box).shuffle(seed)
    assert is_solution(shuffled.givens, Puzzle.empty(shuffled.box))


@given(satisfiable_puzzles(boxes=[BoxShape(2, 2), BoxShape(2, 3)], min_fraction=0.4), st.integers(0, 2**32))
def test_symmetries_preserve_the_number_of_solutions(puzzle: Puzzle, seed: int) -> None:
    assert count(puzzle) == count(puzzle.shuffle(seed))


def test_a_stated_solution_is_shuffled_with_its_puzzle() -> None:
    full = full_grid((2, 2))
    puzzle = Puzzle(TINY.cells, solution=full)
    assert puzzle.shuffle(3).solution == full.shuffle(3)


def test_a_puzzle_behaves_like_a_square_array() -> None:
    assert EASY[0, 0] == 5
    assert EASY[0, 2] == 0
    assert EASY[-1, -1] == 9
    assert EASY[0].tolist() == [5, 3, 0, 0, 7, 0, 0, 0, 0]
    assert len(EASY) == 9
    assert [list(row) for row in EASY] == EASY.givens.tolist() == np.asarray(EASY).tolist()
    assert np.array(EASY, dtype=float).dtype == float
    with pytest.raises(IndexError, match="is outside the 9×9 grid"):
        EASY[9, 0]
    changed = np.array(EASY)
    changed[0, 0] = 1
    assert EASY[0, 0] == 5


def test_a_puzzle_is_drawn_in_notebooks() -> None:
    assert "<svg" in EASY._repr_html_()
    assert EASY._repr_html_().count("<text") == EASY.num_givens
