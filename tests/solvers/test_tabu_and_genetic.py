from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from sudokulab import Ac3Tabu, Budget, Puzzle, Tabu, ac3, read
from tests.puzzles import INKALA

pytestmark = pytest.mark.native


def test_tabu_never_raises_the_cost_between_restarts() -> None:
    trace = Tabu(restart_after=200).solve(INKALA, Budget(iterations=3000), trace=True).trace
    is_same_climb = np.diff(trace["restarts"]) == 0
    assert (np.diff(trace["cost"])[is_same_climb] <= 0).all()
    assert trace["restarts"][-1] >= 3


def test_a_whole_neighbourhood_descends_faster_than_a_sample() -> None:
    whole = Tabu(candidates=0).solve(INKALA, Budget(iterations=15), trace=True).trace["cost"]
    sample = Tabu(candidates=2).solve(INKALA, Budget(iterations=15), trace=True).trace["cost"]
    assert whole[-1] < sample[-1]


def test_ac3_tabu_starts_from_the_result_of_ac3() -> None:
    empty = int((ac3(INKALA).sum(axis=2) > 1).sum())
    assert Ac3Tabu().solve(INKALA, Budget(iterations=0)).cost == empty
    costs = Ac3Tabu().solve(INKALA, Budget(iterations=300), trace=True).trace["cost"]
    assert costs.max() <= empty


def test_ac3_tabu_solves_the_puzzles_of_the_paper_within_1000_iterations(public_data: Path) -> None:
    puzzles = {puzzle.name: puzzle for puzzle in read(public_data / "mantere-koljonen-46.txt")}
    for name in ("s10a", "s10b", "s10c", "s11a", "s11b", "s11c", "s12a", "s12b"):
        solved = sum(Ac3Tabu().solve(puzzles[name], Budget(iterations=1000), seed=seed).is_solved for seed in range(10))
        assert solved >= 8, name


@pytest.mark.timing
def test_many_candidates_do_not_exceed_the_budget() -> None:
    start = time.perf_counter()
    Ac3Tabu(candidates=1000).solve(Puzzle.empty(64), Budget(seconds=0.2))
    assert time.perf_counter() - start < 0.4
