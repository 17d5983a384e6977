from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from sudokulab import Ac3Tabu, Budget, Genetic, IteratedLocalSearch, Puzzle, Tabu, ac3, read
from tests.puzzles import EASY, INKALA

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


def test_the_elite_survives() -> None:
    best = Genetic(restart_after=0).solve(INKALA, Budget(iterations=500), trace=True).trace["best_cost"]
    assert (np.diff(best) <= 0).all()


def test_without_crossover_and_mutation_there_are_no_new_individuals() -> None:
    best = Genetic(crossover=0, mutation=0, restart_after=0).solve(INKALA, Budget(iterations=50), trace=True).trace
    assert len(set(best["best_cost"])) == 1
    assert best["mean_cost"][-1] == best["best_cost"][-1]  # copies of the fittest have taken over


def test_a_new_population_is_drawn_when_nothing_improves() -> None:
    assert Genetic(restart_after=50).solve(INKALA, Budget(iterations=2000)).stats["restarts"] > 5
    assert Genetic(restart_after=0).solve(INKALA, Budget(iterations=2000)).stats["restarts"] == 0


def test_iterated_local_search_perturbs_when_it_is_stuck() -> None:
    stats = IteratedLocalSearch(local_iterations=100).solve(INKALA, Budget(iterations=5000)).stats
    assert 5 < stats["perturbations"] <= 50


def test_refilling_all_cells_solves_easy_puzzles() -> None:
    solver = IteratedLocalSearch(local_iterations=1, perturbation=1, refill_nodes=100_000)
    result = solver.solve(EASY, Budget(iterations=10))
    assert result.is_solved
    assert result.stats["perturbations"] >= 1


@pytest.mark.timing
def test_many_candidates_do_not_exceed_the_budget() -> None:
    start = time.perf_counter()
    Ac3Tabu(candidates=1000).solve(Puzzle.empty(64), Budget(seconds=0.2))
    assert time.perf_counter() - start < 0.4
