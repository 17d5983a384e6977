"""Particle swarm optimisation: the convex combination, and the moves of the swarm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import Budget, Puzzle, _core
from sudokulab.logic import ac3
from sudokulab.solvers import ParticleSwarm
from tests.puzzles import INKALA

pytestmark = pytest.mark.native

Items = list[int]


def slow_combination(parents: list[Items], choices: Items) -> Items:
    """Make all parents agree, position by position, by swaps."""
    parents = [list(parent) for parent in parents]
    for position, choice in enumerate(choices):
        item = parents[choice][position]
        for parent in parents:
            old = parent.index(item)
            parent[position], parent[old] = parent[old], parent[position]
    assert parents[0] == parents[1] == parents[2]
    return parents[0]


def combine(parents: list[Items], choices: Items) -> Items:
    first, second, third = parents
    return list(_core.combine(first, second, third, choices))


def swap_distance(first: Items, second: Items) -> int:
    """Return the least number of swaps from one permutation to the other: the length minus the number of cycles."""
    unseen, num_cycles = set(range(len(first))), 0
    while unseen:
        position = unseen.pop()
        num_cycles += 1
        while (position := first.index(second[position])) in unseen:
            unseen.remove(position)
    return len(first) - num_cycles


@st.composite
def families(draw: st.DrawFn) -> tuple[list[Items], Items]:
    size = draw(st.integers(0, 9))
    parents = [draw(st.permutations(range(1, size + 1))) for _ in range(3)]
    return parents, draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))


@given(families())
def test_the_combination_agrees_with_a_slow_one(family: tuple[list[Items], Items]) -> None:
    parents, choices = family
    child = combine(parents, choices)
    assert child == slow_combination(parents, choices)
    assert sorted(child) == sorted(parents[0])
    for position, items in enumerate(zip(*parents, strict=True)):
        if len(set(items)) == 1:  # where all parents agree, so does the child
            assert child[position] == items[0]


@given(families())
def test_a_child_lies_between_two_parents(family: tuple[list[Items], Items]) -> None:
    (first, second, _), choices = family
    for parents in ([first, second, second], [first, first, second], [first, second, first]):
        child = combine(parents, choices)
        assert swap_distance(first, child) + swap_distance(child, second) == swap_distance(first, second)


@given(families(), st.integers(0, 2))
def test_all_weight_on_one_parent_returns_it(family: tuple[list[Items], Items], parent: int) -> None:
    parents, choices = family
    assert combine(parents, [parent] * len(choices)) == parents[parent]


def test_without_mutation_the_swarm_gathers_at_its_best_position() -> None:
    solver = ParticleSwarm(particles=10, social=1, cognitive=0, mutation=0, restart_after=0)
    trace = solver.solve(INKALA, Budget(iterations=2), trace=True).trace
    assert trace["mean_cost"][-1] == trace["best_cost"][-1] == trace["best_cost"][0]


def test_a_particle_without_attraction_and_mutation_stays_where_it_is() -> None:
    solver = ParticleSwarm(particles=10, social=0, cognitive=0, mutation=0, restart_after=0)
    trace = solver.solve(INKALA, Budget(iterations=20), trace=True).trace
    assert len(set(trace["mean_cost"])) == 1


def test_a_particle_returns_to_its_own_best_position() -> None:
    solver = ParticleSwarm(particles=10, social=0, cognitive=1, mutation=0.05, restart_after=0)
    trace = solver.solve(INKALA, Budget(iterations=300), trace=True).trace
    # a swap costs at most 4; expected are 0.05 swaps in each of nine boxes away from the own best positions
    assert trace["mean_cost"][-1] < trace["mean_cost"][0] - 10


def test_mutation_swaps_inside_boxes() -> None:
    solver = ParticleSwarm(particles=1, social=0, cognitive=0, mutation=1, restart_after=0)
    cost = solver.solve(INKALA, Budget(iterations=100), trace=True).trace["cost"]
    assert 0 < np.abs(np.diff(cost)).max() <= 9 * 4


def test_the_swarm_is_scattered_when_nothing_improves() -> None:
    unsolvable = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert ParticleSwarm(restart_after=10).solve(unsolvable, Budget(iterations=1000)).stats["restarts"] > 50
    assert ParticleSwarm(restart_after=0).solve(unsolvable, Budget(iterations=1000)).stats["restarts"] == 0


def test_ac3_particle_swarm_fixes_cells_by_arc_consistency() -> None:
    num_fixed = int((ac3(INKALA).sum(axis=2) == 1).sum())
    stats = ParticleSwarm(filter="ac3").solve(INKALA, Budget(iterations=1)).stats
    assert stats["share_fixed"] == pytest.approx(num_fixed / 81)
