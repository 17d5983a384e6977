from __future__ import annotations

import statistics

import pytest

from sudokulab import Budget, Puzzle, logic, parse
from sudokulab.logic import Level
from sudokulab.solvers import Backtracking
from tests.puzzles import EASY, INKALA, SEVENTEEN, full_grid

pytestmark = pytest.mark.native


def test_levels_come_from_the_highest_rule_needed() -> None:
    assert logic.rate(EASY).level is Level.EASY
    rating = logic.rate(SEVENTEEN)
    assert (rating.level, rating.highest.code if rating.highest else "") == (Level.MEDIUM, "BRC")
    assert logic.rate(INKALA).level is Level.BEYOND
    assert logic.rate(INKALA).highest is None
    assert logic.rate(full_grid((3, 3))).level is Level.EASY


def test_every_rule_has_its_level() -> None:
    levels = {rule.code: rule.level.value for rule in logic.RULES}
    assert levels == {
        **dict.fromkeys(["NS", "HS"], "easy"),
        **dict.fromkeys(["BRC", "RCB"], "medium"),
        **dict.fromkeys(["NP", "HP"], "hard"),
        **dict.fromkeys(["NT", "HT", "NQ", "HQ"], "very-hard"),
    }


def test_puzzles_without_exactly_one_solution_have_no_level() -> None:
    assert (logic.rate("." * 81).num_solutions, logic.rate("." * 81).level) == (2, None)
    assert (logic.rate("11" + "." * 79).num_solutions, logic.rate("11" + "." * 79).level) == (0, None)


def test_an_exhausted_budget_is_reported() -> None:
    rating = logic.rate(INKALA, budget=Budget(nodes=3))
    assert (rating.num_solutions, rating.level, rating.mean_nodes) == (None, None, None)
    nodes = logic.rate(INKALA, relabelings=0).mean_nodes
    late = logic.rate(INKALA, budget=Budget(nodes=int(3 * (nodes or 0))), relabelings=100)
    assert (late.num_solutions, late.level, late.mean_nodes) == (1, Level.BEYOND, None)
    with pytest.raises(ValueError, match="a rating does not count iterations"):
        logic.rate(INKALA, budget=Budget(iterations=3))


def test_the_level_is_that_of_the_hardest_rule_applied_in_any_order() -> None:
    backwards = logic.rate(SEVENTEEN, rules="HQ,NQ,HT,NT,HP,NP,RCB,BRC,HS,NS")
    assert backwards.firings["NQ"] > 0
    assert backwards.level is Level.VERY_HARD
    assert backwards.highest
    assert backwards.highest.level is Level.EASY


def test_nodes_equal_those_of_backtracking() -> None:
    assert (
        logic.rate(INKALA, relabelings=0).mean_nodes == Backtracking(propagation="singles").solve(INKALA).stats["nodes"]
    )


def test_nodes_over_relabelings_have_a_mean_and_a_deviation() -> None:
    many = logic.rate(INKALA, relabelings=400)
    nodes = [
        Backtracking(propagation="singles").solve(INKALA.relabel(order)).stats["nodes"] for order in permutations(400)
    ]
    assert many.mean_nodes == pytest.approx(statistics.mean(nodes), rel=0.2)
    assert many.deviation == pytest.approx(statistics.stdev(nodes), rel=0.2)


def permutations(number: int) -> list[list[int]]:
    import random

    rng = random.Random(1)
    return [rng.sample(range(1, 10), 9) for _ in range(number)]


def test_batches_give_the_same_ratings_as_single_calls() -> None:
    puzzles = [EASY, INKALA, SEVENTEEN] * 3
    assert list(logic.rate_many(puzzles, threads=2)) == [logic.rate(puzzle) for puzzle in puzzles]


def test_other_sizes_are_rated() -> None:
    assert logic.rate(parse("1.....3..4.....2")).level is Level.EASY
    assert logic.rate(Puzzle(bytes([*full_grid((3, 4)).cells[:-1], 0]), full_grid((3, 4)).box)).level is Level.EASY
