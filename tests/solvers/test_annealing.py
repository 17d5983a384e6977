from __future__ import annotations

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, parse
from sudokulab.logic import share_fixed
from sudokulab.solvers import Annealing, CpAnnealing
from tests.cases import for_each
from tests.puzzles import EASY, INKALA

pytestmark = pytest.mark.native


def test_the_temperature_falls_by_a_constant_factor() -> None:
    moves = (81 - INKALA.num_givens) ** 2
    trace = Annealing(cooling=0.9).solve(INKALA, Budget(iterations=10 * moves), trace=True).trace
    is_first = trace["iterations"] % moves == 0  # the other rows are improvements
    temperatures = trace["temperature"][is_first]
    assert len(temperatures) == 11
    np.testing.assert_allclose(temperatures[1:] / temperatures[:-1], 0.9)
    assert (trace["acceptance"] <= 1).all()


def test_the_initial_temperature_is_the_variance_of_the_cost() -> None:
    # the variance of two costs a and b is ((a - b) / 2)², and a swap changes the cost by at most 4
    for seed in range(20):
        trace = Annealing(sampling_moves=2).solve(INKALA, Budget(iterations=1), seed=seed, trace=True).trace
        difference = 2 * np.sqrt(trace["temperature"][0])
        assert difference == pytest.approx(round(difference)) or trace["temperature"][0] == 0.01
        assert difference <= 4


def test_reheating_resets_the_temperature() -> None:
    unsolvable = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])
    result = Annealing(cooling=0.5, reheat_after=3).solve(unsolvable, Budget(iterations=20_000), trace=True)
    assert result.stats["reheats"] > 1
    temperatures = result.trace["temperature"]
    first = temperatures[0]
    assert (temperatures == first).sum() == pytest.approx(result.stats["reheats"] + 1, abs=1)


def test_an_improvement_is_one_of_the_cost_at_the_start_of_a_temperature_or_of_the_best_cost() -> None:
    # a short temperature often improves on its start by chance, and on the best cost at most 3 times
    unsolvable = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])
    reheats = {
        improvement: Annealing(cooling=0.999, reheat_after=3, moves_factor=0.1, improvement=improvement)
        .solve(unsolvable, Budget(iterations=13 * 300))
        .stats["reheats"]
        for improvement in ("start", "best")
    }
    assert reheats["start"] < 60 < reheats["best"] <= 100


def test_near_zero_temperature_the_cost_never_rises() -> None:
    # after the first temperature, swaps that raise the cost are rejected
    trace = Annealing(cooling=1e-6, reheat_after=1000).solve(INKALA, Budget(iterations=200_000), trace=True).trace
    is_cold = trace["temperature"] < trace["temperature"][0]
    assert is_cold.sum() > 10
    assert (np.diff(trace["cost"][is_cold]) <= 0).all()


def test_filters_fix_cells_before_the_search() -> None:
    assert CpAnnealing().solve(EASY).stats == {"iterations": 0, "temperatures": 0, "reheats": 0, "share_fixed": 1.0}
    assert CpAnnealing().solve(INKALA, Budget(iterations=1)).stats["share_fixed"] == pytest.approx(share_fixed(INKALA))
    assert Annealing(filter="ac3").solve(EASY, Budget(iterations=1)).stats["share_fixed"] <= share_fixed(EASY)
    assert "share_fixed" not in Annealing().solve(EASY, Budget(iterations=1)).stats


@for_each("name", ["none", "cp", "ac3", "rules", "singles,x-wing"])
def test_a_grid_of_cost_zero_among_the_sampling_moves_is_the_solution(name: str) -> None:
    # Two open cells in each of two boxes: no filter can fix them, and two of the four states are solutions. Every swap
    # leads from a solution to another state and back, so two sampling moves end where they began.
    two_solutions = parse("1234" + "43.." + "2143" + "34..")
    for seed in range(10):
        result = Annealing(filter=name, sampling_moves=2).solve(two_solutions, seed=seed, trace=True)
        assert result.is_solved
        assert result.stats["iterations"] == result.stats["temperatures"] == 0
        assert result.trace["cost"][-1] == 0
    assert len({Annealing(filter=name).solve(two_solutions, seed=seed).solution for seed in range(10)}) == 2
