"""Canonical forms on a GPU equal those of the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudokulab import PuzzleError, canonical_array, generate_array, solve_array
from sudokulab.equivalence import Transformation
from sudokulab.instances import random_grids
from tests.gpu.questions import bundled

MOST_SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
"""The grid with the most automorphisms, 648."""


def host(array: Any) -> Any:
    return array.get() if hasattr(array, "get") else np.asarray(array)


def check(found: Any, expected: Any, puzzles: Any) -> None:
    for name in ("forms", "num_automorphisms", "hashes"):
        assert (host(getattr(found, name)) == getattr(expected, name)).all(), name
    parts = [host(part) for part in (found.is_transposed, found.rows, found.cols, found.digits)]
    for index, puzzle in enumerate(puzzles[:50]):
        transformation = Transformation(bool(parts[0][index]), *(tuple(part[index].tolist()) for part in parts[1:]))
        assert transformation.apply(puzzle.reshape(9, 9)).cells == expected.forms[index].tobytes()


def test_solution_grids_have_the_same_forms(cupy: Any) -> None:
    grids = random_grids(500, seed=11)
    grids[:50] = solve_array([MOST_SYMMETRIC])
    rng = np.random.default_rng(3)
    for index in range(25):
        grids[index] = np.concatenate([[0], rng.permutation(9) + 1])[grids[index]]
    found = canonical_array(cupy.asarray(grids))
    assert isinstance(found.forms, cupy.ndarray)
    check(found, canonical_array(grids), grids)
    assert (host(found.num_automorphisms)[:50] == 648).all()


def test_puzzles_have_the_same_forms_through_their_solutions(cupy: Any) -> None:
    symmetric = solve_array([MOST_SYMMETRIC]).repeat(40, axis=0)
    symmetric[np.arange(40), np.arange(40)] = 0
    symmetric[:, 80] = 0
    puzzles = np.concatenate([generate_array(300, minimal=True, seed=4).puzzles, bundled("easy"), symmetric])
    found = canonical_array(cupy.asarray(puzzles), through="solution")
    check(found, canonical_array(puzzles, through="solution"), puzzles)


def test_puzzles_in_host_memory_can_use_a_gpu(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sudokulab.gpu.canonical as canonical

    monkeypatch.setattr(canonical, "MAX_ITEMS", 30)
    puzzles = bundled("easy")
    found = canonical_array(puzzles, through="solution", device="cuda")
    assert type(found.forms) is np.ndarray
    check(found, canonical_array(puzzles, through="solution"), puzzles)


def test_puzzles_without_a_form_are_explained(cupy: Any) -> None:
    puzzles = bundled("easy")
    with pytest.raises(PuzzleError, match="puzzle 1 is not a solution grid; on a GPU"):
        canonical_array(cupy.asarray(puzzles))
    puzzles[3] = 0
    with pytest.raises(PuzzleError, match="puzzle 4 has several solutions"):
        canonical_array(cupy.asarray(puzzles), through="solution")
    with pytest.raises(PuzzleError, match="a GPU solves only 9×9 puzzles"):
        canonical_array(cupy.asarray(puzzles), box=(2, 2))


def test_no_puzzles_have_no_forms(cupy: Any) -> None:
    empty = cupy.asarray(np.zeros((0, 81), np.uint8))
    assert canonical_array(empty).forms.shape == (0, 81)
    assert canonical_array(empty, through="solution").hashes.shape == (0,)
