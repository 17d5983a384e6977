"""The search of the GPU, compiled for the host, gives the answers of the CPU's engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from sudokulab import _core, count_array, generate_array, is_unique_array, solve_array
from tests.cases import for_each
from tests.gpu import host
from tests.gpu.questions import adversarial, bundled, random_puzzles, read_lines


def agree(puzzles: NDArray[np.uint8]) -> bool:
    """Return whether solutions and counts agree; of puzzles with several solutions, any is right."""
    expected = count_array(puzzles, 2)
    solutions, firsts = host.solve(puzzles)
    _, counts = host.solve(puzzles, 2)
    is_one = expected == 1
    return (
        bool((counts == expected).all() and (firsts == expected.clip(max=1)).all())
        and bool((solutions[is_one] == solve_array(puzzles)[is_one]).all())
        and not solutions[expected == 0].any()
    )


@for_each("name", ["famous", "easy", "very-hard", "hardest"])
def test_bundled_puzzles_have_the_same_solutions(name: str) -> None:
    assert agree(bundled(name))


def test_random_puzzles_have_the_same_answers() -> None:
    assert agree(random_puzzles(3000, seed=1))


def test_puzzles_at_the_limits_have_the_same_answers() -> None:
    assert agree(adversarial())


@for_each("number", [1, 2, 3, 4, 5, 7, 9])
@for_each("chunk", [1, 2, 3, 5, 32])
def test_every_puzzle_is_taken_once(number: int, chunk: int) -> None:
    puzzles = random_puzzles(number, seed=number)
    assert (host.solve(puzzles, 2, chunk=chunk)[1] == count_array(puzzles, 2)).all()


@for_each("limit", [1, 2, 3, 10, 1000])
def test_solutions_are_counted_up_to_the_limit(limit: int) -> None:
    puzzles = random_puzzles(300, seed=2)
    puzzles[:, :12] = 0
    assert (host.solve(puzzles, limit, max_guesses=10**6)[1] == count_array(puzzles, limit)).all()


def test_the_solution_of_an_empty_grid_is_valid() -> None:
    solutions, counts = host.solve(np.zeros((3, 81), np.uint8))
    assert counts.tolist() == [1, 1, 1]
    assert is_unique_array(solutions).all()


def test_searches_over_the_limit_are_given_up() -> None:
    empty = np.zeros((4, 81), np.uint8)
    empty[2] = solve_array(empty[:1])[0]
    counts = host.solve(empty, 100, max_guesses=20)[1]
    assert counts.tolist() == [host.UNDECIDED, host.UNDECIDED, 1, host.UNDECIDED]


@for_each("byte", [10, 15, 16, 32, 255])
def test_a_byte_that_is_not_a_digit_leaves_no_solution(byte: int) -> None:
    puzzles = np.zeros((2, 81), np.uint8)
    puzzles[1, 17] = byte
    assert host.solve(puzzles)[1].tolist() == [1, 0]


def test_blanking_gives_the_puzzles_of_the_generator() -> None:
    grids, orders = _core.blanking_starts(7, 3, 200, 1)
    made = generate_array(200, minimal=True, seed=7, first=3)
    assert (made.solutions == grids).all()
    assert (host.blank(grids, orders) == made.puzzles).all()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["royle-17-clue.txt", "forum-hardest-11plus.txt"])
def test_public_puzzles_have_the_same_answers(public_data: Path, name: str) -> None:
    assert agree(read_lines(public_data / name, 10))
