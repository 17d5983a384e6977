"""The sets of puzzles with several solutions."""

from __future__ import annotations

from sudokulab import Dlx
from sudokulab.bench.sets import sets_with_several_solutions


def test_most_puzzles_have_several_solutions() -> None:
    for name, puzzles in sets_with_several_solutions(100, seed=1).items():
        counts = [Dlx().count(puzzle, 2) for puzzle in puzzles]
        assert set(counts) <= {1, 2}
        assert counts.count(2) > 50, name


def test_givens_are_random_or_all_but_one_or_two_of_a_minimal_puzzle() -> None:
    random, minimal = sets_with_several_solutions(100, seed=1).values()
    assert {puzzle.num_givens for puzzle in random} == set(range(30, 41))
    assert all(15 <= puzzle.num_givens <= 30 for puzzle in minimal)


def test_sets_depend_on_the_seed_alone() -> None:
    assert sets_with_several_solutions(5, seed=1) == sets_with_several_solutions(5, seed=1)
    assert sets_with_several_solutions(5, seed=1) != sets_with_several_solutions(5, seed=2)
