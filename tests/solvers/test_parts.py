"""Small components shared by several solvers."""

from __future__ import annotations

from collections import Counter, deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import _core
from sudokulab.search.budget import Budget
from sudokulab.solvers import IteratedLocalSearch
from tests.puzzles import EASY

pytestmark = pytest.mark.native


@given(st.integers(0, 5), st.lists(st.integers(0, 7), max_size=40))
def test_a_tabu_list_drops_the_oldest_entry_first(capacity: int, features: list[int]) -> None:
    tabu, remembered = _core.TabuList(8, capacity), deque[int](maxlen=capacity)
    for feature in features:
        tabu.add(feature)
        remembered.append(feature)
        assert [tabu.contains(number) for number in range(8)] == [number in remembered for number in range(8)]
    tabu.clear()
    assert not any(tabu.contains(number) for number in range(8))


def test_the_roulette_wheel_draws_in_proportion_to_weight() -> None:
    weights = [1.0, 0.0, 3.0, 6.0]
    drawn = Counter(_core.spin_roulette(weights, 1, 20_000))
    assert drawn[1] == 0
    for index, weight in enumerate(weights):
        assert drawn[index] / 20_000 == pytest.approx(weight / 10, abs=0.02)


def test_refilling_takes_the_smallest_domain_first() -> None:
    # 300 assignments fill an easy grid if the smallest domain comes first, but never in reading order
    solver = IteratedLocalSearch(local_iterations=1, reset_factor=1, refill_nodes=300, filter="none")
    assert all(solver.solve(EASY, Budget(iterations=20), seed=seed).is_solved for seed in range(10))
