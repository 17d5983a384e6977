"""The sets of puzzles with several solutions."""

from __future__ import annotations

from random import Random

import numpy as np

from sudokulab import generate_array
from sudokulab.bench.sets import _blanked, sets_with_several_solutions
from sudokulab.instances import random_grids
from sudokulab.questions.arrays import as_array
from sudokulab.solvers import Dlx

NUMBER = 100


def test_most_puzzles_with_random_givens_have_several_solutions() -> None:
    random, _ = sets_with_several_solutions(NUMBER, seed=1).values()
    counts = [Dlx().count(puzzle, 2) for puzzle in random]
    assert set(counts) == {1, 2}
    assert counts.count(2) > NUMBER / 2


def test_a_minimal_puzzle_without_a_given_has_several_solutions() -> None:
    _, minimal = sets_with_several_solutions(NUMBER, seed=1).values()
    assert [Dlx().count(puzzle, 2) for puzzle in minimal] == [2] * NUMBER


def test_puzzles_are_random_grids_and_minimal_puzzles_with_blanked_givens() -> None:
    sources = random_grids(NUMBER, seed=1), generate_array(NUMBER, minimal=True, seed=1).puzzles
    numbers_blanked = set(range(41, 52)), {1, 2}
    sets = sets_with_several_solutions(NUMBER, seed=1).values()
    for puzzles, source, expected in zip(sets, sources, numbers_blanked, strict=True):
        cells = as_array(puzzles)
        assert ((cells == source) | (cells == 0)).all()
        assert set(((source > 0) & (cells == 0)).sum(axis=1).tolist()) == expected


def test_the_grids_to_blank_are_not_changed() -> None:
    grids = random_grids(3)
    before = grids.copy()
    assert all(puzzle.num_givens == 80 for puzzle in _blanked(grids, 1, 1, Random(0)))
    assert np.array_equal(grids, before)


def test_sets_depend_on_the_seed_alone() -> None:
    assert sets_with_several_solutions(5, seed=1) == sets_with_several_solutions(5, seed=1)
    assert sets_with_several_solutions(5, seed=1) != sets_with_several_solutions(5, seed=2)
